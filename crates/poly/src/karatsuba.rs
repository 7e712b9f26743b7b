//! Karatsuba's product: three half-size products instead of four (Karatsuba and Ofman,
//! "Multiplication of multidigit numbers on automata", 1962).

use sunzi_field::Field;

/// The bytes that a product takes beside operands and result, where the shorter operand has `len` elements
/// with this number of bytes; saturating.
pub(crate) const fn scratch_bytes(len: usize, base_len: usize, element: usize) -> u64 {
    let piece_product = len.saturating_mul(2);
    let elements = scratch_len(len, base_len).saturating_add(piece_product);
    (elements as u64).saturating_mul(element as u64)
}

/// The elements of scratch that a product of operands of `len` coefficients takes: the sums of
/// halves and their product at every level, 4·⌈len/2⌉ − 1, then those of half the length;
/// saturating.
const fn scratch_len(len: usize, base_len: usize) -> usize {
    let (mut len, mut total) = (len, 0);
    while len > base_len {
        len = len.div_ceil(2);
        total = len.saturating_mul(4).saturating_add(total) - 1;
    }
    total
}

/// Products over one field by recursion down to `base_len` coefficients (at least 1).
pub struct Karatsuba<'a, F, B> {
    pub field: &'a F,
    /// `out = a · b` for operands of one length, which is not 0.
    pub base_case: B,
    pub base_len: usize,
}

impl<F, B> Karatsuba<'_, F, B>
where
    F: Field,
    B: Fn(&mut [F::Elem], &[F::Elem], &[F::Elem]),
{
    /// `out = a · b`, in any lengths but 0: the longer operand is cut into pieces of the length
    /// of the shorter one.
    pub fn multiply(&self, out: &mut [F::Elem], a: &[F::Elem], b: &[F::Elem]) {
        let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
        let zero = self.field.zero();
        let mut scratch = vec![zero; scratch_len(short.len(), self.base_len)];
        if long.len() == short.len() {
            return self.balanced(out, long, short, &mut scratch);
        }
        out.fill(zero);
        let mut piece_product = vec![zero; 2 * short.len() - 1];
        for (index, piece) in long.chunks(short.len()).enumerate() {
            let product = &mut piece_product[..piece.len() + short.len() - 1];
            if piece.len() == short.len() {
                self.balanced(product, piece, short, &mut scratch);
            } else {
                self.multiply(product, short, piece);
            }
            let start = index * short.len();
            let target = &mut out[start..start + product.len()];
            self.field.add_assign_slice(target, product);
        }
    }

    /// `out = a · b` for operands of one length.
    fn balanced(&self, out: &mut [F::Elem], a: &[F::Elem], b: &[F::Elem], scratch: &mut [F::Elem]) {
        let len = a.len();
        if len <= self.base_len || len == 1 {
            return (self.base_case)(out, a, b);
        }
        let field = self.field;
        let half = len.div_ceil(2);
        let ((a_low, a_high), (b_low, b_high)) = (a.split_at(half), b.split_at(half));
        // The outer products fill `out`, with one gap between them.
        let (low, rest) = out.split_at_mut(2 * half - 1);
        let (gap, high) = rest.split_at_mut(1);
        gap[0] = field.zero();
        self.balanced(low, a_low, b_low, scratch);
        self.balanced(high, a_high, b_high, scratch);

        let (a_sum, scratch) = scratch.split_at_mut(half);
        let (b_sum, scratch) = scratch.split_at_mut(half);
        let (middle, scratch) = scratch.split_at_mut(2 * half - 1);
        a_sum.copy_from_slice(a_low);
        b_sum.copy_from_slice(b_low);
        field.add_assign_slice(&mut a_sum[..len - half], a_high);
        field.add_assign_slice(&mut b_sum[..len - half], b_high);
        self.balanced(middle, a_sum, b_sum, scratch);
        field.sub_assign_slice(middle, low);
        field.sub_assign_slice(&mut middle[..high.len()], high);
        field.add_assign_slice(&mut out[half..half + 2 * half - 1], middle);
    }
}
