//! Products of polynomials and transforms modulo r^k + 1 on devices.

use super::EngineError;
use super::on_device::OnDevice;
use super::residues::{OnDevices, Pair};
use crate::{
    field::{Digits, GeneralizedFermat, Rows, TwoAdicField},
    poly::{AnyPoly, AnyPolyRing, CoefficientField, Poly, PolyError},
    transform::Direction,
};
use std::collections::BTreeMap;
use sunzi_gpu::GpuError;
use sunzi_gpu::big_prime::BigPrimeContext;
use sunzi_gpu::turns::RowTurns;

/// How devices multiply polynomials of this ring; none where it is not over a field modulo r^k + 1 that they know.
pub(super) fn multiplication(ring: &AnyPolyRing) -> Option<OnDevices> {
    fn over<const K: usize>(ring: &AnyPolyRing) -> Option<OnDevices>
    where
        GeneralizedFermat<K>: CoefficientField<Elem = Digits<K>> + Rows,
    {
        let ring = ring.over::<GeneralizedFermat<K>>()?;
        BigPrimeContext::knows(ring.field()).then_some(OnDevices {
            words: K * (size_of::<u64>() / size_of::<u32>()),
            multiply: OnDevice::multiply_digits::<K>,
            unasked: false,
        })
    }
    let fields = [
        over::<2>,
        over::<4>,
        over::<8>,
        over::<16>,
        over::<32>,
        over::<64>,
        over::<128>,
        over::<256>,
    ];
    fields.iter().find_map(|over| over(ring))
}

/// 2^n: the points of the transforms that a product of operands which are not empty takes.
fn log_points(operands: [usize; 2]) -> u32 {
    let [a, b] = operands;
    (a + b - 1).next_power_of_two().ilog2()
}

impl OnDevice {
    /// Products by cyclic convolutions, all of those at a time that take as many points.
    fn multiply_digits<const K: usize>(
        &self,
        ring: &AnyPolyRing,
        pairs: &[Pair<'_>],
    ) -> Result<Vec<AnyPoly>, EngineError>
    where
        GeneralizedFermat<K>: CoefficientField<Elem = Digits<K>> + Rows,
    {
        let ring = ring.over::<GeneralizedFermat<K>>();
        let field = ring.ok_or(PolyError::OtherField)?.field();
        let mut operands = Vec::with_capacity(pairs.len());
        let mut by_points = BTreeMap::<u32, Vec<usize>>::new();
        for (row, [a, b]) in pairs.iter().enumerate() {
            let pair = [
                a.over::<GeneralizedFermat<K>>()?,
                b.over::<GeneralizedFermat<K>>()?,
            ];
            let pair = pair.map(Poly::coefficients);
            if pair.iter().all(|operand| !operand.is_empty()) {
                let log_n = log_points(pair.map(<[_]>::len));
                by_points.entry(log_n).or_default().push(row);
            }
            operands.push(pair);
        }
        let mut products = vec![AnyPoly::new::<GeneralizedFermat<K>>(Poly::zero()); pairs.len()];
        for (log_n, rows) in by_points {
            let alike: Vec<_> = rows.iter().map(|&row| operands[row]).collect();
            let found = self.convolve_digits(field, log_n, &alike)?;
            for (row, product) in rows.into_iter().zip(found) {
                products[row] = AnyPoly::new::<GeneralizedFermat<K>>(Poly::new(product));
            }
        }
        Ok(products)
    }

    /// Products of operands that are not empty and together have at most 2^`log_n` + 1 coefficients.
    fn convolve_digits<const K: usize>(
        &self,
        field: &GeneralizedFermat<K>,
        log_n: u32,
        pairs: &[[&[Digits<K>]; 2]],
    ) -> Result<Vec<Vec<Digits<K>>>, EngineError>
    where
        GeneralizedFermat<K>: Rows<Elem = Digits<K>>,
    {
        let device = self.device();
        if log_n
            > field
                .two_adicity()
                .min(BigPrimeContext::<K>::MAX_LOG_POINTS)
        {
            return Err(EngineError::Gpu(GpuError::Limits {
                device: device.info().name.clone(),
                kernel: "a transform".to_owned(),
                reason: format!("there is none of 2^{log_n} points modulo this prime"),
            }));
        }
        let row = K << log_n;
        // Products come back in place of the second operands.
        let mut turns = RowTurns::new(device, pairs.len(), &[row; 2], 2)?;
        let context = BigPrimeContext::new(device, field, log_n, turns.piece())?;
        let mut products = Vec::with_capacity(pairs.len());
        turns.run(
            |side, rows, words| {
                for (pair, words) in pairs[rows].iter().zip(words.chunks_mut(row)) {
                    let operand = Digits::words_of(pair[side]);
                    let (kept, rest) = words.split_at_mut(operand.len());
                    kept.copy_from_slice(operand);
                    rest.fill(0);
                }
            },
            |stream, buffers, batch| match buffers {
                [a, b] => context.convolve(stream, (b, 0), (a, 0), batch, false),
                _ => unreachable!("there are two operands"),
            },
            |first, words| {
                for (pair, words) in pairs[first..].iter().zip(words.chunks(row)) {
                    let len = pair[0].len() + pair[1].len() - 1;
                    let product = words[..len * K].to_vec();
                    products.push(GeneralizedFermat::<K>::from_rows(product));
                }
            },
        )?;
        Ok(products)
    }

    /// Transforms of vectors of 2^`log_n` points.
    pub(super) fn transform_digits<const K: usize>(
        &self,
        field: &GeneralizedFermat<K>,
        log_n: u32,
        vectors: &[Vec<u64>],
        direction: Direction,
    ) -> Result<Vec<Vec<u64>>, EngineError> {
        let device = self.device();
        let row = K << log_n;
        let mut turns = RowTurns::new(device, vectors.len(), &[row], 1)?;
        let context = BigPrimeContext::new(device, field, log_n, turns.piece())?;
        let mut found = Vec::with_capacity(vectors.len());
        turns.run(
            |_, rows, words| {
                for (vector, words) in vectors[rows].iter().zip(words.chunks_mut(row)) {
                    words.copy_from_slice(vector);
                }
            },
            |stream, buffers, batch| {
                let data = (&mut buffers[0], 0);
                match direction {
                    Direction::Forward => context.forward(stream, data, batch),
                    Direction::Inverse => context.inverse(stream, data, batch),
                }
            },
            |_, words| found.extend(words.chunks(row).map(<[u64]>::to_vec)),
        )?;
        Ok(found)
    }
}
