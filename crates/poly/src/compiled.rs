//! Where algorithms over a field are compiled: in this crate, once for each field.
//!
//! What is generic is compiled by the crate that uses it, once more by every one, and in as many units as it happens to be
//! built in. So methods of rings, divisors and trees call their algorithm by a pointer. A table of pointers belongs to each
//! field, and its function [`CoefficientField::compiled`] is never inlined: only this crate sees what is behind them.

use sunzi_dft::Convolution;

use crate::division::{Divisor, Slices};
use crate::error::PolyError;
use crate::gcd::{ExtendedGcd, SquareFreeFactors};
use crate::multiplier::CoefficientField;
use crate::poly::Poly;
use crate::ring::PolyRing;
use crate::subresultants::SubresultantChain;
use crate::tree::SubproductTree;
use crate::tree::remainders::RemainderTree;
use crate::tree::subinverse::SubinverseTree;

/// A table of functions, and the one that has the library's algorithms.
macro_rules! compiled {
    ($($name:ident: fn($($argument:ty),*) -> $result:ty = $function:expr;)*) => {
        /// The algorithms over one field, as compiled in this crate.
        pub struct Compiled<F: CoefficientField> {
            $(pub(crate) $name: fn($($argument),*) -> Result<$result, PolyError>,)*
        }

        impl<F: CoefficientField> Compiled<F> {
            /// The only table of a field.
            pub const TABLE: Self = Self { $($name: $function,)* };
        }
    };
}

compiled! {
    gcd: fn(&PolyRing<F>, &Poly<F::Elem>, &Poly<F::Elem>) -> Poly<F::Elem> = PolyRing::gcd_here;
    xgcd: fn(&PolyRing<F>, &Poly<F::Elem>, &Poly<F::Elem>) -> ExtendedGcd<F::Elem> = PolyRing::xgcd_here;
    resultant: fn(&PolyRing<F>, &Poly<F::Elem>, &Poly<F::Elem>) -> F::Elem = PolyRing::resultant_here;
    square_free: fn(&PolyRing<F>, &Poly<F::Elem>) -> SquareFreeFactors<F::Elem> = PolyRing::square_free_here;
    subresultant_chain: fn(&PolyRing<F>, &Poly<F::Elem>, &Poly<F::Elem>) -> SubresultantChain<F::Elem>
        = PolyRing::subresultant_chain_here;
    divide: fn(&PolyRing<F>, &[F::Elem], &[F::Elem]) -> Slices<F::Elem> = PolyRing::divide_here;
    divisor: fn(&PolyRing<F>, &[F::Elem], usize) -> Divisor<F> = Divisor::for_quotients_here;
    divide_by_divisor: fn(&Divisor<F>, &[F::Elem]) -> Slices<F::Elem> = Divisor::divide_here;
    inverse_series: fn(&PolyRing<F>, &[F::Elem], usize) -> Vec<F::Elem> = PolyRing::inverse_series_here;
    divide_series: fn(&PolyRing<F>, &[F::Elem], &[F::Elem], usize) -> Vec<F::Elem> = PolyRing::divide_series_here;
    tree: fn(&PolyRing<F>, &[F::Elem], u32) -> SubproductTree<F> = SubproductTree::with_threshold_here;
    evaluate: fn(&SubproductTree<F>, &Poly<F::Elem>) -> Vec<F::Elem> = SubproductTree::evaluate_here;
    prepare_evaluation: fn(&SubproductTree<F>) -> () = SubproductTree::prepare_evaluation_here;
    interpolate: fn(&SubproductTree<F>, &[F::Elem]) -> Poly<F::Elem> = SubproductTree::interpolate_here;
    linear_combination: fn(&SubproductTree<F>, &[F::Elem]) -> Poly<F::Elem>
        = SubproductTree::linear_combination_here;
    subinverse_tree: fn(&SubproductTree<F>) -> SubinverseTree<'_, F> = |tree| SubinverseTree::new_here(tree);
    evaluate_by_subinverses: fn(&SubinverseTree<'_, F>, &Poly<F::Elem>) -> Vec<F::Elem>
        = |tree, f| SubinverseTree::evaluate_here(tree, f);
    remainder_tree: fn(&PolyRing<F>, &[Poly<F::Elem>]) -> RemainderTree<F> = RemainderTree::new_here;
    remainders: fn(&RemainderTree<F>, &Poly<F::Elem>) -> Vec<Poly<F::Elem>> = RemainderTree::remainders_here;
    combine: fn(&RemainderTree<F>, &[Poly<F::Elem>]) -> Poly<F::Elem> = RemainderTree::combine_here;
    compose: fn(&PolyRing<F>, &Poly<F::Elem>, &Poly<F::Elem>) -> Poly<F::Elem> = PolyRing::compose_here;
    taylor_shift: fn(&PolyRing<F>, &Poly<F::Elem>, F::Elem) -> Poly<F::Elem> = PolyRing::taylor_shift_here;
    evaluate_at: fn(&PolyRing<F>, &Poly<F::Elem>, F::Elem) -> F::Elem = PolyRing::evaluate_at_here;
    evaluate_geometric: fn(&PolyRing<F>, &Poly<F::Elem>, F::Elem, F::Elem, usize) -> Vec<F::Elem>
        = PolyRing::evaluate_geometric_here;
    interpolate_geometric: fn(&PolyRing<F>, F::Elem, F::Elem, &[F::Elem]) -> Poly<F::Elem>
        = PolyRing::interpolate_geometric_here;
    pow: fn(&PolyRing<F>, &Poly<F::Elem>, u64) -> Poly<F::Elem> = PolyRing::try_pow_here;
    convolve: fn(&PolyRing<F>, &mut [F::Elem], &[F::Elem], &[F::Elem], Convolution) -> ()
        = PolyRing::convolve_here;
    mul_batch: fn(&PolyRing<F>, &mut [F::Elem], &[F::Elem], &[F::Elem], usize, usize) -> ()
        = PolyRing::mul_batch_here;
}
