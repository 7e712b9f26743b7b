//! From a number of digits known at run time to the constant that types have.

/// `$work` with the constant `$k` for a number of digits known at run time, one of [`DIGITS`]; `$other` for
/// other numbers. With `>= 4`, two digits are other, too.
///
/// The work is compiled for every number: do this once, high above kernels, in the crate that holds the work.
///
/// ```
/// use sunzi::field::{GeneralizedFermat, TwoAdicField, named_prime};
/// use sunzi_field::with_digits;
///
/// let prime = named_prime("P16").unwrap();
/// let two_adicity = with_digits!(
///     prime.digits,
///     K => GeneralizedFermat::<K>::new(prime.radix)?.two_adicity(),
///     _ => unreachable!("every named prime has its field")
/// );
/// assert_eq!(two_adicity, 720);
/// # Ok::<(), sunzi::field::GeneralizedFermatError>(())
/// ```
///
/// [`DIGITS`]: crate::generalized_fermat::DIGITS
#[doc(hidden)]
#[macro_export]
macro_rules! with_digits {
    // Every number of digits: all other lists are made of this one.
    (@list $then:ident $given:tt) => {
        $crate::with_digits! { @$then $given [2, 4, 8, 16, 32, 64, 128, 256] }
    };
    (@numbers () [$($number:literal),*]) => {
        [$($number),*]
    };
    (@all ($digits:expr, $k:ident, $work:expr, $other:expr) [$($number:literal),*]) => {
        match $digits {
            $($number => {
                const $k: usize = $number;
                $work
            })*
            _ => $other,
        }
    };
    (@from_four $given:tt [2, $($rest:tt)*]) => {
        $crate::with_digits!(@all $given [$($rest)*])
    };
    (@fields ($then:ident $given:tt $words:tt) [$($number:literal),*]) => {
        $crate::with_field! { @$then $given $words [$($crate::GeneralizedFermat<$number>),*] }
    };
    ($digits:expr, $k:ident => $work:expr, _ => $other:expr $(,)?) => {
        $crate::with_digits!(@list all ($digits, $k, $work, $other))
    };
    ($digits:expr, $k:ident >= 4 => $work:expr, _ => $other:expr $(,)?) => {
        $crate::with_digits!(@list from_four ($digits, $k, $work, $other))
    };
}

pub(crate) use with_digits;
