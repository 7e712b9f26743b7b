//! Products by transforms: on the device, with copies, and by the processor.

use super::case::{Case, Problem, wrong};
use super::rig::{Rig, processor};
use sunzi::gpu::{GpuError, Operand, ResidentPolynomials, TransformContext, TransformPlan};
use sunzi_measure::Work;

/// A batch of products by one plan, and what it should come to.
pub struct Product<'a> {
    pub section: &'static str,
    pub group: String,
    pub size: u64,
    pub plan: TransformPlan,
    pub pairs: Vec<[Vec<u32>; 2]>,
    /// The words of each product.
    pub expected: Vec<Vec<u32>>,
    /// The same by the processor.
    pub on_host: Work<'a>,
}

impl Product<'_> {
    /// Checks and times it.
    pub fn measure(self, rig: &Rig, what: &str) -> Result<Vec<Case>, Problem> {
        let plan = self.plan;
        let (device, stream) = (&rig.device, &rig.stream);
        let transforms = TransformContext::new(device, plan)?;
        let pairs: Vec<[Operand; 2]> = self
            .pairs
            .iter()
            .map(|[left, right]| {
                [
                    Operand::new(left, plan.left.words),
                    Operand::new(right, plan.right.words),
                ]
            })
            .collect();
        let side = |index: usize, form| {
            let operands: Vec<_> = pairs.iter().map(|pair| pair[index]).collect();
            ResidentPolynomials::upload(stream, form, &operands)
        };
        let (left, right) = (side(0, plan.left)?, side(1, plan.right)?);
        let mut resident = transforms.prepare_resident(stream, &left, &right)?;
        resident.run(stream)?;
        let found = resident.products().download(stream)?;
        check(what, found.iter().map(Vec::as_slice), &self.expected)?;
        drop(found);
        let mut rows = Vec::new();
        transforms.multiply(&pairs, |_, words| rows.push(words.to_vec()))?;
        check(what, rows.iter().map(Vec::as_slice), &self.expected)?;
        drop(rows);

        let words = |operands: &Vec<u32>| 4 * operands.len();
        let up = self.pairs.iter().flatten().map(words).sum();
        let down = self.expected.iter().map(words).sum();
        let (passes, floor) = floor(rig, &transforms, pairs.len(), up, down)?;
        let floors = [
            Some(floor),
            Some(rig.floor_with_copies(floor, [up, down])),
            None,
        ];
        let on_device = rig.work(|stream| resident.run(stream));
        let with_copies = rig.work(|_| transforms.multiply(&pairs, |_, _| ()));
        let timings = rig.time(&mut [on_device, with_copies, self.on_host])?;
        let names = ["device".to_owned(), "with copies".to_owned(), processor()];
        let threads = [1, 1, sunzi_machine::threads::count()];
        let rows = timings.into_iter().zip(names).zip(floors).zip(threads);
        Ok(rows
            .map(|(((timing, contender), floor), threads)| Case {
                section: self.section,
                group: self.group.clone(),
                size: self.size,
                batch: self.pairs.len() as u64,
                contender,
                threads,
                timing,
                floor,
                goal: None,
                operations: (self.pairs.len() * plan.points()) as f64,
                passes: floor.map(|_| passes),
                request: None,
            })
            .collect())
    }
}

/// The passes of a transform, and seconds that the device's memory takes for this many bytes of operands and products.
fn floor(
    rig: &Rig,
    transforms: &TransformContext,
    batch: usize,
    operands: usize,
    products: usize,
) -> Result<(usize, f64), GpuError> {
    let plan = transforms.plan();
    let passes = transforms.transform_plan(batch)?.passes().len();
    // For each word of residues: two projections are written; three transforms read and write in every pass; the inverse
    // reads what it multiplies by; recombination reads.
    let residues =
        4 * transforms.residue_words() * (2 + 3 * 2 * passes + 1 + 1) * (batch * plan.points());
    let bytes = (operands + residues + products) as f64;
    Ok((passes, rig.floor(bytes, 0.0)))
}

/// Compares all products.
fn check<'a>(
    what: &str,
    found: impl ExactSizeIterator<Item = &'a [u32]>,
    expected: &[Vec<u32>],
) -> Result<(), Problem> {
    if found.len() != expected.len() {
        return Err(wrong(what, found.len()));
    }
    let mut both = found.zip(expected);
    match both.position(|(found, expected)| found != expected) {
        Some(index) => Err(wrong(what, index)),
        None => Ok(()),
    }
}

/// Limbs as twice as many words.
pub fn words_of(limbs: &[u64]) -> Vec<u32> {
    let halves = |&limb: &u64| [limb as u32, (limb >> 32) as u32];
    limbs.iter().flat_map(halves).collect()
}
