//! Greatest common divisors, determinants, and values at many points: with copies to the device and back, and by the processor.

use super::case::{Case, Findings, Problem, impossible, wrong};
use super::rig::{Rig, processor};
use super::transforms::PRIME_31;
use crate::subject::Sample;
use std::hint::black_box;
use sunzi::{
    engine::{Batch, DeviceChoice, Engine, EngineError},
    field::AnyField,
    matrix::AnyDenseMatrix,
    poly::{AnyPoly, AnyPolyRing},
};
use sunzi_files::failure::Failure;
use sunzi_measure::{Clock, Work, in_turn};

/// Coefficients of pairs, orders of matrices, and log2 of points; the first of each is measured in any case.
const COEFFICIENTS: [usize; 3] = [101, 1001, 10_001];
const ORDERS: [usize; 4] = [32, 200, 1000, 4000];
const LOG_POINTS: [u32; 4] = [8, 14, 17, 20];

/// Products for each byte that a case may have.
const PRODUCTS_A_BYTE: f64 = 16.0;

/// What an engine finds, as rows.
type Find<'a> = dyn Fn(&Engine) -> Result<Batch<Vec<u64>>, EngineError> + Sync + 'a;

/// Something that an engine does.
struct Task<'a> {
    group: &'static str,
    size: usize,
    batch: usize,
    /// Products modulo the prime, of two multiply-adds each at least.
    products: f64,
    /// Bytes to the device, and back.
    bytes: [usize; 2],
    find: &'a Find<'a>,
}

/// Times all that a case of the rig's size may hold.
pub fn measure(rig: &Rig, found: &mut Findings) -> Result<(), Failure> {
    let field = AnyField::modulo_word(PRIME_31).map_err(|error| failed(&error))?;
    let ring = AnyPolyRing::new(&field);
    let mut sample = Sample::new(31);
    let mut residues =
        |count: usize| -> Vec<u64> { (0..count).map(|_| sample.below(PRIME_31)).collect() };
    let is_small = |products: f64| products <= PRODUCTS_A_BYTE * rig.bytes as f64;

    let batch = rig.device.info().units.max(1);
    for len in COEFFICIENTS {
        let products = 3.0 * (len * len * batch) as f64;
        if len > COEFFICIENTS[0] && !is_small(products) {
            continue;
        }
        let polynomials = (0..2 * batch).map(|_| ring.polynomial(residues(len)));
        let polynomials: Vec<AnyPoly> = polynomials
            .collect::<Result<_, _>>()
            .map_err(|error| failed(&error))?;
        let pairs: Vec<_> = polynomials
            .chunks_exact(2)
            .map(|pair| [&pair[0], &pair[1]])
            .collect();
        let task = Task {
            group: "greatest common divisors",
            size: len,
            batch,
            products,
            bytes: [8 * len * batch, 4 * len * batch],
            find: &|engine| {
                let divisors = engine.gcd_all(&ring, &pairs)?;
                Ok(divisors.map(|divisor| divisor.rows().into_owned()))
            },
        };
        task.measure(rig, found)?;
    }
    for order in ORDERS {
        let products = (order * order * order) as f64 / 3.0;
        if order > ORDERS[0] && !is_small(products) {
            continue;
        }
        let matrix = AnyDenseMatrix::new(&field, order, order, residues(order * order));
        let matrix = matrix.map_err(|error| failed(&error))?;
        let task = Task {
            group: "determinant",
            size: order,
            batch: 1,
            products,
            bytes: [4 * order * order, 4],
            find: &|engine| engine.determinants(&[&matrix]),
        };
        task.measure(rig, found)?;
    }
    for log in LOG_POINTS {
        let points = 1_usize << log;
        // Transforms at each level, and leaves.
        let products = (points * 2 * (log * log + 512) as usize) as f64;
        if log > LOG_POINTS[0] && !is_small(products) {
            continue;
        }
        let places: Vec<u64> = (0..points as u64).collect();
        let f = ring.polynomial(residues(points));
        let f = f.map_err(|error| failed(&error))?;
        let values = residues(points);
        let engines = [Engine::on(&rig.device), on_processor()?];
        let trees = engines
            .each_ref()
            .map(|engine| engine.subproduct_tree(&ring, places.clone()));
        let [Ok(there), Ok(here)] = &trees else {
            let what = format!("a tree over {points} points");
            let problem = trees.into_iter().find_map(Result::err);
            found.take(
                &what,
                problem.map_or(Ok(Vec::new()), |error| Err(trouble(error))),
            )?;
            continue;
        };
        let of = |engine: &Engine| {
            if engine.device().is_some() {
                there
            } else {
                here
            }
        };
        let evaluation = Task {
            group: "values at points of a tree",
            size: points,
            batch: 1,
            products,
            bytes: [4 * points; 2],
            find: &|engine| of(engine).evaluate_all(&[&f]),
        };
        evaluation.measure(rig, found)?;
        let interpolation = Task {
            group: "interpolation by a tree",
            find: &|engine| {
                let polynomials = of(engine).interpolate_all(std::slice::from_ref(&values))?;
                Ok(polynomials.map(|polynomial| polynomial.rows().into_owned()))
            },
            ..evaluation
        };
        interpolation.measure(rig, found)?;
    }
    Ok(())
}

