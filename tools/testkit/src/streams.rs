//! Memory that several streams use in turn, for tests of devices and of what becomes of them when the driver fails.

use sunzi_device::{Argument, Device, GpuError, Kernel, Launch, Source, Stream};

const GROUP: usize = 64;
/// Elements of a buffer.
pub const COUNT: usize = 1 << 12;

/// Adds a constant to every element.
const ADD: &str = "
KERNEL add(GLOBAL u32* x, u32 more) {
  u32 i = BLOCK * GROUP + THREAD;
  x[i] += more + OWN;
}
";

/// The kernel of a program that differs from others by a number.
///
/// # Errors
/// Those of the driver.
pub fn kernel(device: &Device, own: u32) -> Result<Kernel, GpuError> {
    let source = Source::new("add", GROUP).define("OWN", own).part(ADD);
    device.program(&source)?.kernel("add")
}

/// Adds a constant to every element of a buffer.
///
/// # Errors
/// Those of the driver.
pub fn add(stream: &Stream, kernel: &Kernel, to: Argument, more: u32) -> Result<(), GpuError> {
    let launch = Launch {
        groups: [COUNT / GROUP, 1, 1],
        threads: [GROUP, 1, 1],
        shared_bytes: 0,
    };
    // SAFETY: the arguments are those of the kernel, for as many elements as every buffer here has.
    unsafe { stream.launch_unchecked(kernel, launch, &[to, more.into()]) }
}

/// Frees memory while several streams may still use it, and looks at what they and the next one find there.
///
/// # Errors
/// Those of the driver.
///
/// # Panics
/// If it is anything else than was written.
pub fn use_memory_in_turn(device: &Device) -> Result<(), GpuError> {
    let kernel = kernel(device, 0)?;
    let [first, second] = [device.stream()?, device.stream()?];
    for round in 0..10 {
        let gone = device.stream()?;
        let mut buffer = device.filled(&first, &vec![round; COUNT])?;
        add(&first, &kernel, (&mut buffer).into(), 1)?;
        second.wait_on(&first.record()?)?;
        add(&second, &kernel, (&mut buffer).into(), 2)?;
        gone.wait_on(&second.record()?)?;
        add(&gone, &kernel, (&mut buffer).into(), 3)?;
        let mut copy = device.buffer(COUNT)?;
        gone.copy((&buffer, 0), (&mut copy, 0), COUNT)?;
        first.wait_on(&gone.record()?)?;
        // A last use that no other stream waits for.
        add(&gone, &kernel, (&mut buffer).into(), 4)?;
        // In every order: the stream before its memory, and memory before the streams that it was used on.
        if round % 2 == 0 {
            drop(gone);
            drop(buffer);
        } else {
            drop(buffer);
            drop(gone);
        }
        let next = device.filled(&second, &[0u32; COUNT])?;
        let mut found = vec![0; COUNT];
        first.read(&copy, &mut found)?;
        assert_eq!(found, vec![round + 6; COUNT]);
        second.read(&next, &mut found)?;
        assert_eq!(found, vec![0; COUNT]);
    }
    assert_eq!(device.memory_used(), 0);
    Ok(())
}
