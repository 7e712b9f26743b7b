//! Types whose field is known at run time only, each operation said once.

/// Makes of the operations of `typed`, over any field `F`, an object-safe trait that is compiled for each field, and the
/// methods of `any`, which holds a shared object of it, `Arc<dyn …>`, and calls it by a pointer. What is generic over fields
/// is so compiled in the crate that offers it, once, and used without type parameters, with elements as rows of words
/// ([`Rows`](crate::Rows)).
///
/// Operations after `@owned` take the object itself, whose memory is theirs if nobody else has it (`Arc::unwrap_or_clone`).
#[doc(hidden)]
#[macro_export]
macro_rules! any_operations {
    (
        [$($supertraits:tt)*] $operations:ident for [$($bounds:tt)*] $typed:ty as $any:ident;
        $(
            $(#[$about:meta])*
            $visible:vis fn $name:ident(&$this:ident $(, $argument:ident: $type:ty)* $(,)?) -> $found:ty $body:block
        )*
        $(
            @owned
            $(
                $(#[$owned_about:meta])*
                $owned_visible:vis fn $owned_name:ident($owned_this:ident $(, $owned_argument:ident: $owned_type:ty)* $(,)?)
                    -> $owned_found:ty $owned_body:block
            )*
        )?
    ) => {
        pub(super) trait $operations: $($supertraits)* {
            $(fn $name(&self $(, $argument: $type)*) -> $found;)*
            $($(
                fn $owned_name(self: ::std::sync::Arc<Self> $(, $owned_argument: $owned_type)*) -> $owned_found;
            )*)?
        }

        impl<$($bounds)*> $operations for $typed {
            $(fn $name(&$this $(, $argument: $type)*) -> $found $body)*
            $($(
                fn $owned_name($owned_this: ::std::sync::Arc<Self> $(, $owned_argument: $owned_type)*)
                    -> $owned_found $owned_body
            )*)?
        }

        impl $any {
            $(
                $(#[$about])*
                $visible fn $name(&self $(, $argument: $type)*) -> $found {
                    self.0.$name($($argument),*)
                }
            )*
            $($(
                $(#[$owned_about])*
                $owned_visible fn $owned_name(self $(, $owned_argument: $owned_type)*) -> $owned_found {
                    self.0.$owned_name($($owned_argument),*)
                }
            )*)?
        }
    };
}
