//! Memory of a device for elements of a width that is known at run time.

use std::borrow::{Borrow, BorrowMut};
use sunzi_device::parameters::{Parameter, Told};
use sunzi_device::{Buffer, Device, GpuError, Stream};

/// Elements of some words of 32 bits each, in memory that is owned, or borrowed to be read or written. All lengths and places
/// are counted in elements; only here they become words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elements<W = Buffer<u32>> {
    words: W,
    width: usize,
}

/// Elements to be read.
pub(crate) type ElementsRef<'a> = Elements<&'a Buffer<u32>>;

/// Elements to be written.
pub(crate) type ElementsMut<'a> = Elements<&'a mut Buffer<u32>>;

impl Elements {
    /// Memory for `len` of them, whose values are not specified.
    ///
    /// # Errors
    /// [`GpuError::OutOfMemory`].
    pub(crate) fn uninit(device: &Device, len: usize, width: usize) -> Result<Self, GpuError> {
        let words = device.buffer(len.saturating_mul(width))?;
        Ok(Self::new(words, width))
    }
}

impl<W: Borrow<Buffer<u32>>> Elements<W> {
    /// Those that words are.
    pub(crate) const fn new(words: W, width: usize) -> Self {
        Self { words, width }
    }

    /// Their words.
    pub(crate) fn words(&self) -> &Buffer<u32> {
        self.words.borrow()
    }

    /// To be read.
    pub(crate) fn as_ref(&self) -> ElementsRef<'_> {
        Elements::new(self.words.borrow(), self.width)
    }

    /// How many.
    fn len(&self) -> usize {
        self.words.borrow().len() / self.width
    }

    /// As [`Buffer::check_rows`].
    ///
    /// # Errors
    /// As there.
    pub(crate) fn check_rows(
        &self,
        what: &str,
        first: usize,
        count: usize,
        each: usize,
    ) -> Result<usize, GpuError> {
        let words = self.words.borrow();
        match self.width {
            2 => words.cast_ref::<u64>().check_rows(what, first, count, each),
            _ => words.check_rows(what, first, count, each),
        }
    }
}

impl<W: BorrowMut<Buffer<u32>>> Elements<W> {
    /// To be written.
    pub(crate) fn as_mut(&mut self) -> ElementsMut<'_> {
        Elements::new(self.words.borrow_mut(), self.width)
    }

    /// Submits a command that sets all of them to zero.
    ///
    /// # Errors
    /// Errors of the driver.
    pub(crate) fn clear(&mut self, stream: &Stream) -> Result<(), GpuError> {
        let words = self.words.borrow_mut();
        let len = words.len();
        stream.clear(words, 0, len)
    }
}

impl Parameter for ElementsRef<'_> {
    fn number(&self) -> u128 {
        self.len() as u128
    }

    fn tell(self, names: &'static [&'static str], told: &mut Told) {
        self.words.tell(names, told);
    }
}

impl Parameter for ElementsMut<'_> {
    fn number(&self) -> u128 {
        self.len() as u128
    }

    fn tell(self, names: &'static [&'static str], told: &mut Told) {
        self.words.tell(names, told);
    }
}
