//! Products, divisions, greatest common divisors and values of polynomials modulo a prime of a word.

use super::{Asked, Ours, count, failed, ms, tried};
use crate::gpu::case::Problem;
use crate::gpu::rig::Rig;
use crate::subject::Sample;
use std::hint::black_box;
use sunzi::engine::{DeviceChoice, Engine};
use sunzi::field::AnyField;
use sunzi::gpu::{Buffer, Device, NttContext, Selection, Stream, Word};
use sunzi::poly::{Algorithm, AnyPoly, AnyPolyRing};
use sunzi_files::failure::Failure;
use sunzi_gpu::euclid::{EuclidConfig, EuclidContext};
use sunzi_gpu::schoolbook::SchoolbookContext;
use sunzi_measure::Work;

/// The greatest prime of the thesis of 2013.
const PRIME: u64 = 469_762_049;
/// Degrees of Figures 9.3 and 9.4.
const DEGREES: &[usize] = &[1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 10_000];
/// A case after one that took longer is left out.
const LONGEST: f64 = 10.0;

/// A ring, random polynomials over it, and what computes.
pub(super) struct Bench {
    pub ring: AnyPolyRing,
    sample: Sample,
    pub engine: Engine,
}

impl Bench {
    fn new(asked: &Asked<'_>, ours: &mut Ours) -> Result<Self, Failure> {
        Self::by(asked.engine(ours)?)
    }

    fn on_the_processor() -> Result<Self, Failure> {
        Self::by(Engine::new(DeviceChoice::Cpu).map_err(failed)?)
    }

    pub fn by(engine: Engine) -> Result<Self, Failure> {
        let field = AnyField::modulo_word(PRIME).map_err(failed)?;
        Ok(Self {
            ring: AnyPolyRing::new(&field),
            sample: Sample::new(PRIME),
            engine,
        })
    }

    pub fn residues(&mut self, count: usize) -> Vec<u64> {
        (0..count).map(|_| self.sample.below(PRIME)).collect()
    }

    /// A polynomial of this degree.
    pub fn polynomial(&mut self, degree: usize) -> Result<AnyPoly, Failure> {
        let mut residues = self.residues(degree + 1);
        residues[degree] = residues[degree].max(1);
        self.ring.polynomial(residues).map_err(failed)
    }
}

/// Tables 8.2 and 8.3: by definition, and by transforms.
pub fn plain_products(asked: &Asked<'_>) -> Result<Ours, Failure> {
    let mut ours = Ours::of(&["by definition, s", "by transforms, s"]);
    let rig = match asked.device {
        DeviceChoice::Cpu => None,
        DeviceChoice::Auto => Rig::open(Selection::Gpu, asked.seconds).ok(),
        DeviceChoice::Only(wanted) => Some(Rig::open(wanted, asked.seconds).map_err(failed)?),
    };
    if let Some(rig) = &rig {
        ours.on(rig.device.info());
        ours.notes
            .push("Operands are on the device; copies are left out.".to_owned());
    }
    let mut bench = Bench::on_the_processor()?;
    for row in asked.rows(2) {
        let degrees = row.iter().take(asked.entry.keys.len()).map(count);
        let degrees: Vec<usize> = degrees.collect::<Result<_, _>>()?;
        let (a, b) = (degrees[0], degrees.get(1).copied().unwrap_or(degrees[0]));
        let (a, b) = (bench.polynomial(a)?, bench.polynomial(b)?);
        let times = match &rig {
            Some(rig) => match on_a_device(rig, &bench.ring, &a, &b) {
                Ok(times) => times.map(Some).into(),
                Err(Problem::Gpu(error)) => return Err(failed(error)),
                Err(Problem::Other(failure)) => return Err(failure),
            },
            None => {
                let (engine, ring) = (&bench.engine, &bench.ring);
                let by = |ours: &mut Ours, algorithm| {
                    let pair = [&a, &b];
                    tried(ours, engine, move || {
                        engine.multiply_residues(ring, &[pair], Some(algorithm))
                    })
                };
                let mut works = [
                    by(&mut ours, Algorithm::Schoolbook)?,
                    by(&mut ours, Algorithm::Ntt)?,
                ];
                asked.time(&mut works).into_iter().map(Some).collect()
            }
        };
        let keys = degrees.iter().map(usize::to_string).collect();
        ours.push_row(keys, times);
    }
    Ok(ours)
}

