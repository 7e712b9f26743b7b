//! What kernels are told: one description for each kernel, where its text is included, that reads like its C signature.
//!
//! A description is a struct that [`kernel!`](crate::kernel) makes, with a field for each parameter: `&Buffer` where the text has
//! `GLOBAL const`, `&mut Buffer` where it has `GLOBAL`, and numbers. Behind a buffer stands, in brackets, how many elements
//! the kernel reaches at most, computed from the other parameters and the launch: that is the author's promise, and the only unsafe
//! word. A launch takes the struct, so that it is safe:
//! [`Stream::launch`](crate::Stream::launch) compares names, kinds and number of the parameters with the signature in the
//! text, and buffers with the lengths. The same signature tells what is read and written, for the order between streams.

use crate::backend::{Argument, Launch, MemoryArgument};
use crate::buffer::Buffer;
use crate::error::GpuError;
use crate::signatures::{Kind, SignatureParameter};
use crate::work::Work;
use bytemuck::Pod;

/// Describes the parameters of a kernel, or of several that have the same ones, and what a launch comes to: bytes,
/// multiply-adds, barriers.
///
/// # Safety
/// `unsafe` before `struct` is a promise: whatever values the fields have, a kernel of these names that is launched with them and has
/// the signature of the description stays inside its buffers wherever the lengths in brackets do. A launch is safe then.
///
/// ```text
/// kernel! {
///     /// to[i] = from[first + i].
///     unsafe struct Copy<'a> for "copy" in launch {
///         to: &'a mut Buffer<u32> [count],
///         from: &'a Buffer<u32> [first + count],
///         first: u64,
///         count: u32,
///         sums: &'a mut Buffer<u32> [launch.groups()],
///     }
///     work(k, _launch) {
///         Work { bytes: 8 * u64::from(k.count), ..Work::default() }
///     }
/// }
/// ```
#[macro_export]
macro_rules! kernel {
    ($(#[$attribute:meta])* $vis:vis unsafe struct $type:ident<$life:lifetime> for $($kernel:literal)|+ $(in $launch:ident)? {
        $($field:ident $(as $alias:ident)? : $kind:ty $([$length:expr])?),* $(,)?
    } $(work($this:ident, $with:ident) $work:block)?) => {
        $(#[$attribute])*
        $vis struct $type<$life> {
            $($vis $field: $kind,)*
        }

        // SAFETY: the lengths are those of the description, whose author promises by `unsafe` that they are enough.
        unsafe impl<$life> $crate::parameters::Parameters for $type<$life> {
            const KERNELS: &'static [&'static str] = &[$($kernel),+];

            fn lengths(&self, check: $crate::parameters::Lengths<'_>) -> Result<(), $crate::GpuError> {
                $(let $launch = check;)?
                $(let $field = $crate::parameters::Parameter::number(&self.$field);)*
                $($(check.reaches(stringify!($field), $field, $length)?;)?)*
                let _ = [check.groups(), $($field),*];
                Ok(())
            }

            $(
                fn work(&self, $with: &$crate::Launch) -> $crate::Work {
                    let $this = self;
                    $work
                }
            )?

            fn tell(self, told: &mut $crate::parameters::Told) {
                $(
                    let names = &[stringify!($field) $(, stringify!($alias))?];
                    $crate::parameters::Parameter::tell(self.$field, names, told);
                )*
            }
        }
    };
}

/// The parameters of a launch, by [`kernel!`](crate::kernel).
///
/// # Safety
/// [`lengths`](Self::lengths) refuses all buffers that are shorter than the kernel takes them to be.
pub unsafe trait Parameters {
    /// The names of the kernels that have these.
    const KERNELS: &'static [&'static str];

    /// Checks that buffers are as long as the kernel takes them to be.
    ///
    /// # Errors
    /// [`GpuError::Shape`].
    fn lengths(&self, check: Lengths<'_>) -> Result<(), GpuError>;

    /// What the launch comes to.
    fn work(&self, _: &Launch) -> Work {
        Work::default()
    }

    /// Tells them in their order.
    fn tell(self, told: &mut Told);
}

/// What a kernel is not told, and its work is counted by.
#[derive(Clone, Copy, Debug)]
pub struct Note<T>(pub T);

impl<T> Parameter for Note<T> {
    fn number(&self) -> u128 {
        0
    }

    fn tell(self, _: &'static [&'static str], _: &mut Told) {}
}

