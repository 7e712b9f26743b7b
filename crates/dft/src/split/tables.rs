//! The multipliers of a transform, computed once for all sizes up to a largest.
//!
//! A transform of length N splits x^N − 1 into (x^{N/2} − 1)(x^{N/2} + 1) and so on. Block j of
//! a level works modulo x^n − c_j and splits into x^{n/2} ∓ t_j with t_j² = c_j. These t_j do not
//! depend on the level: t_0 = 1, t_{2^m + i} = t_i·ω with ω of order 2^{m+2}. So one table in this
//! order, a bit-reversed one, serves every level and every length, and
//! `t_j⁻¹ = −t_{j'}` with j' = 3·2^m − 1 − j (m the top bit of j) serves the inverse.
//! The table follows D. Bernstein, *Fast multiplication and its applications* (2008), and the
//! `sd_fft` design of D. Schultz in FLINT 3.
//!
//! The last levels, inside square blocks of L·L residues (L lanes), need a different multiplier
//! in each lane; those are kept in the order in which the block reads them.

use std::ops::Range;
use sunzi_field::lanes::{Lanes, LanesField, LanesTask, MAX_LANES};

/// Multipliers for transforms over one field, by one kernel.
#[derive(Clone, Debug)]
pub(crate) struct Tables<W> {
    /// Values that transforms may have; those of the next power of two are laid out, but not all
    /// of their multipliers written.
    points: usize,
    shape: Shape,
    /// Multipliers t_j, one entry each.
    roots: Vec<W>,
    /// Minus the inverses of the multipliers of block 0, which is not the mirror image of another,
    /// and of its parts, where the mirror image of block 0 would be block 1: at 2c − 1 − k that of
    /// part k of c.
    first_inverses: Vec<W>,
    /// The entry of 1/2.
    one_half: Vec<W>,
    /// For each square block, the vectors of its last levels.
    squares: Vec<W>,
    /// The inverses of the vectors of block 0, likewise in the order of a mirror image.
    first_square_inverse: Vec<W>,
    /// For every length 2^k, the entry of 1/(c·2^k), c the product factor.
    export_scales: Vec<[W; 2]>,
}

/// Words behind the vectors of a table, which [`Lanes::load_twiddle`] reads.
const PADDING: usize = 1;

/// What of an arithmetic determines the tables' layout.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) lanes: usize,
    words: usize,
}

impl Shape {
    /// Words of the tables a point, rounded up.
    pub(crate) fn words(self) -> usize {
        self.words
    }

    /// Residues in a square block.
    pub(crate) fn square(self) -> usize {
        self.lanes * self.lanes
    }
}

/// Pointers into the tables, for the inside of a kernel.
///
/// Tables of transforms of up to N points, a power of two, *reach* block `index` of a level of blocks of
/// `len` points if `index < N/len`: they hold the multipliers of the block and of all its parts.
#[derive(Clone, Copy)]
pub(crate) struct View<W> {
    roots: *const W,
    roots_plane: usize,
    first_inverses: *const W,
    one_half: *const W,
    squares: *const W,
    squares_plane: usize,
    first_square_inverse: *const W,
    lanes: usize,
}

/// Pointers to the inverse multipliers of one block.
#[derive(Clone, Copy)]
pub(crate) struct Inverses<W> {
    roots: *const W,
    roots_plane: usize,
    mirrored: usize,
    square: *const W,
    square_plane: usize,
    lanes: usize,
}

/// The index of the negated inverse of multiplier j ≥ 1.
#[inline(always)]
fn mirror(j: usize) -> usize {
    let top = 1usize << (usize::BITS - 1 - j.leading_zeros());
    3 * top - 1 - j
}

impl<W: Copy> View<W> {
    /// Multiplier t_j for all lanes.
    ///
    /// # Safety
    /// The tables are alive, and reach block j of a level of blocks longer than a vector, or have roots for more than 2j rows
    /// ([`Tables::check_rows`]).
    #[inline(always)]
    pub(crate) unsafe fn root<L: Lanes<Word = W>>(self, lanes: L, j: usize) -> L::Twiddle {
        // SAFETY: `roots` has N/(2L) entries, as many as there are blocks of two vectors.
        unsafe { lanes.splat_twiddle(self.roots.add(j), self.roots_plane) }
    }

    /// Where minus the inverses of block `index`'s multipliers stand, and of its parts'.
    #[inline(always)]
    pub(crate) fn inverses(self, index: usize) -> Inverses<W> {
        let square = (self.lanes - 1) * self.lanes;
        if index == 0 {
            return Inverses {
                roots: self.first_inverses,
                roots_plane: first_inverses_len(self.lanes),
                mirrored: 1,
                square: self.first_square_inverse,
                square_plane: square,
                lanes: self.lanes,
            };
        }
        let mirrored = mirror(index);
        Inverses {
            roots: self.roots,
            roots_plane: self.roots_plane,
            mirrored,
            // Only blocks that are squares read it.
            square: self.squares.wrapping_add(mirrored * square),
            square_plane: self.squares_plane,
            lanes: self.lanes,
        }
    }

