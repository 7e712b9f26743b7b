//! Products of polynomials and transforms modulo r^k + 1 on devices.

use super::EngineError;
use super::on_device::OnDevice;
use super::residues::{OnDevices, Pair};
use crate::dft::Direction;
use crate::field::{Digits, GeneralizedFermat, Rows, TwoAdicField};
use crate::poly::{AnyPoly, AnyPolyRing, CoefficientField, Poly, PolyError};
use std::collections::BTreeMap;
use sunzi_gpu::GpuError;
use sunzi_gpu::big_prime::BigPrimeContext;

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
        let context = BigPrimeContext::new(device, field, log_n, pairs.len())?;
        let row = K << log_n;
        let stream = device.stream()?;
        let mut words = vec![0; pairs.len() * row];
        let mut upload = |side: usize| {
            words.fill(0);
            for (pair, words) in pairs.iter().zip(words.chunks_mut(row)) {
                let operand = Digits::words_of(pair[side]);
                words[..operand.len()].copy_from_slice(operand);
            }
            device.filled(&stream, &words)
        };
        let (mut a, mut b) = (upload(0)?, upload(1)?);
        context.convolve(&stream, (&mut a, 0), (&mut b, 0), pairs.len(), false)?;
        stream.read(&a, &mut words)?;
        let product = |(pair, words): (&[&[_]; 2], &[u64])| {
            let len = pair[0].len() + pair[1].len() - 1;
            GeneralizedFermat::<K>::from_rows(words[..len * K].to_vec())
        };
        Ok(pairs.iter().zip(words.chunks(row)).map(product).collect())
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
        let context = BigPrimeContext::new(device, field, log_n, vectors.len())?;
        let stream = device.stream()?;
        let mut words = vectors.concat();
        let mut data = device.filled(&stream, &words)?;
        match direction {
            Direction::Forward => context.forward(&stream, (&mut data, 0), vectors.len())?,
            Direction::Inverse => context.inverse(&stream, (&mut data, 0), vectors.len())?,
        }
        stream.read(&data, &mut words)?;
        Ok(words.chunks(K << log_n).map(<[u64]>::to_vec).collect())
    }
}
