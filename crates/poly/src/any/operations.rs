//! Operations over a field that is known at run time only, each said once.

/// Makes of the operations of `typed`, over any field `F`, a trait that is compiled for each field, and the public methods
/// of `any`, which holds such an object and calls it by a pointer.
macro_rules! operations {
    (
        [$($bounds:tt)*] $operations:ident for $typed:ident as $any:ident;
        $(
            $(#[$about:meta])*
            fn $name:ident(&$this:ident $(, $argument:ident: $type:ty)*) -> $found:ty $body:block
        )*
    ) => {
        pub(super) trait $operations: $($bounds)* {
            $(fn $name(&self $(, $argument: $type)*) -> $found;)*
        }

        impl<F: CoefficientField + Rows> $operations for $typed<F> {
            $(fn $name(&$this $(, $argument: $type)*) -> $found $body)*
        }

        impl $any {
            $(
                $(#[$about])*
                pub fn $name(&self $(, $argument: $type)*) -> $found {
                    self.0.$name($($argument),*)
                }
            )*
        }
    };
}
pub(super) use operations;