    /// The multiplier 1/2, for all lanes.
    ///
    /// # Safety
    /// The tables are alive.
    #[inline(always)]
    pub(crate) unsafe fn half<L: Lanes<Word = W>>(self, lanes: L) -> L::Twiddle {
        // SAFETY: one entry, its words one after the other.
        unsafe { lanes.splat_twiddle(self.one_half, 1) }
    }

    /// In square block `block`, multipliers `t_{row·2^level + index}` for its L rows, at position
    /// `2^level − 1 + index`.
    ///
    /// # Safety
    /// The tables are alive and reach the square block, and the position is below L − 1.
    #[inline(always)]
    pub(crate) unsafe fn square<L: Lanes<Word = W>>(
        self,
        lanes: L,
        block: usize,
        position: usize,
    ) -> L::Twiddle {
        // SAFETY: each plane of `squares` has L − 1 vectors for each of N/L² blocks, and a word more behind
        // the last plane.
        unsafe {
            let at = (block * (self.lanes - 1) + position) * self.lanes;
            lanes.load_twiddle(self.squares.add(at), self.squares_plane)
        }
    }
}

impl<W: Copy> Inverses<W> {
    /// Minus the inverse of the multiplier of part k where the block is cut into `parts`, for all
    /// lanes.
    ///
    /// # Safety
    /// The tables are alive and reach the block, k is below `parts`, and the parts are longer than a vector.
    #[inline(always)]
    pub(crate) unsafe fn root<L: Lanes<Word = W>>(
        self,
        lanes: L,
        parts: usize,
        k: usize,
    ) -> L::Twiddle {
        // SAFETY: the mirror image of block j ≥ 1 is a block of the same level, from the same power of two on
        // to the next, so reached as well; of block 0, the first L/2 parts, and at least 2, have a table.
        unsafe {
            let at = self.mirrored * parts + (parts - 1 - k);
            lanes.splat_twiddle(self.roots.add(at), self.roots_plane)
        }
    }

    /// In a square block, minus the inverses of the multipliers of part k of its L rows, each cut
    /// into `parts`; the last row's first.
    ///
    /// # Safety
    /// The tables are alive and reach the square block, k is below `parts`, and those are at most L/2.
    #[inline(always)]
    pub(crate) unsafe fn square<L: Lanes<Word = W>>(
        self,
        lanes: L,
        parts: usize,
        k: usize,
    ) -> L::Twiddle {
        // SAFETY: one of the L − 1 vectors of a square in each plane; a word more stands behind the last.
        unsafe {
            let at = (2 * parts - 2 - k) * self.lanes;
            lanes.load_twiddle(self.square.add(at), self.square_plane)
        }
    }
}

/// Entries of the table of block 0's inverses.
const fn first_inverses_len(lanes: usize) -> usize {
    if lanes < 4 { 4 } else { lanes }
}

/// Finds the layout for an arithmetic.
pub(crate) struct FindShape;

impl<W> LanesTask<W> for FindShape {
    type Output = Shape;
    #[inline(always)]
    fn run<L: Lanes<Word = W>>(self, _lanes: L) -> Shape {
        Shape {
            lanes: L::LANES,
            words: L::TWIDDLE_WORDS,
        }
    }
}

impl<W: Copy> Tables<W> {
    /// Values that transforms with these tables may have.
    pub(crate) fn points(&self) -> usize {
        self.points
    }

    /// Layout of the arithmetic that the tables are for.
    pub(crate) fn shape(&self) -> Shape {
        self.shape
    }

    /// The prepared multiplier that turns the outcome of a pointwise product and an inverse transform
    /// of `2^log_n` points into plain values.
    pub(crate) fn export_scale(&self, log_n: u32) -> [W; 2] {
        self.export_scales[log_n as usize]
    }

    /// Checks that what kernels read and write in transforms of block `index` of a level of blocks of `len`
    /// points is there: a kernel's pointers rest on it.
    ///
    /// # Panics
    /// If the tables do not reach the block, or it is no power of two from a square on.
    pub(crate) fn check_block(&self, len: usize, index: usize) {
        let whole = self.points.next_power_of_two();
        assert!(
            len.is_power_of_two() && len >= self.shape.square() && index < whole / len,
            "block {index} of {len} points, for tables of {whole}"
        );
    }

    /// Checks that there are multipliers for transforms that stop at as many blocks.
    ///
    /// # Panics
    /// If there are not.
    pub(crate) fn check_rows(&self, height: usize) {
        let roots = self.roots.len() / self.shape.words;
        assert!(
            height.is_power_of_two() && height / 2 <= roots,
            "{height} blocks, for {roots} multipliers"
        );
    }

