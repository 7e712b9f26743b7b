//! Vector arithmetic modulo one prime, made for the butterflies of a transform.
//!
//! A transform is written once, generic over [`Lanes`]; what differs between word sizes and
//! instruction sets is only how one butterfly is computed. The arithmetics:
//!
//! | type | primes | method | residues inside |
//! |---|---|---|---|
//! | `Montgomery32` | below 2^31 | Montgomery products with R = 2^32, even and odd lanes apart | up to `[0, 8p)`, as p leaves room |
//! | `Ifma50` | below 2^50 | 52-bit multiply-add with R = 2^52 | `[0, 4p)` |
//! | `Float50` | below 2^50 | exact products by fused multiply-add of doubles | balanced, at most 2.5p |
//! | `Signed62` | below 2^62 | two 32-bit Montgomery steps folded into one | signed, at most 2p |
//! | `Portable32`, `Portable64`, `PortableFull` | below 2^31, 2^63, 2^64 | Montgomery products on single words | canonical |
//!
//! The choice between them is made at run time, by [`InstructionSet::detect`](sunzi_machine::InstructionSet::detect)
//! and [`LanesField::dispatch`]: every build contains all of them.
//!
//! Montgomery products are from P. Montgomery, *Modular multiplication without trial division*
//! (1985); keeping residues unreduced through a transform is D. Harvey's *Faster arithmetic for
//! number-theoretic transforms* (2014); exact products by fused multiply-add are in
//! J. van der Hoeven, G. Lecerf, G. Quintin, *Modular SIMD arithmetic in Mathemagix* (2016).

#[cfg(target_arch = "x86_64")]
mod butterfly_simd;
mod dispatch;
#[cfg(target_arch = "x86_64")]
mod float50;
#[cfg(target_arch = "x86_64")]
mod ifma50;
#[cfg(target_arch = "x86_64")]
mod montgomery32;
mod portable;
#[cfg(target_arch = "x86_64")]
mod signed62;

pub use dispatch::{LanesField, LanesTask};

/// Most lanes that any implementation of [`Lanes`] has.
pub const MAX_LANES: usize = 16;