/// Seconds of a product by definition and by transforms on a device; both are checked first.
fn on_a_device(
    rig: &Rig,
    ring: &AnyPolyRing,
    a: &AnyPoly,
    b: &AnyPoly,
) -> Result<[f64; 2], Problem> {
    let (device, stream) = (&rig.device, &rig.stream);
    let expected = narrow(&ring.mul(a, b).map_err(failed)?);
    let [x, y] = [a, b].map(narrow);
    let check = |found: &[u32], way: &str| match found[..expected.len()] == expected {
        true => Ok(()),
        false => Err(failed(format!(
            "the product by {way} on the device is wrong"
        ))),
    };
    let plain = SchoolbookContext::new(device, Word::U32, PRIME, x.len(), y.len(), 1)?;
    let operands = (device.filled(stream, &x)?, device.filled(stream, &y)?);
    let mut product = device.buffer::<u32>(expected.len())?;
    let multiply = |stream: &Stream, product: &mut Buffer<u32>| {
        plain.multiply(
            stream,
            (&operands.0, 0),
            (&operands.1, 0),
            (product, 0),
            1,
            false,
        )
    };
    multiply(stream, &mut product)?;
    let mut found = vec![0; expected.len()];
    stream.read(&product, &mut found)?;
    check(&found, "definition")?;

    let points = expected.len().next_power_of_two();
    let context = NttContext::new(device, Word::U32, PRIME, points.ilog2())?;
    let padded = |x: &[u32]| -> Vec<u32> {
        let zeros = std::iter::repeat(0);
        x.iter().copied().chain(zeros).take(points).collect()
    };
    let mut left = device.filled(stream, &padded(&x))?;
    let mut right = device.filled(stream, &padded(&y))?;
    context.convolve(stream, &mut left, 0, &mut right, 0, 1, 1)?;
    let mut found = vec![0; points];
    stream.read(&left, &mut found)?;
    check(&found, "transforms")?;

    // Again and again of what came before: residues, as the operands were.
    let (product, left, right) = (&mut product, &mut left, &mut right);
    let timings = rig.time(&mut [
        rig.work(|stream| multiply(stream, product)),
        rig.work(|stream| context.convolve(stream, left, 0, right, 0, 1, 1)),
    ])?;
    Ok([timings[0].median, timings[1].median])
}

/// Table 1 of 2009: batches of cyclic convolutions on a device, whose products are counted as there, 2.5·N·log2 N for each
/// of three transforms and 2·N between them.
pub fn convolutions(asked: &Asked<'_>) -> Result<Ours, Failure> {
    let mut ours = Ours::of(&["time, ms", "GMul/s"]);
    let rig = Rig::open(asked.selection()?, asked.seconds).map_err(failed)?;
    ours.on(rig.device.info());
    let mut bench = Bench::on_the_processor()?;
    for row in asked.rows(1) {
        let (points, batch) = (count(&row[0])?, count(&row[1])?);
        let seconds = match convolution(&rig, &mut bench, points, batch) {
            Ok(seconds) => seconds,
            Err(Problem::Gpu(error)) => {
                let what = format!("{batch} convolutions of {points} points");
                ours.notes.push(format!("{what}: left out: {error}."));
                continue;
            }
            Err(Problem::Other(failure)) => return Err(failure),
        };
        let n = points as f64;
        let products = batch as f64 * (7.5 * n * n.log2() + 2.0 * n);
        let values = vec![ms(seconds), Some(products / seconds / 1e9)];
        ours.push([&points, &batch], values);
    }
    Ok(ours)
}