    /// Checks that this number of points is a multiple of a vector, as kernels assume.
    ///
    /// # Panics
    /// If they are not.
    pub(crate) fn check_vectors(&self, count: usize) {
        assert!(count.is_multiple_of(self.shape.lanes), "whole vectors");
    }

    pub(crate) fn view(&self) -> View<W> {
        View {
            roots: self.roots.as_ptr(),
            roots_plane: self.roots.len() / self.shape.words,
            first_inverses: self.first_inverses.as_ptr(),
            one_half: self.one_half.as_ptr(),
            squares: self.squares.as_ptr(),
            squares_plane: (self.squares.len() - PADDING) / self.shape.words,
            first_square_inverse: self.first_square_inverse.as_ptr(),
            lanes: self.shape.lanes,
        }
    }

    /// Bytes that the tables take, about.
    pub(crate) fn bytes(&self) -> usize {
        (self.roots.len() + self.squares.len()) * size_of::<W>()
    }
}

/// Whether tables have the multipliers of square blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Squares {
    Written,
    /// For transforms that stop before.
    LeftOut,
}

/// Computes tables.
pub(super) struct Build<'a, F: LanesField> {
    field: &'a F,
    points: usize,
    shape: Shape,
    squares: Squares,
    /// The roots of orders 1, 2, 4 …, as many as there are.
    units: Vec<F::Elem>,
}

impl<'a, F: LanesField> Build<'a, F> {
    /// Tables of this shape for transforms of up to `points` points.
    pub(super) fn new(field: &'a F, points: usize, shape: Shape, squares: Squares) -> Self {
        // Each is the square of the next: only the last one has to be searched for.
        let top = field.two_adicity();
        let last = field.root_of_unity(top).unwrap_or(field.one());
        let square = |root: &F::Elem| Some(field.mul(*root, *root));
        let mut units: Vec<_> = std::iter::successors(Some(last), square)
            .take(top as usize + 1)
            .collect();
        units.reverse();
        Self {
            field,
            points,
            shape,
            squares,
            units,
        }
    }

    /// Which of the `len` entries from number `len` on are read, as two ranges counted from there:
    /// those of the blocks that truncated transforms reach, and their mirror images for the
    /// inverses. `blocks` is how many entries the tables have.
    fn read(&self, len: usize, blocks: usize) -> [Range<usize>; 2] {
        let step = self.shape.lanes;
        let part = self.points.next_power_of_two() / blocks;
        let reached = self.points.div_ceil(part).saturating_sub(len);
        let reached = reached.next_multiple_of(step).min(len);
        [0..reached, (len - reached).max(reached)..len]
    }

    /// The root of order 2^log, if it exists; entries of others are not read.
    fn root(&self, log: u32) -> F::Elem {
        let root = self.units.get(log as usize).copied();
        root.unwrap_or(self.field.one())
    }

    /// t_j by its definition.
    fn multiplier(&self, j: usize) -> F::Elem {
        let mut product = self.field.one();
        for bit in 0..usize::BITS - j.leading_zeros() {
            if j >> bit & 1 == 1 {
                product = self.field.mul(product, self.root(bit + 2));
            }
        }
        product
    }

    /// −1/t_j.
    fn negated_inverse(&self, j: usize) -> F::Elem {
        if j == 0 {
            self.field.neg(self.field.one())
        } else {
            self.multiplier(mirror(j))
        }
    }
}

/// A root as a multiplier in all lanes.
#[inline(always)]
fn multiplier<L: Lanes>(lanes: L, root: u64) -> L::Twiddle {
    let mut entry = [L::Word::default(); 2];
    lanes.prepare(root, &mut entry[..L::TWIDDLE_WORDS]);
    // SAFETY: the entry has as many words as a multiplier, one in each plane.
    unsafe { lanes.splat_twiddle(entry.as_ptr(), 1) }
}

/// Writes the multipliers of the first vector times `root` as the second. A function, for closures are not compiled
/// for the instruction set of what they are called by.
#[inline(always)]
fn advance<L: Lanes>(
    lanes: L,
    table: &mut [L::Word],
    [from, to]: [usize; 2],
    plane: usize,
    root: L::Twiddle,
) {
    let end = from.max(to) + L::LANES + (L::TWIDDLE_WORDS - 1) * plane;
    assert!(end <= table.len(), "vectors within the table");
    let table = table.as_mut_ptr();
    // SAFETY: in all planes both vectors lie within the table, as just checked.
    unsafe { lanes.advance_twiddles(table.add(from), table.add(to), plane, root) }
}

