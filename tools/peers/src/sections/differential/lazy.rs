//! What fields of word size do beside: residues that are only almost reduced, prepared multipliers, and the fixed roots
//! of unity; against GMP.

use rug::Integer;
use sunzi_dft::TransformField;
use sunzi_field::{Fp32, Fp50, Fp64};

use super::fields::{Residues, word_root};
use super::trial::Trial;
use super::twin::{FieldCase, Peered, Twin};

/// Fields with lazy residues and prepared multipliers.
pub trait LazyField: Peered + TransformField {
    /// For a residue w and words x and y: the factor, then x·w by two ways, x·w + y·w and x·w − y·w, canonical; and
    /// whether what is lazy stayed below 2p.
    fn lazily(&self, w: Self::Elem, x: u64, y: u64) -> ([Self::Elem; 5], bool);

    /// Bits of words.
    const BITS: u32;
}

macro_rules! lazy_field {
    ($field:ty, $word:ty) => {
        impl LazyField for $field {
            fn lazily(&self, w: $word, x: u64, y: u64) -> ([$word; 5], bool) {
                let multiplier = self.prepare(w);
                let (x, y) = (x as $word, y as $word);
                let [a, b] = [x, y].map(|word| self.mul_lazy(word, multiplier));
                let (sum, difference) = (self.add_lazy(a, b), self.sub_lazy(a, b));
                let all = [a, b, sum, difference];
                let below = |lazy| u64::from(lazy) < 2 * u64::from(self.prime());
                let in_range = all.iter().all(|lazy| below(lazy.representative()));
                let again = self.canonical(self.add_lazy(self.lazy(self.canonical(a)), b));
                let results = [
                    multiplier.factor(),
                    self.mul_prepared(x, multiplier),
                    self.canonical(a),
                    again,
                    self.canonical(difference),
                ];
                (results, in_range && self.canonical(sum) == again)
            }

            const BITS: u32 = <$word>::BITS;
        }
    };
}

lazy_field!(Fp32, u32);
lazy_field!(Fp50, u64);
lazy_field!(Fp64, u64);

pub fn cases<F: LazyField>() -> Vec<FieldCase<F>> {
    vec![
        FieldCase::alone("lazy", lazy),
        FieldCase::alone("root-of-unity", word_root),
    ]
}

/// Chains of products by prepared multipliers, of any words.
fn lazy<F: LazyField>(twin: &Twin<F>, trial: &mut Trial) {
    let residues = Residues::of(twin);
    for w in twin.operand(trial, 8) {
        let words = trial.limbs(2);
        let [x, y] = [words[0], words[1]].map(|word| word >> (64 - F::BITS));
        let (ours, in_range) = twin.field().lazily(w, x, y);
        let w = residues.integers(twin, &[w]).remove(0);
        let [a, b] = [x, y].map(|word| Integer::from(&w * word));
        let sum = Integer::from(&a + &b);
        let difference = Integer::from(&a - &b);
        let theirs = residues.rows([w, a.clone(), a, sum, difference].into_iter());
        let what = format!("{x} and {y} by a prepared multiplier");
        trial.check(&format!("{what}: below 2p, and sums agree"), in_range);
        twin.compare_rows(trial, &what, &ours, &theirs);
    }
}