/// A parameter of a kernel.
pub trait Parameter {
    /// Its value, or how many elements a buffer has.
    fn number(&self) -> u128;

    /// Tells it, by its name or any of several.
    fn tell(self, names: &'static [&'static str], told: &mut Told);
}

/// What a launch is told of a parameter.
struct One {
    names: &'static [&'static str],
    argument: Argument,
    /// Bytes of an element, and whether it may be written.
    buffer: Option<(usize, bool)>,
}

/// What a launch is told.
pub struct Told(Vec<One>);

impl Told {
    pub(crate) fn new(parameters: impl Parameters) -> Self {
        let mut told = Self(Vec::with_capacity(Launch::MOST_ARGUMENTS));
        parameters.tell(&mut told);
        told
    }

    fn number(&mut self, names: &'static [&'static str], argument: Argument) {
        self.0.push(One {
            names,
            argument,
            buffer: None,
        });
    }

    fn memory<T>(
        &mut self,
        names: &'static [&'static str],
        argument: MemoryArgument,
        writable: bool,
    ) {
        self.0.push(One {
            names,
            argument: Argument::Memory(argument),
            buffer: Some((size_of::<T>(), writable)),
        });
    }

    /// The arguments, if they are those of a kernel's text.
    pub(crate) fn arguments(
        self,
        kernel: &str,
        signature: Option<&[SignatureParameter]>,
    ) -> Result<Vec<Argument>, GpuError> {
        let signature =
            signature.ok_or_else(|| refused(kernel, "its text has no signature that is known"))?;
        if signature.len() != self.0.len() {
            let (text, described) = (signature.len(), self.0.len());
            let reason = format!("its text has {text} parameters, and its description {described}");
            return Err(refused(kernel, &reason));
        }
        for (one, parameter) in self.0.iter().zip(signature) {
            if !one.is(parameter) {
                let (name, text) = (one.names[0], &parameter.name);
                let reason = format!(
                    "parameter {text} of its text is another than {name} of its description"
                );
                return Err(refused(kernel, &reason));
            }
        }
        Ok(self.0.into_iter().map(|one| one.argument).collect())
    }
}

impl One {
    fn is(&self, parameter: &SignatureParameter) -> bool {
        let is_kind = match (&parameter.kind, &self.argument, self.buffer) {
            (Kind::U32, Argument::U32(_), _) | (Kind::U64, Argument::U64(_), _) => true,
            (Kind::Reads { element }, Argument::Memory(_), Some((bytes, writable))) => {
                !writable && element.is_none_or(|element| element.is_multiple_of(bytes))
            }
            (Kind::Writes { element }, Argument::Memory(_), Some((bytes, writable))) => {
                writable && element.is_none_or(|element| element.is_multiple_of(bytes))
            }
            _ => false,
        };
        is_kind && self.names.contains(&&*parameter.name)
    }
}

/// The error that a launch does not fit its kernel.
fn refused(kernel: &str, reason: &str) -> GpuError {
    GpuError::Shape(format!("{kernel} cannot be launched: {reason}"))
}

/// Compares what a kernel reaches with what is there.
#[derive(Clone, Copy)]
pub struct Lengths<'a> {
    pub(crate) kernel: &'a str,
    pub(crate) launch: &'a Launch,
}

impl Lengths<'_> {
    /// Groups of the launch, of one of its rows where it has several.
    pub fn groups(&self) -> u128 {
        self.launch.groups[0] as u128
    }

    /// Threads of a group.
    pub fn threads(&self) -> u128 {
        self.launch.threads[0] as u128
    }

    /// Rows of groups.
    pub fn rows(&self) -> u128 {
        self.launch.groups[1] as u128
    }

    /// Layers of rows.
    pub fn layers(&self) -> u128 {
        self.launch.groups[2] as u128
    }

    /// Refuses a buffer of `have` elements of which the kernel reaches more.
    ///
    /// # Errors
    /// [`GpuError::Shape`].
    pub fn reaches(&self, name: &str, have: u128, reached: u128) -> Result<(), GpuError> {
        if reached <= have {
            return Ok(());
        }
        let reason = format!("it reaches {reached} elements of {name}, a buffer of {have}");
        Err(refused(self.kernel, &reason))
    }
}

macro_rules! number {
    ($type:ty, $argument:ident) => {
        impl Parameter for $type {
            fn number(&self) -> u128 {
                u128::from(*self)
            }

            fn tell(self, names: &'static [&'static str], told: &mut Told) {
                told.number(names, Argument::$argument(self.into()));
            }
        }
    };
}

