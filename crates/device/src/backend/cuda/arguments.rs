//! The arguments of a launch, in one piece.
//!
//! They lie as the kernel's parameters do, each on a boundary of its own size, and the driver is told how many bytes that
//! is: it can see that a kernel gets as much as it takes, which an array of pointers to values would not tell.

use super::api::DevicePointer;
use crate::backend::{Argument, Launch};
use std::ffi::c_void;
use std::ptr;

/// What the driver is told next: where the values are, their size, that this is all.
const POINTER: usize = 1;
const SIZE: usize = 2;
const END: usize = 0;

/// The values of a launch's arguments.
pub(super) struct Packed {
    /// No argument is longer than one of these.
    values: [u64; Launch::MOST_ARGUMENTS],
    bytes: usize,
}

impl Packed {
    /// Puts values together; there are [`Launch::MOST_ARGUMENTS`] at most.
    pub(super) fn new(arguments: &[Argument]) -> Self {
        let mut packed = Self {
            values: [0; Launch::MOST_ARGUMENTS],
            bytes: 0,
        };
        for argument in arguments {
            match argument {
                Argument::Memory(memory) => {
                    packed.push(&(memory.raw.0 as DevicePointer).to_ne_bytes());
                }
                Argument::U32(number) => packed.push(&number.to_ne_bytes()),
                Argument::U64(number) => packed.push(&number.to_ne_bytes()),
            }
        }
        packed
    }

    fn push(&mut self, value: &[u8]) {
        let start = self.bytes.next_multiple_of(value.len());
        self.bytes = start + value.len();
        bytemuck::bytes_of_mut(&mut self.values)[start..self.bytes].copy_from_slice(value);
    }

    /// How the driver is given them; it reads them during the call alone.
    pub(super) fn extra(&mut self) -> [*mut c_void; 5] {
        [
            ptr::without_provenance_mut(POINTER),
            self.values.as_mut_ptr().cast(),
            ptr::without_provenance_mut(SIZE),
            ptr::from_mut(&mut self.bytes).cast(),
            ptr::without_provenance_mut(END),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_on_a_boundary_of_its_size() {
        let (a, b) = (Argument::U32(1), Argument::U64(2));
        for (arguments, bytes, words) in [
            (&[][..], 0, &[][..]),
            (&[a], 4, &[1, 0]),
            (&[a, a, b], 16, &[1, 1, 2, 0]),
            (&[b, a], 12, &[2, 0, 1, 0]),
            (&[a, b, a], 20, &[1, 0, 2, 0, 1, 0]),
            (
                &[b; Launch::MOST_ARGUMENTS],
                8 * Launch::MOST_ARGUMENTS,
                &[],
            ),
        ] {
            let packed = Packed::new(arguments);
            assert_eq!(packed.bytes, bytes);
            let found: &[u32] = bytemuck::cast_slice(&packed.values);
            assert_eq!(&found[..words.len()], words);
        }
    }
}