/// Seconds of a batch, of which the first is checked: operands of half the points, so that the convolution is the product.
fn convolution(rig: &Rig, bench: &mut Bench, points: usize, batch: usize) -> Result<f64, Problem> {
    let (device, stream) = (&rig.device, &rig.stream);
    let half = points / 2;
    let mut operand = || -> Vec<u32> {
        let vectors = (0..batch).flat_map(|_| {
            let residues = bench.residues(half).into_iter();
            let zeros = std::iter::repeat_n(0, points - half);
            residues.map(|residue| residue as u32).chain(zeros)
        });
        vectors.collect()
    };
    let operands = [operand(), operand()];
    let first = |operand: &[u32]| {
        let residues = operand[..half].iter().map(|&residue| u64::from(residue));
        bench.ring.polynomial(residues.collect()).map_err(failed)
    };
    let (a, b) = (first(&operands[0])?, first(&operands[1])?);
    let expected = bench.ring.mul(&a, &b).map_err(failed)?;
    let context = NttContext::new(device, Word::U32, PRIME, points.ilog2())?;
    let mut left = device.filled(stream, &operands[0])?;
    let mut right = device.filled(stream, &operands[1])?;
    context.convolve(stream, &mut left, 0, &mut right, 0, batch, batch)?;
    let mut found = vec![0; points * batch];
    stream.read(&left, &mut found)?;
    let rows = expected.rows();
    let mut pairs = found.iter().zip(rows.iter());
    if pairs.any(|(&found, &expected)| u64::from(found) != expected) {
        return Err(failed("a convolution on the device is wrong").into());
    }
    // Again and again of what came before: residues, as the operands were.
    let (left, right) = (&mut left, &mut right);
    let work = rig.work(|stream| context.convolve(stream, left, 0, right, 0, batch, batch));
    Ok(rig.time(&mut [work])?[0].median)
}

/// The binary logarithms of a table's rows, as long as a case before took not too long.
pub(super) fn logs(asked: &Asked<'_>) -> Result<Vec<u32>, Failure> {
    let logs = asked.rows(2).iter().map(|row| Ok(count(&row[0])? as u32));
    logs.collect()
}

/// Whether the next size is left out, which then is told.
pub(super) fn is_too_long(ours: &mut Ours, log: u32, last: f64) -> bool {
    let long = last > LONGEST;
    if long {
        ours.notes.push(format!(
            "K = {log} and more are left out: the last took longer than {LONGEST} s."
        ));
    }
    long
}

/// Table 10.2.
pub fn products_by_transforms(asked: &Asked<'_>) -> Result<Ours, Failure> {
    let mut ours = Ours::of(&["product, s"]);
    let mut bench = Bench::new(asked, &mut ours)?;
    let mut last = 0.0;
    for log in logs(asked)? {
        if is_too_long(&mut ours, log, last) {
            break;
        }
        let (a, b) = (bench.polynomial(1 << log)?, bench.polynomial(1 << log)?);
        let (engine, ring) = (&bench.engine, &bench.ring);
        let product = tried(&mut ours, engine, || {
            engine.multiply_residues(ring, &[[&a, &b]], None)
        })?;
        last = asked.time(&mut [product])[0];
        ours.push([&log], vec![Some(last)]);
    }
    Ok(ours)
}

/// Figure 9.3: dividends of twice the degree.
pub fn divisions(asked: &Asked<'_>) -> Result<Ours, Failure> {
    let mut ours = Ours::of(&["division, s"]);
    let mut bench = Bench::new(asked, &mut ours)?;
    for &degree in asked.sizes(DEGREES, &[200]) {
        let (a, b) = (bench.polynomial(degree)?, bench.polynomial(degree / 2)?);
        let (engine, ring) = (&bench.engine, &bench.ring);
        let work = tried(&mut ours, engine, || engine.divrem_all(ring, &[[&a, &b]]))?;
        let times = asked.time(&mut [work]);
        ours.push([&degree], vec![Some(times[0])]);
    }
    Ok(ours)
}

/// Steps of a round of Euclid's algorithm on a device: those of the thesis, and the fewest that ours can do.
const STEPS: [usize; 2] = [512, 2];
/// Coefficients above which a pair is taken by rounds where these are to be measured.
const SHORT: usize = 256;

