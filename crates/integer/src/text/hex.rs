//! Hexadecimal digits to limbs and back: sixteen digits a limb, linear time.

use std::io::{self, Write};
use sunzi_rns::limbs;

/// Limbs turned into text at a time.
const LIMBS_PER_WRITE: usize = 1024;

/// The value of a hexadecimal digit.
#[inline]
pub(super) fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

/// Limbs of the number with these digits; `Err` holds the offset of the first byte that is none.
pub(super) fn limbs_from_digits(digits: &[u8]) -> Result<Vec<u64>, usize> {
    let mut value = Vec::with_capacity(digits.len().div_ceil(16));
    if let Some(at) = digits.iter().position(|&byte| digit(byte).is_none()) {
        return Err(at);
    }
    for group in digits.rchunks(16) {
        let nibbles = group.iter().filter_map(|&byte| digit(byte));
        value.push(nibbles.fold(0, |limb, nibble| limb << 4 | u64::from(nibble)));
    }
    limbs::truncate_zeros(&mut value);
    Ok(value)
}

/// Writes the lower-case digits of a number (no zero limb at the top), `0` for none, without a prefix.
pub(super) fn write_digits(value: &[u64], out: &mut impl Write) -> io::Result<()> {
    let Some((top, rest)) = value.split_last() else {
        return out.write_all(b"0");
    };
    write!(out, "{top:x}")?;
    let mut text = Vec::with_capacity(16 * rest.len().min(LIMBS_PER_WRITE));
    for group in rest.rchunks(LIMBS_PER_WRITE) {
        text.clear();
        for limb in group.iter().rev() {
            let mut nibbles = *limb;
            text.extend([0; 16].map(|_: u8| {
                nibbles = nibbles.rotate_left(4);
                b"0123456789abcdef"[(nibbles & 15) as usize]
            }));
        }
        out.write_all(&text)?;
    }
    Ok(())
}
