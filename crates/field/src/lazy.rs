//! Residues that are only almost reduced, and multipliers prepared for them.
//!
//! Inside a chain of operations a residue may stay in `[0, 2p)`: a product by a prepared
//! multiplier then needs no correction at all (D. Harvey, "Faster arithmetic for number-theoretic
//! transforms", 2014; the quotient stored with a multiplier is V. Shoup's, in NTL). Such residues
//! have a type of their own, so that none reaches a place that expects a canonical one.

use crate::word_modulus::{Modulus31, WordModulus};

macro_rules! lazy_and_prepared {
    ($lazy:ident, $prepared:ident, $word:ident, $wide:ident) => {
        #[doc = concat!("A residue in `[0, 2p)`, in one `", stringify!($word), "`.")]
        ///
        /// It has no meaning without its field, and no equality: two of them may stand for one
        /// residue.
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $lazy(pub(crate) $word);

        impl $lazy {
            /// The representative as it is stored.
            #[inline(always)]
            pub const fn representative(self) -> $word {
                self.0
            }

            #[inline(always)]
            pub(crate) const fn add(self, other: Self, prime: $word) -> Self {
                // a − (2p − b) never overflows, whereas a + b can.
                let (value, borrow) = self.0.overflowing_sub(2 * prime - other.0);
                Self(if borrow {
                    value.wrapping_add(2 * prime)
                } else {
                    value
                })
            }

            #[inline(always)]
            pub(crate) const fn sub(self, other: Self, prime: $word) -> Self {
                let (value, borrow) = self.0.overflowing_sub(other.0);
                Self(if borrow {
                    value.wrapping_add(2 * prime)
                } else {
                    value
                })
            }

            #[inline(always)]
            pub(crate) const fn reduce(self, prime: $word) -> $word {
                if self.0 >= prime {
                    self.0 - prime
                } else {
                    self.0
                }
            }
        }

        /// A multiplier w with the quotient ⌊w·2^B/p⌋, B the width of its word.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $prepared {
            factor: $word,
            quotient: $word,
        }

        impl $prepared {
            #[inline(always)]
            pub(crate) const fn new(factor: $word, prime: $word) -> Self {
                let quotient = (((factor as $wide) << $word::BITS) / prime as $wide) as $word;
                Self { factor, quotient }
            }

            /// The multiplier w, canonical.
            #[inline(always)]
            pub const fn factor(self) -> $word {
                self.factor
            }

            /// The multiplier and its quotient.
            #[inline(always)]
            pub const fn into_parts(self) -> ($word, $word) {
                (self.factor, self.quotient)
            }

            /// `x·w` for any word x: the quotient x·w/p is missed by less than 2, since the
            /// stored one is missed by less than 1 and x < 2^B.
            #[inline(always)]
            pub(crate) const fn mul(self, x: $word, prime: $word) -> $lazy {
                let quotient = ((x as $wide * self.quotient as $wide) >> $word::BITS) as $word;
                let product = x.wrapping_mul(self.factor);
                $lazy(product.wrapping_sub(quotient.wrapping_mul(prime)))
            }
        }
    };
}

lazy_and_prepared!(Lazy32, Prepared32, u32, u64);
lazy_and_prepared!(Lazy64, Prepared64, u64, u128);

impl Modulus31 {
    #[inline(always)]
    pub(crate) const fn prepare(&self, factor: u32) -> Prepared32 {
        Prepared32::new(factor, self.prime())
    }

    #[inline(always)]
    pub(crate) const fn mul_prepared(&self, x: u32, multiplier: Prepared32) -> u32 {
        multiplier.mul(x, self.prime()).reduce(self.prime())
    }
}

impl WordModulus {
    #[inline(always)]
    pub(crate) const fn prepare(&self, factor: u64) -> Prepared64 {
        Prepared64::new(factor, self.get())
    }

    #[inline(always)]
    pub(crate) const fn mul_prepared(&self, x: u64, multiplier: Prepared64) -> u64 {
        multiplier.mul(x, self.get()).reduce(self.get())
    }
}

/// Implements operations on lazy residues for a field.
macro_rules! lazy_operations {
    ($field:ident, $lazy:ident, $prepared:ident, $word:ident, $new:expr) => {
        /// Operations on lazy residues and prepared multipliers.
        ///
        /// ```
        #[doc = concat!("use sunzi::field::{", stringify!($field), ", Field};")]
        ///
        #[doc = concat!("let field = ", $new, "?;")]
        /// let three = field.prepare(3);
        /// let mut sum = field.lazy(0);
        /// for x in [1, 10, 100] {
        ///     sum = field.add_lazy(sum, field.mul_lazy(x, three));
        /// }
        /// assert_eq!(field.canonical(sum), 333);
        /// # Ok::<(), sunzi::field::FieldError>(())
        /// ```
        impl $field {
            /// Precomputes what makes products by the canonical `factor` cheap: one division.
            #[inline(always)]
            pub const fn prepare(&self, factor: $word) -> $prepared {
                $prepared::new(factor, self.prime())
            }

            /// `x · w`, canonical, for any word `x`.
            #[inline(always)]
            pub const fn mul_prepared(&self, x: $word, multiplier: $prepared) -> $word {
                multiplier.mul(x, self.prime()).reduce(self.prime())
            }

            /// A canonical residue as a lazy one.
            #[inline(always)]
            pub fn lazy(&self, x: $word) -> $lazy {
                debug_assert!(self.is_canonical(x));
                $lazy(x)
            }

            /// `x · w`, lazy, for any word `x` (so for the representative of a lazy one too).
            #[inline(always)]
            pub const fn mul_lazy(&self, x: $word, multiplier: $prepared) -> $lazy {
                multiplier.mul(x, self.prime())
            }

            /// `a + b`, lazy.
            #[inline(always)]
            pub const fn add_lazy(&self, a: $lazy, b: $lazy) -> $lazy {
                a.add(b, self.prime())
            }

            /// `a − b`, lazy.
            #[inline(always)]
            pub const fn sub_lazy(&self, a: $lazy, b: $lazy) -> $lazy {
                a.sub(b, self.prime())
            }

            /// The canonical residue: one conditional subtraction.
            #[inline(always)]
            pub const fn canonical(&self, a: $lazy) -> $word {
                a.reduce(self.prime())
            }
        }
    };
}

pub(crate) use lazy_operations;
