//! The list of all fields that a prime can name.

/// Does something with the field that an [`AnyField`](crate::AnyField) holds, which is compiled for each type of field: this is where a prime that a
/// user named becomes a type. Libraries do it once, where an object without a type parameter is made.
///
/// ```
/// use sunzi::field::{AnyField, Field, GeneralizedFermat, TwoAdicField};
/// use sunzi_field::with_field;
///
/// let field = AnyField::modulo_word(469_762_049)?;
/// assert_eq!(with_field!(&field, field => field.two_adicity()), 26);
/// // What fields modulo r^k + 1 alone have, and what is done in others.
/// let radix = with_field!(&field, field: GeneralizedFermat => Some(field.radix()), _ => None);
/// assert_eq!(radix, None);
/// # Ok::<(), sunzi::field::FieldError>(())
/// ```
#[macro_export]
macro_rules! with_field {
    // Every field but those of digits, of which `with_digits!` has the numbers.
    (@list $then:ident $given:tt) => {
        $crate::with_digits! { @list fields ($then $given [
            $crate::Fp32, $crate::Fp64, $crate::Fp64Full
        ]) }
    };
    (@from () [$($word:ty),*] [$($digits:ty),*]) => {
        $(impl From<$word> for $crate::AnyField {
            fn from(field: $word) -> Self {
                Self(::std::sync::Arc::new(field))
            }
        })*
        $(impl From<$digits> for $crate::AnyField {
            fn from(field: $digits) -> Self {
                Self(::std::sync::Arc::new(field))
            }
        })*
    };
    (@typed ($any:expr, $field:ident, $work:expr) [$($word:ty),*] [$($digits:ty),*]) => {{
        let any: &$crate::AnyField = $any;
        $(if let Some($field) = any.over::<$word>() { $work } else)*
        $(if let Some($field) = any.over::<$digits>() { $work } else)*
        { unreachable!("a field that is in no list") }
    }};
    (@big ($any:expr, $field:ident, $work:expr, $other:expr) $words:tt [$($digits:ty),*]) => {{
        let any: &$crate::AnyField = $any;
        $(if let Some($field) = any.over::<$digits>() { $work } else)*
        { $other }
    }};
    ($any:expr, $field:ident => $work:expr $(,)?) => {
        $crate::with_field!(@list typed ($any, $field, $work))
    };
    ($any:expr, $field:ident: GeneralizedFermat => $work:expr, _ => $other:expr $(,)?) => {
        $crate::with_field!(@list big ($any, $field, $work, $other))
    };
}