number!(u32, U32);
number!(u64, U64);
number!(bool, U32);

impl<T: Pod> Parameter for &Buffer<T> {
    fn number(&self) -> u128 {
        self.len() as u128
    }

    fn tell(self, names: &'static [&'static str], told: &mut Told) {
        told.memory::<T>(names, MemoryArgument::of(self), false);
    }
}

impl<T: Pod> Parameter for &mut Buffer<T> {
    fn number(&self) -> u128 {
        self.len() as u128
    }

    fn tell(self, names: &'static [&'static str], told: &mut Told) {
        told.memory::<T>(names, MemoryArgument::of(self), true);
    }
}

/// Memory that is read: of its own, or the first parameter's, elsewhere than that is written.
#[derive(Clone, Copy, Debug)]
pub enum Operand<P> {
    /// A parameter that is memory to be read.
    Own(P),
    /// The first parameter's.
    First,
}

impl<P: Parameter> Parameter for Operand<P> {
    /// Of the first parameter's the length is not known here, and who launches compares it.
    fn number(&self) -> u128 {
        match self {
            Self::Own(own) => own.number(),
            Self::First => u128::MAX,
        }
    }

    fn tell(self, names: &'static [&'static str], told: &mut Told) {
        let first = told.0.first().map(|one| (one.argument, one.buffer));
        match (self, first) {
            (Self::Own(own), _) => own.tell(names, told),
            (Self::First, Some((argument, Some((bytes, _))))) => told.0.push(One {
                names,
                argument,
                buffer: Some((bytes, false)),
            }),
            // No parameter; the launch is refused, since one is missing.
            (Self::First, _) => {}
        }
    }
}

/// A number that some of several kernels have.
impl Parameter for Option<u32> {
    fn number(&self) -> u128 {
        self.unwrap_or(0).into()
    }

    fn tell(self, names: &'static [&'static str], told: &mut Told) {
        if let Some(number) = self {
            number.tell(names, told);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signatures::Signatures;

    /// Numbers alone, for which there need not be a device.
    macro_rules! numbers {
        ($type:ident { $($field:ident: $kind:ty),* }) => {
            struct $type { $($field: $kind),* }
            // SAFETY: it reaches no buffers.
            unsafe impl Parameters for $type {
                const KERNELS: &'static [&'static str] = &["k"];
                fn lengths(&self, _: Lengths<'_>) -> Result<(), GpuError> {
                    Ok(())
                }
                fn tell(self, told: &mut Told) {
                    $(self.$field.tell(&[stringify!($field)], told);)*
                }
            }
        };
    }
    numbers!(Both { n: u32, m: u64 });
    numbers!(Swapped { m: u64, n: u32 });
    numbers!(Less { n: u32 });
    numbers!(Flag { n: bool, m: u64 });

    #[test]
    fn what_is_not_in_the_text_is_refused() {
        let signature = Signatures::read("KERNEL k(u32 n, u64 m) {}").of("k");
        let arguments = |told: Told| told.arguments("k", signature.as_deref());
        assert_eq!(arguments(Told::new(Both { n: 1, m: 2 })).unwrap().len(), 2);
        assert!(arguments(Told::new(Flag { n: true, m: 2 })).is_ok());
        let swapped = arguments(Told::new(Swapped { m: 1, n: 2 })).unwrap_err();
        let expected =
            "k cannot be launched: parameter n of its text is another than m of its description";
        assert_eq!(swapped.to_string(), expected);
        let less = arguments(Told::new(Less { n: 1 })).unwrap_err();
        let expected = "k cannot be launched: its text has 2 parameters, and its description 1";
        assert_eq!(less.to_string(), expected);
        assert!(Told::new(Less { n: 1 }).arguments("k", None).is_err());
    }

    #[test]
    fn what_is_beyond_a_buffer_is_refused() {
        let launch = Launch::new(3, 64, 0).unwrap();
        let check = Lengths {
            kernel: "k",
            launch: &launch,
        };
        assert_eq!([check.groups(), check.rows(), check.layers()], [3, 1, 1]);
        assert!(check.reaches("to", 5, 5).is_ok());
        let refused = check.reaches("to", 5, 6).unwrap_err().to_string();
        assert_eq!(
            refused,
            "k cannot be launched: it reaches 6 elements of to, a buffer of 5"
        );
    }
}
