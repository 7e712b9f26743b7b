//! Memory: the device's, and the host's that it reaches.

use crate::backend::{Argument, MemoryArgument, Raw, RawHost};
use crate::device::Device;
use crate::error::GpuError;
use crate::event::Event;
use bytemuck::Pod;
use std::fmt;
use std::marker::PhantomData;
use std::ptr;

/// Memory of a device for elements of one type.
#[repr(transparent)]
pub struct Buffer<T> {
    memory: Memory,
    holds: PhantomData<T>,
}

/// Memory of a device, whatever it holds.
struct Memory {
    device: Device,
    raw: Raw,
    /// Those of the elements, and those set aside: a driver knows no empty memory.
    bytes: usize,
    taken: usize,
}

impl<T> fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Buffer of {} on {}",
            self.len(),
            self.memory.device.info().name
        )
    }
}

/// Bytes of `len` elements; a driver knows no empty memory.
fn bytes_of<T>(len: usize) -> Result<usize, GpuError> {
    len.max(1).checked_mul(size_of::<T>()).ok_or_else(|| {
        GpuError::Shape(format!(
            "{len} elements of {} bytes are more than an address reaches",
            size_of::<T>()
        ))
    })
}

impl Device {
    /// Memory for `len` elements, whose values are not specified.
    ///
    /// # Errors
    /// [`GpuError::OutOfMemory`].
    pub fn buffer<T: Pod>(&self, len: usize) -> Result<Buffer<T>, GpuError> {
        Buffer::new(self, len)
    }

    /// Memory of the host for `len` elements, all zero, that the device reads and writes directly.
    ///
    /// # Errors
    /// Errors of the driver.
    pub fn staging<T: Pod>(&self, len: usize) -> Result<Staging<T>, GpuError> {
        Staging::new(self, len)
    }
}

impl<T: Pod> Buffer<T> {
    fn new(device: &Device, len: usize) -> Result<Self, GpuError> {
        let taken = bytes_of::<T>(len)?;
        device.take_memory(taken as u64)?;
        let raw = device
            .driver()
            .allocate(taken)
            .map_err(|error| device.refused_memory(taken as u64, error))?;
        let memory = Memory {
            device: device.clone(),
            raw,
            bytes: len * size_of::<T>(),
            taken,
        };
        Ok(Self {
            memory,
            holds: PhantomData,
        })
    }

    /// The device that it is on.
    pub fn device(&self) -> &Device {
        &self.memory.device
    }

    pub(crate) fn raw(&self) -> Raw {
        self.memory.raw
    }
}

impl<T> Buffer<T> {
    /// Elements.
    pub fn len(&self) -> usize {
        self.memory.bytes.checked_div(size_of::<T>()).unwrap_or(0)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Checks that it has `count` rows of `words` elements each, one after the other, from element `first` on, and
    /// counts the elements of the rows.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if it does not.
    pub fn check_rows(
        &self,
        what: &str,
        first: usize,
        count: usize,
        words: usize,
    ) -> Result<usize, GpuError> {
        count
            .checked_mul(words)
            .filter(|all| all.checked_add(first).is_some_and(|end| end <= self.len()))
            .ok_or_else(|| {
                GpuError::Shape(format!(
                    "{what}: {count} times {words} elements from {first} on are beyond the end of a buffer of {}",
                    self.len()
                ))
            })
    }
}

impl<T: Pod> Buffer<T> {
    /// The same memory for elements of another size.
    pub fn cast<U: Pod>(self) -> Buffer<U> {
        Buffer {
            memory: self.memory,
            holds: PhantomData,
        }
    }

    /// The same memory seen as elements of another size.
    pub fn cast_ref<U: Pod>(&self) -> &Buffer<U> {
        // SAFETY: both are transparent for the same memory, whose bytes any plain elements may be.
        unsafe { &*ptr::from_ref(self).cast() }
    }

