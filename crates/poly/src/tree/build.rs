//! How a tree is built, from the leaves to the root.

use super::leaf;
use super::levels::{Level, for_each_chunk};
use crate::error::PolyError;
use crate::multiplier::CoefficientField;
use crate::ring::PolyRing;
use sunzi_machine::memory::Budget;

/// All levels of the tree with leaves of `span` points; none without points.
pub(super) fn levels<F: CoefficientField>(
    ring: &PolyRing<F>,
    points: &[F::Elem],
    span: usize,
) -> Result<Vec<Level<F>>, PolyError> {
    if points.is_empty() {
        return Ok(Vec::new());
    }
    Budget::system().require(bytes(ring, points.len(), span))?;
    let mut coefficients = vec![ring.field().zero(); points.len()];
    for_each_chunk(ring, &mut coefficients, span, span, &|leaf, out| {
        leaf::product(ring.field(), out, &points[leaf * span..][..out.len()]);
        Ok(())
    })?;
    let mut level = Level::new(ring, span, points.len(), coefficients);
    let mut levels = Vec::new();
    while level.nodes() > 1 {
        level.transform_nodes(ring)?;
        let above = above(ring, &level, points.len())?;
        levels.push(std::mem::replace(&mut level, above));
    }
    levels.push(level);
    Ok(levels)
}

/// The level above one that is transformed.
fn above<F: CoefficientField>(
    ring: &PolyRing<F>,
    below: &Level<F>,
    count: usize,
) -> Result<Level<F>, PolyError> {
    let (field, span) = (ring.field(), 2 * below.span);
    let mut coefficients = vec![field.zero(); count];
    for_each_chunk(
        ring,
        &mut coefficients,
        span,
        below.transform,
        &|node, out| {
            let left = 2 * node;
            if !below.is_paired(left) {
                out.copy_from_slice(&below.coefficients[below.range(left)]);
                return Ok(());
            }
            let degree = out.len();
            let mut product = vec![field.zero(); (degree + 1).min(below.transform)];
            let pair = [below.values(left), below.values(left + 1)];
            ring.multiplier()
                .sum_products(&mut product, below.transform, &[pair])?;
            let known = product.len() - 1;
            out[..known].copy_from_slice(&product[1..]);
            if known < degree {
                // The coefficient of x^N has come back to the constant term, which is 1 without it.
                out[known] = field.sub(product[0], field.one());
            }
            Ok(())
        },
    )?;
    Ok(Level::new(ring, span, count, coefficients))
}

/// About how many bytes a tree over `count` points takes. Saturating.
pub(super) fn bytes<F: CoefficientField>(ring: &PolyRing<F>, count: usize, span: usize) -> u64 {
    let element = size_of::<F::Elem>() as u64;
    let word = size_of::<u64>() as u64;
    let mut total = 0u64;
    let mut span = span;
    loop {
        total = total.saturating_add(element.saturating_mul(count as u64));
        let nodes = count.div_ceil(span);
        if nodes <= 1 {
            return total;
        }
        let words = ring.multiplier().value_words(ring.cyclic_points(2 * span)) as u64;
        let values = words.saturating_mul(nodes as u64).saturating_mul(word);
        total = total.saturating_add(values);
        span *= 2;
    }
}