/// Table 9.1 and Figure 9.4: as divisors are computed; on a device by rounds of many and of few steps, too.
pub fn divisors(asked: &Asked<'_>) -> Result<Ours, Failure> {
    let mut ours = Ours::of(&[
        "greatest common divisor, s",
        "by rounds of 512 steps, s",
        "by rounds of 2 steps, s",
    ]);
    let device = asked.opened(&mut ours)?;
    let mut bench = match &device {
        Some(device) => Bench::by(Engine::on(device))?,
        None => Bench::on_the_processor()?,
    };
    let rows = asked.rows(1).iter();
    let rows = rows.map(|row| Ok((count(&row[0])?, count(&row[1])?)));
    let mut sizes: Vec<(usize, usize)> = rows.collect::<Result<_, Failure>>()?;
    if sizes.is_empty() {
        let degrees = asked.sizes(DEGREES, &[200]).iter();
        sizes = degrees.map(|&degree| (degree, degree)).collect();
    }
    for (n, m) in sizes {
        let (a, b) = (bench.polynomial(n)?, bench.polynomial(m)?);
        let (engine, ring) = (&bench.engine, &bench.ring);
        let work = tried(&mut ours, engine, || engine.gcd_all(ring, &[[&a, &b]]))?;
        let mut times = vec![Some(asked.time(&mut [work])[0])];
        for steps in STEPS {
            let rounds = |device| by_rounds(asked, device, ring, [&a, &b], steps);
            times.push(device.as_ref().map(rounds).transpose()?);
        }
        ours.push([&n, &m], times);
    }
    Ok(ours)
}

/// Seconds of a greatest common divisor by rounds of so many steps on a device, with copies; it is checked first.
fn by_rounds(
    asked: &Asked<'_>,
    device: &Device,
    ring: &AnyPolyRing,
    [a, b]: [&AnyPoly; 2],
    steps: usize,
) -> Result<f64, Failure> {
    let usual = EuclidConfig::for_device(device.info(), Word::U32, SHORT);
    let config = EuclidConfig {
        row: usual.row.min(SHORT),
        steps,
        ..usual
    };
    let context = EuclidContext::with_config(device, Word::U32, PRIME, config).map_err(failed)?;
    let stream = device.stream().map_err(failed)?;
    let [x, y] = [a, b].map(narrow);
    let find = || context.gcd_all(&stream, &[[&x[..], &y[..]]]);
    let found = find().map_err(failed)?;
    if found[0] != narrow(&ring.gcd(a, b).map_err(failed)?) {
        let what = format!("the divisor by rounds of {steps} steps");
        return Err(failed(format!("{what} on the device is wrong")));
    }
    let work: Work = Box::new(|times: usize| {
        for _ in 0..times {
            let _ = black_box(find());
        }
    });
    Ok(asked.time(&mut [work])[0])
}

/// Residues of 31 bits in words of 32.
fn narrow(polynomial: &AnyPoly) -> Vec<u32> {
    let rows = polynomial.rows();
    rows.iter().map(|&residue| residue as u32).collect()
}

/// Tables 10.1 and 10.3: values at 2^K points and interpolation there, with trees of their own.
pub fn trees(asked: &Asked<'_>) -> Result<Ours, Failure> {
    let mut ours = Ours::of(&[
        "evaluation, s",
        "interpolation, s",
        "product, s",
        "evaluation over K products",
    ]);
    let mut bench = Bench::new(asked, &mut ours)?;
    let mut last = 0.0;
    for log in logs(asked)? {
        if is_too_long(&mut ours, log, last) {
            break;
        }
        let points = 1_usize << log;
        let places: Vec<u64> = (0..points as u64).collect();
        let (f, g) = (bench.polynomial(points - 1)?, bench.polynomial(points - 1)?);
        let values = [bench.residues(points)];
        let (engine, ring) = (&bench.engine, &bench.ring);
        let tree = || engine.subproduct_tree(ring, places.clone());
        let mut works = [
            tried(&mut ours, engine, || tree()?.evaluate_all(&[&f]))?,
            tried(&mut ours, engine, || tree()?.interpolate_all(&values))?,
            tried(&mut ours, engine, || {
                engine.multiply_residues(ring, &[[&f, &g]], None)
            })?,
        ];
        let times = asked.time(&mut works);
        last = times[0];
        let ratio = times[0] / (times[2] * f64::from(log));
        let times = times.into_iter().chain([ratio]).map(Some);
        ours.push([&log], times.collect());
    }
    Ok(ours)
}