    /// The same, to be written.
    pub fn cast_mut<U: Pod>(&mut self) -> &mut Buffer<U> {
        // SAFETY: as in `cast_ref`.
        unsafe { &mut *ptr::from_mut(self).cast() }
    }
}

impl Argument {
    /// A buffer. It must live until the stream has come past the launch.
    pub fn of<T: Pod>(buffer: &Buffer<T>) -> Self {
        Self::Memory(MemoryArgument::of(buffer))
    }
}

impl MemoryArgument {
    pub(crate) fn of<T: Pod>(buffer: &Buffer<T>) -> Self {
        Self {
            raw: buffer.raw(),
            device: buffer.device().identity(),
        }
    }
}

impl<T: Pod> From<&Buffer<T>> for Argument {
    fn from(buffer: &Buffer<T>) -> Self {
        Self::of(buffer)
    }
}

impl<T: Pod> From<&mut Buffer<T>> for Argument {
    fn from(buffer: &mut Buffer<T>) -> Self {
        Self::of(buffer)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.device.hazards().forget(self.raw);
        // SAFETY: the handle is of this driver, and this is its only owner. Drivers free memory once the work that was
        // submitted before is done with it.
        unsafe { self.device.driver().free(self.raw) };
        self.device.return_memory(self.taken as u64);
    }
}

/// Memory of the host that a device copies from and to without a stop in between.
///
/// Its contents can be reached only while no copy is under way: [`Staging::get_mut`] and [`Staging::get`] wait for the
/// last one.
pub struct Staging<T> {
    device: Device,
    raw: RawHost,
    len: usize,
    /// The end of the last copy.
    busy: Option<Event>,
    holds: PhantomData<T>,
}

// SAFETY: the memory is owned, and reached through `&mut self` or by drivers, which know threads.
unsafe impl<T: Send> Send for Staging<T> {}

impl<T> fmt::Debug for Staging<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Staging of {} for {}", self.len, self.device.info().name)
    }
}

impl<T: Pod> Staging<T> {
    fn new(device: &Device, len: usize) -> Result<Self, GpuError> {
        let bytes = bytes_of::<T>(len)?;
        let refused = |error| match error {
            GpuError::OutOfMemory { .. } => device.out_of_memory(bytes as u64),
            error => error,
        };
        let raw = device.driver().allocate_host(bytes).map_err(refused)?;
        // SAFETY: the driver gave `bytes` bytes, on a page's boundary.
        unsafe { raw.address.write_bytes(0, bytes) };
        Ok(Self {
            device: device.clone(),
            raw,
            len,
            busy: None,
            holds: PhantomData,
        })
    }

    pub(crate) fn device(&self) -> &Device {
        &self.device
    }

    /// Its elements, once the last copy is done.
    ///
    /// # Errors
    /// If that copy failed.
    pub fn get(&mut self) -> Result<&[T], GpuError> {
        self.get_mut().map(|elements| &*elements)
    }

    /// Its elements, once the last copy is done.
    ///
    /// # Errors
    /// If that copy failed.
    pub fn get_mut(&mut self) -> Result<&mut [T], GpuError> {
        self.settle()?;
        // SAFETY: the memory holds `len` elements, initialized when it was made, and any bytes are a `T: Pod`; no copy
        // is under way, and it is borrowed with `self`.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.raw.address.cast(), self.len) })
    }

    /// Notes a copy that ends with `event`.
    pub(crate) fn lend(&mut self, event: Event) {
        self.busy = Some(event);
    }

    pub(crate) fn address(&self) -> *mut u8 {
        self.raw.address
    }
}

impl<T> Staging<T> {
    /// Elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Waits for the last copy.
    fn settle(&mut self) -> Result<(), GpuError> {
        match self.busy.take() {
            Some(event) => event.wait(),
            None => Ok(()),
        }
    }
}

impl<T> Drop for Staging<T> {
    fn drop(&mut self) {
        // A copy that failed is over as well.
        let _ = self.settle();
        // SAFETY: the memory is of this driver, this is its only owner, and no copy is under way.
        unsafe { self.device.driver().free_host(self.raw) };
    }
}