impl<F: LanesField> LanesTask<F::Elem> for Build<'_, F> {
    type Output = Tables<F::Elem>;

    #[inline(always)]
    fn run<L: Lanes<Word = F::Elem>>(self, lanes: L) -> Tables<F::Elem> {
        let (l, words) = (L::LANES, L::TWIDDLE_WORDS);
        let zero = F::Elem::default();
        let write = |table: &mut [F::Elem], at: usize, plane: usize, value: F::Elem| {
            let mut entry = [zero; 2];
            lanes.prepare(self.field.to_word(value), &mut entry[..words]);
            for (word, &entry) in entry[..words].iter().enumerate() {
                table[at + word * plane] = entry;
            }
        };

        // The last level above the rows of squares has N/(2L) blocks.
        let n = self.points.next_power_of_two();
        let count = (n / (2 * l)).max(l);
        let mut roots = vec![zero; count * words];
        for j in 0..l {
            write(&mut roots, j, count, self.multiplier(j));
        }
        for m in l.trailing_zeros()..count.trailing_zeros() {
            let root = multiplier(lanes, self.field.to_word(self.root(m + 2)));
            for i in self
                .read(1 << m, count)
                .into_iter()
                .flat_map(|r| r.step_by(l))
            {
                advance(lanes, &mut roots, [i, (1 << m) + i], count, root);
            }
        }

        let blocks = match self.squares {
            Squares::Written => n / (l * l),
            Squares::LeftOut => 0,
        };
        let levels = match blocks {
            0 => 0,
            _ => l.trailing_zeros(),
        };
        let vectors = l - 1;
        let plane = blocks * vectors * l;
        let mut squares = vec![zero; plane * words + PADDING];
        let mut first_square_inverse = vec![zero; vectors * l * words + PADDING];
        for level in 0..levels {
            for index in 0..1usize << level {
                let position = (1 << level) - 1 + index;
                for row in 0..l {
                    let (j, at) = ((row << level) + index, position * l + row);
                    write(&mut squares, at, plane, self.multiplier(j));
                    let mirrored_position = (1 << level) - 1 + ((1 << level) - 1 - index);
                    let mirrored = mirrored_position * l + (l - 1 - row);
                    let inverse = self.negated_inverse(j);
                    write(&mut first_square_inverse, mirrored, vectors * l, inverse);
                }
                for m in 0..blocks.trailing_zeros() {
                    let root = self.root(m + l.trailing_zeros() + level + 2);
                    let root = multiplier(lanes, self.field.to_word(root));
                    for block in self.read(1 << m, blocks).into_iter().flatten() {
                        let at = |block: usize| (block * vectors + position) * l;
                        let vectors = [at(block), at((1 << m) + block)];
                        advance(lanes, &mut squares, vectors, plane, root);
                    }
                }
            }
        }

        let first = first_inverses_len(l);
        let mut first_inverses = vec![zero; first * words];
        for parts in (0..first.trailing_zeros()).map(|log| 1 << log) {
            for k in 0..parts {
                let inverse = self.negated_inverse(k);
                write(&mut first_inverses, 2 * parts - 1 - k, first, inverse);
            }
        }
        let one_half_value = self.field.inv(self.field.from_u64(2)).unwrap_or_default();
        // Both are products of units.
        let factor = self.field.inv(self.field.from_word(lanes.mul_factor()));
        let mut scale = factor.unwrap_or(self.field.one());
        let export_scales = (0..=n.trailing_zeros()).map(|_| {
            let mut entry = [zero; 2];
            lanes.prepare(self.field.to_word(scale), &mut entry[..words]);
            scale = self.field.mul(scale, one_half_value);
            entry
        });
        let export_scales = export_scales.collect();
        let mut one_half = vec![zero; words];
        write(&mut one_half, 0, 1, one_half_value);
        debug_assert!(l <= MAX_LANES);
        Tables {
            points: self.points,
            shape: self.shape,
            roots,
            first_inverses,
            one_half,
            squares,
            first_square_inverse,
            export_scales,
        }
    }
}

/// The table entry of a multiplier.
pub(crate) struct Prepare {
    /// A canonical residue.
    pub(crate) value: u64,
}

impl<W: Copy + Default> LanesTask<W> for Prepare {
    type Output = [W; 2];

    #[inline(always)]
    fn run<L: Lanes<Word = W>>(self, lanes: L) -> [W; 2] {
        let mut entry = [W::default(); 2];
        lanes.prepare(self.value, &mut entry[..L::TWIDDLE_WORDS]);
        entry
    }
}

/// The factor of a pointwise product, a canonical residue.
pub(crate) struct ProductFactor;

impl<W> LanesTask<W> for ProductFactor {
    type Output = u64;

    #[inline(always)]
    fn run<L: Lanes<Word = W>>(self, lanes: L) -> u64 {
        lanes.mul_factor()
    }
}