/// Arithmetic modulo one prime on vectors of [`Lanes::LANES`] residues.
///
/// Residues are kept *lazily*: within a range that is wider than `[0, p)` and private to the
/// implementation. [`Lanes::import`] takes canonical residues there, [`Lanes::export`] brings them
/// back, times a constant. What [`Lanes::forward`] gives, it takes again, likewise [`Lanes::inverse`];
/// between the two, in either direction, any other operation comes. The others take all results.
///
/// A value holds the proof that the machine has the instructions of its arithmetic, as it is made
/// only where they were found ([`LanesField::dispatch`]). So all methods are safe but those that
/// read or write memory at an address.
pub trait Lanes: Copy + 'static {
    /// The word that holds one residue in memory.
    type Word: Copy + Default + Send + Sync + 'static;
    /// A vector of [`Lanes::LANES`] residues.
    type Vector: Copy;
    /// A multiplier known beforehand, one per lane.
    type Twiddle: Copy;
    /// `LANES` vectors: a square block of residues.
    type Block: Copy + AsRef<[Self::Vector]> + AsMut<[Self::Vector]>;
    /// Residues in a vector: a power of two, at most [`MAX_LANES`].
    const LANES: usize;
    /// Words that one prepared multiplier takes in a table.
    const TWIDDLE_WORDS: usize;

    /// Writes the table entry for the canonical residue `w`: [`Lanes::TWIDDLE_WORDS`] words.
    fn prepare(self, w: u64, entry: &mut [Self::Word]);
    /// The factor c (canonical) for which [`Lanes::mul`] computes `c·a·b`.
    fn mul_factor(self) -> u64;

    /// Loads [`Lanes::LANES`] residues.
    ///
    /// # Safety
    /// That many words are readable at `from`.
    unsafe fn load(self, from: *const Self::Word) -> Self::Vector;
    /// Stores [`Lanes::LANES`] residues.
    ///
    /// # Safety
    /// That many words are writable at `to`.
    unsafe fn store(self, to: *mut Self::Word, v: Self::Vector);
    /// The multiplier of one entry that stands by itself, as [`Lanes::prepare`] wrote it, for all
    /// lanes.
    #[inline(always)]
    fn twiddle(self, entry: &[Self::Word; 2]) -> Self::Twiddle {
        const { assert!(Self::TWIDDLE_WORDS <= 2) };
        // SAFETY: an entry has at most two words, here one after the other.
        unsafe { self.splat_twiddle(entry.as_ptr(), 1) }
    }
    /// One table entry, the same for every lane. Tables are stored plane by plane: the first
    /// words of all entries, then, `plane` words on, the second words.
    ///
    /// # Safety
    /// The entry's [`Lanes::TWIDDLE_WORDS`] words are readable.
    unsafe fn splat_twiddle(self, entry: *const Self::Word, plane: usize) -> Self::Twiddle;
    /// [`Lanes::LANES`] consecutive table entries. One word behind those of each plane is read, too.
    ///
    /// # Safety
    /// In each of [`Lanes::TWIDDLE_WORDS`] planes, [`Lanes::LANES`] + 1 words are readable.
    unsafe fn load_twiddle(self, entries: *const Self::Word, plane: usize) -> Self::Twiddle;
    /// Writes at `to` the table entries of t times the [`Lanes::LANES`] multipliers at `from`.
    ///
    /// # Safety
    /// In each of [`Lanes::TWIDDLE_WORDS`] planes, [`Lanes::LANES`] words are readable at `from` and
    /// writable at `to`.
    unsafe fn advance_twiddles(
        self,
        from: *const Self::Word,
        to: *mut Self::Word,
        plane: usize,
        t: Self::Twiddle,
    );

    /// `(a, b) → (a + t·b, a − t·b)`.
    fn forward(
        self,
        a: Self::Vector,
        b: Self::Vector,
        t: Self::Twiddle,
    ) -> (Self::Vector, Self::Vector);
    /// `(a, b) → (a + b, (b − a)·t)`: undoes [`Lanes::forward`] up to a factor 2 when t is minus
    /// the inverse of the forward multiplier.
    fn inverse(
        self,
        a: Self::Vector,
        b: Self::Vector,
        t: Self::Twiddle,
    ) -> (Self::Vector, Self::Vector);
    /// `t·a`.
    fn scale(self, a: Self::Vector, t: Self::Twiddle) -> Self::Vector;
    /// `Σ t[i]·a[i]` for canonical residues that were imported: one reduction for three products where there is room.
    #[inline(always)]
    fn scale3(self, a: [Self::Vector; 3], t: [Self::Twiddle; 3]) -> Self::Vector {
        let sum = self.add(self.scale(a[0], t[0]), self.scale(a[1], t[1]));
        self.add(sum, self.scale(a[2], t[2]))
    }
    /// `c·a·b` with c = [`Lanes::mul_factor`].
    fn mul(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `c·Σ factors[i]·x[i]` with c = [`Lanes::mul_factor`]: one reduction for three products where there is room.
    /// Factors are any residues, but x are imported ones, or results of this function, [`Lanes::mul`] or [`Lanes::scale`].
    #[inline(always)]
    fn combine3(self, factors: [Self::Vector; 3], x: [Self::Vector; 3]) -> Self::Vector {
        // No closures: they would be compiled without the instruction set.
        let sum = self.add(self.mul(x[0], factors[0]), self.mul(x[1], factors[1]));
        self.add(sum, self.mul(x[2], factors[2]))
    }
    /// `a + b`.
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// `a − b`.
    fn sub(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// From canonical residues, as they stand in memory, to the private form.
    fn import(self, v: Self::Vector) -> Self::Vector;
    /// From the private form to canonical residues of `t·a`, as they stand in memory.
    fn export(self, a: Self::Vector, t: Self::Twiddle) -> Self::Vector;

    /// From the private form to canonical residues of `a`, as they stand in memory.
    fn canonical(self, a: Self::Vector) -> Self::Vector;

    /// `LANES` rows of `LANES` residues each, `stride` words apart.
    ///
    /// # Safety
    /// The words of all rows are readable.
    unsafe fn load_block(self, from: *const Self::Word, stride: usize) -> Self::Block;
    /// Row l's residue i becomes row i's residue l.
    fn transpose(self, block: &mut Self::Block);
    /// The residues of a vector from last to first.
    fn reverse(self, a: Self::Vector) -> Self::Vector;

    /// Two levels of forward butterflies on four residues' columns, twice: `(x0, x2), (x1, x3)`
    /// with `t[0]`, then `(x0, x1)` with `t[1]` and `(x2, x3)` with `t[2]`.
    ///
    /// Two at a time, level by level, as a butterfly's instructions wait for each other and a processor
    /// looks only so far ahead for others.
    #[inline(always)]
    fn forward4(self, x: [[Self::Vector; 4]; 2], t: [Self::Twiddle; 3]) -> [[Self::Vector; 4]; 2] {
        two_levels_forward(self, x, t)
    }

    /// Undoes [`Lanes::forward4`] up to a factor 4, with the multipliers of
    /// [`Lanes::inverse`].
    #[inline(always)]
    fn inverse4(self, z: [[Self::Vector; 4]; 2], t: [Self::Twiddle; 3]) -> [[Self::Vector; 4]; 2] {
        two_levels_inverse(self, z, t)
    }
}

/// [`Lanes::forward4`] by single butterflies.
#[inline(always)]
fn two_levels_forward<L: Lanes>(
    lanes: L,
    [a, b]: [[L::Vector; 4]; 2],
    t: [L::Twiddle; 3],
) -> [[L::Vector; 4]; 2] {
    let (a0, a2) = lanes.forward(a[0], a[2], t[0]);
    let (a1, a3) = lanes.forward(a[1], a[3], t[0]);
    let (b0, b2) = lanes.forward(b[0], b[2], t[0]);
    let (b1, b3) = lanes.forward(b[1], b[3], t[0]);
    let (a0, a1) = lanes.forward(a0, a1, t[1]);
    let (b0, b1) = lanes.forward(b0, b1, t[1]);
    let (a2, a3) = lanes.forward(a2, a3, t[2]);
    let (b2, b3) = lanes.forward(b2, b3, t[2]);
    [[a0, a1, a2, a3], [b0, b1, b2, b3]]
}

/// [`Lanes::inverse4`] by single butterflies.
#[inline(always)]
fn two_levels_inverse<L: Lanes>(
    lanes: L,
    [a, b]: [[L::Vector; 4]; 2],
    t: [L::Twiddle; 3],
) -> [[L::Vector; 4]; 2] {
    let (a0, a1) = lanes.inverse(a[0], a[1], t[1]);
    let (b0, b1) = lanes.inverse(b[0], b[1], t[1]);
    let (a2, a3) = lanes.inverse(a[2], a[3], t[2]);
    let (b2, b3) = lanes.inverse(b[2], b[3], t[2]);
    let (a0, a2) = lanes.inverse(a0, a2, t[0]);
    let (a1, a3) = lanes.inverse(a1, a3, t[0]);
    let (b0, b2) = lanes.inverse(b0, b2, t[0]);
    let (b1, b3) = lanes.inverse(b1, b3, t[0]);
    [[a0, a1, a2, a3], [b0, b1, b2, b3]]
}
