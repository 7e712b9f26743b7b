//! What a result is compared by: entries of a transform, or values of operands and product, by their definition.

use super::entries::Entries;
use super::{Operation, Task};
use crate::error::ScaleError;
use sunzi_dft::{AnyBands, Direction};
use sunzi_field::{AnyField, WordRows};
use sunzi_machine::memory::Budget;
use std::hash::{BuildHasher, RandomState};

/// Values that are compared with their definition, where each is of another point.
const CHECKED: usize = 3;

/// What vectors are multiplied by and summed up.
#[derive(Debug)]
struct Point {
    /// Entry i is multiplied by the power i of it.
    ratio: Vec<u64>,
    /// All of them are.
    scale: Option<Vec<u64>>,
}

/// What is summed up of vectors, and where.
#[derive(Debug)]
pub(crate) struct Check {
    pub(crate) field: AnyField,
    sums: AnyBands,
    points: Vec<Point>,
}

/// What a new job checks: indices of values, or points at which polynomials have values; of integers a random prime of 61 bits.
pub(crate) fn draw(entries: &Entries, operation: Operation, points: usize) -> Vec<usize> {
    let random = RandomState::new();
    match entries {
        Entries::Elements(_) => {
            let place = |i: usize| match operation {
                Operation::Transform { .. } => random.hash_one(i) as usize & (points - 1),
                Operation::Product => random.hash_one(i) as usize,
            };
            (0..CHECKED).map(place).collect()
        }
        Entries::Integers | Entries::Limbs => {
            let odd = |i: u64| (1 << 60) | random.hash_one(i) >> 4 | 1;
            // One of 21 is prime.
            let prime = (0..).map(odd).find(|&odd| AnyField::modulo_word(odd).is_ok());
            prime.map(|prime| prime as usize).into_iter().collect()
        }
    }
}

impl Check {
    /// By what a job has drawn; `None` if it checks nothing.
    pub(crate) fn new(task: &Task, drawn: &[usize]) -> Result<Option<Self>, ScaleError> {
        let Some(&first) = drawn.first() else {
            return Ok(None);
        };
        let field = match &task.entries {
            Entries::Elements(field) => field.clone(),
            Entries::Integers | Entries::Limbs => AnyField::modulo_word(first as u64)?,
        };
        let element = |value: usize| {
            let mut row = Vec::new();
            field.push_u64(value as u64, &mut row);
            row
        };
        let points = task.plan.height * task.plan.width;
        let root = || field.root_of_unity_row(points.trailing_zeros()).unwrap_or_default();
        let point = |&drawn: &usize| match (task.operation, &task.entries) {
            (Operation::Product, Entries::Elements(_)) => Point { ratio: element(drawn), scale: None },
            // Above all entries, so that what one has too much is not what the next one lacks.
            (Operation::Product, _) => Point {
                ratio: field.power_row(&element(2), 64 * task.digits_of_output as u64),
                scale: None,
            },
            (Operation::Transform { direction: Direction::Forward, .. }, _) => Point {
                ratio: field.power_row(&root(), drawn as u64),
                scale: None,
            },
            // ω has order N: its inverse is its power N − 1.
            (Operation::Transform { direction: Direction::Inverse, .. }, _) => Point {
                ratio: field.power_row(&root(), (points - drawn) as u64),
                scale: field.inverse_row(&element(points)),
            },
        };
        Ok(Some(Self {
            points: drawn.iter().map(point).collect(),
            // Sums need no tables.
            sums: AnyBands::new(&field, 1, 1, Budget::system())?,
            field,
        }))
    }

    /// What a matrix of elements of the field comes to, whose first entry has an index, as have the steps to the next row and column:
    /// entry i of a vector is multiplied by ω^(i·j), or by its inverse and 1/N, and entry i of a polynomial by z^i.
    pub(crate) fn shares(
        &self,
        matrix: WordRows<'_>,
        columns: usize,
        [start, down, across]: [usize; 3],
    ) -> Result<Vec<u64>, ScaleError> {
        let mut shares = Vec::new();
        for Point { ratio, scale } in &self.points {
            let power = |exponent: usize| self.field.power_row(ratio, exponent as u64);
            let sum = self.sums.evaluate(matrix, columns, [&power(down), &power(across)])?;
            let share = self.field.product_row(&sum, &power(start));
            shares.extend(match scale {
                Some(scale) => self.field.product_row(&share, scale),
                None => share,
            });
        }
        Ok(shares)
    }
}