fn failed(error: &dyn std::fmt::Display) -> Failure {
    Failure::Computation(error.to_string())
}

fn trouble(error: EngineError) -> Problem {
    match error {
        EngineError::Gpu(error) => Problem::Gpu(error),
        other => impossible(other),
    }
}

fn on_processor() -> Result<Engine, Failure> {
    Engine::new(DeviceChoice::Cpu).map_err(|error| failed(&error))
}

impl Task<'_> {
    /// Checks and times it on both.
    fn measure(&self, rig: &Rig, found: &mut Findings) -> Result<(), Failure> {
        let what = format!("{} of size {}", self.group, self.size);
        let engines = [Engine::on(&rig.device), on_processor()?];
        let cases = self.cases(rig, &engines, &what, &mut found.left_out);
        found.take(&what, cases)
    }

    fn cases(
        &self,
        rig: &Rig,
        engines: &[Engine; 2],
        what: &str,
        left_out: &mut Vec<String>,
    ) -> Result<Vec<Case>, Problem> {
        let [there, here] = engines;
        let on_device = (self.find)(there).map_err(trouble)?;
        if on_device.on_device < self.batch {
            left_out.push(format!(
                "{what}: left out: {}",
                on_device.warnings.join("; ")
            ));
            return Ok(Vec::new());
        }
        let on_host = (self.find)(here).map_err(trouble)?;
        let both = on_device.results.iter().zip(&on_host.results);
        if let Some(number) = both.clone().position(|(found, expected)| found != expected) {
            return Err(wrong(what, number));
        }
        let work = |engine| -> Work<'_> {
            Box::new(move |times: usize| {
                for _ in 0..times {
                    let _ = black_box((self.find)(engine));
                }
            })
        };
        let timings = in_turn(&mut [work(there), work(here)], Clock::Wall, rig.budget);
        let floor = rig.floor_with_copies(rig.floor(0.0, 2.0 * self.products), self.bytes);
        let names = ["with copies".to_owned(), processor()];
        let threads = [1, sunzi_machine::threads::count()];
        let rows = timings
            .into_iter()
            .zip(names)
            .zip([Some(floor), None])
            .zip(threads);
        Ok(rows
            .map(|(((timing, contender), floor), threads)| Case {
                section: "algebra",
                group: self.group.to_owned(),
                size: self.size as u64,
                batch: self.batch as u64,
                contender,
                threads,
                timing,
                floor,
                goal: None,
                operations: self.products,
                passes: None,
                request: None,
            })
            .collect())
    }
}
