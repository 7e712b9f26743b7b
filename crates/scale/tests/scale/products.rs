//! Products of polynomials, byte for byte against sums by definition and GMP.

use crate::support::{Fault, Faulty, fields, folder, paths};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use sunzi_field::AnyField;
use sunzi_machine::memory::Budget;
use sunzi_machine::threads::alone;
use sunzi_scale::npy::Header;
use sunzi_scale::{FileProduct, Plan, Route, ScaleError};
use sunzi_testkit::{Random, long_convolution_mod, on_every_thread_count};

/// Random elements with the least and the greatest, as rows.
fn elements(field: &AnyField, count: usize, seed: u64) -> Vec<u64> {
    let mut random = Random::new(seed);
    let mut rows = Vec::new();
    for i in 0..count {
        match i {
            0 => field.push_integer(&dashu_int::IBig::from(-1), &mut rows),
            1 => field.push_u64(0, &mut rows),
            _ => field.push_u64(random.below(u64::MAX), &mut rows),
        }
    }
    rows
}

/// The product by its definition.
fn product(field: &AnyField, a: &[u64], b: &[u64]) -> Vec<u64> {
    let width = field.width();
    let [la, lb] = [a, b].map(|rows| rows.len() / width);
    if la == 0 || lb == 0 {
        return Vec::new();
    }
    let mut rows = vec![0; (la + lb - 1) * width];
    for (i, a) in a.chunks(width).enumerate() {
        for (j, b) in b.chunks(width).enumerate() {
            let at = (i + j) * width;
            let sum = field.sum_row(&rows[at..at + width], &field.product_row(a, b));
            rows[at..at + width].copy_from_slice(&sum);
        }
    }
    rows
}

fn file(field: &AnyField, rows: &[u64], word: usize) -> Vec<u8> {
    let width = field.width();
    let mut shape = vec![rows.len() / width];
    shape.extend((width > 1).then_some(width));
    let mut bytes = Header {
        word,
        is_signed: false,
        shape,
    }
    .bytes();
    bytes.extend(rows.iter().flat_map(|x| x.to_le_bytes()[..word].to_vec()));
    bytes
}

/// Two polynomials in files, and their product.
struct Case {
    field: AnyField,
    folder: tempfile::TempDir,
    files: [PathBuf; 2],
    lengths: [usize; 2],
    word: usize,
    expected: Vec<u8>,
}

impl Case {
    fn new(field: &AnyField, lengths: [usize; 2], word: usize) -> Self {
        let [a, b] = [0, 1].map(|i| elements(field, lengths[i], i as u64 + lengths[i] as u64));
        let expected = product(field, &a, &b);
        Self::of(field, [a, b], expected, word)
    }

    fn of(field: &AnyField, [a, b]: [Vec<u64>; 2], expected: Vec<u64>, word: usize) -> Self {
        let folder = folder();
        let files = ["a.npy", "b.npy"].map(|name| folder.path().join(name));
        for (path, rows) in files.iter().zip([&a, &b]) {
            fs::write(path, file(field, rows, word)).unwrap();
        }
        fs::create_dir(folder.path().join("scratch")).unwrap();
        let is_short = field.word_prime().is_some_and(|prime| prime >> 32 == 0);
        let word_of_product = if is_short && word == 4 { 4 } else { 8 };
        Self {
            expected: file(field, &expected, word_of_product),
            lengths: [a, b].map(|rows| rows.len() / field.width()),
            field: field.clone(),
            folder,
            files,
            word,
        }
    }

    fn product(&self) -> FileProduct {
        let [_, y, scratch] = paths(self.folder.path());
        FileProduct::new(&self.field, &self.files[0], &self.files[1], y, scratch)
    }

    fn check(&self, case: &str) {
        let [_, y, scratch] = paths(self.folder.path());
        assert!(fs::read(&y).unwrap() == self.expected, "{case}");
        fs::remove_file(y).unwrap();
        assert_eq!(fs::read_dir(scratch).unwrap().count(), 0, "{case}");
        assert_eq!(
            fs::read_dir(self.folder.path()).unwrap().count(),
            3,
            "{case}"
        );
    }

    /// The plan of a matrix of so many rows, with bands of these lengths.
    fn plan(&self, height: usize, band_columns: usize, band_rows: usize) -> Plan {
        let [a, b] = self.lengths;
        let points = (a + b - 1).next_power_of_two();
        let digits = self.field.width();
        let word_of_product = (self.expected.len() - 4096) / (a + b - 1) / digits;
        Plan {
            route: Route::Product,
            height,
            width: points / height,
            band_columns,
            band_rows,
            moved_columns: band_columns,
            primes: 0,
            ranks: 1,
            combined_rows: band_rows,
            combined_columns: points / height,
            elements: [
                digits * self.word,
                self.field.element_bytes(),
                digits * word_of_product,
            ],
            ends: [
                ((a + b) * digits * self.word) as u64,
                self.expected.len() as u64 - 4096,
            ],
            memory: 1 << 30,
        }
    }
}

#[test]
fn every_matrix_in_every_kind_of_bands() {
    for field in fields(5) {
        for lengths in [[1, 2], [2, 1], [5, 4], [8, 9], [16, 17], [31, 2], [9, 8]] {
            let word = if field.word_prime().is_none_or(|p| p >> 32 > 0) {
                8
            } else {
                4
            };
            let case = Case::new(&field, lengths, word);
            let points = (lengths[0] + lengths[1] - 1usize).next_power_of_two();
            for log_height in 0..=points.trailing_zeros() {
                let (height, width) = (1usize << log_height, points >> log_height);
                for (columns, rows) in [
                    (1, 1),
                    (width, height),
                    (width.div_ceil(2), 1),
                    (1, height.div_ceil(2)),
                ] {
                    let plan = case.plan(height, columns, rows);
                    let report = case.product().by(plan).start().unwrap().finish().unwrap();
                    assert_eq!(report.plan, plan);
                    case.check(&format!("{field} {lengths:?} {plan}"));
                }
            }
        }
    }
}

#[test]
fn what_fits_memory_takes_one_pass() {
    for field in fields(5) {
        for lengths in [[1, 1], [1, 32], [3, 3], [16, 16], [17, 16], [0, 5], [0, 0]] {
            let case = Case::new(&field, lengths, 8);
            let report = case.product().start().unwrap().finish().unwrap();
            assert_eq!(report.plan.passes(), 1);
            case.check(&format!("{field} {lengths:?}"));
        }
    }
}

#[test]
fn a_file_twice_is_a_square() {
    for field in fields(5) {
        for length in [1, 5, 16] {
            let a = elements(&field, length, 5);
            let expected = product(&field, &a, &a);
            let mut case = Case::of(&field, [a.clone(), a], expected, 8);
            // By another name of it.
            let other = case.folder.path().join("scratch/../a.npy");
            case.files[1] = other;
            let report = case.product().start().unwrap().finish().unwrap();
            assert_eq!(report.plan.passes(), 1);
            case.check(&format!("{field} {length}"));
            if length == 16 {
                let [input, _] = case.plan(4, 2, 2).ends;
                let plan = Plan {
                    route: Route::Square,
                    ..case.plan(4, 2, 2)
                };
                let plan = Plan {
                    ends: [input / 2, plan.ends[1]],
                    ..plan
                };
                let report = case.product().by(plan).start().unwrap().finish().unwrap();
                assert_eq!(report.plan.passes(), 3);
                case.check(&format!("{field} {plan}"));
            }
        }
    }
}

#[test]
fn long_products_are_those_of_gmp() {
    let p = 4_611_686_018_326_724_609;
    let field = AnyField::modulo_word(p).unwrap();
    let (a, b) = (elements(&field, 70_000, 1), elements(&field, 60_001, 2));
    let expected = long_convolution_mod(&a, &b, p);
    let case = Case::of(&field, [a, b], expected, 8);
    alone(|| {
        for limit in [1 << 30, 1_500_000, 800_000] {
            let product = case.product().within(Budget::within(Some(limit)));
            let plan = product.plan().unwrap();
            assert!(plan.memory <= limit, "{plan}");
            assert_eq!(plan.passes(), if limit == 1 << 30 { 1 } else { 4 });
            let report = product.start().unwrap().finish().unwrap();
            let moved = report.read + report.written;
            assert!(
                moved >= plan.moved() && moved < plan.moved() + 600_000,
                "{moved} {plan}"
            );
            case.check(&plan.to_string());
        }
    });
    on_every_thread_count(|threads| {
        let plan = case.plan(256, 64, 32);
        case.product().by(plan).start().unwrap().finish().unwrap();
        case.check(&format!("on {threads} threads"));
    });
}

#[test]
fn a_disk_that_fails_at_any_call_loses_nothing() {
    let field = AnyField::modulo_word(97).unwrap();
    let case = Case::new(&field, [9, 14], 4);
    let plan = case.plan(4, 2, 2);
    let mut failed = 0;
    for call in 0.. {
        let disk = Faulty::new(Fault::Dies(call, ErrorKind::Other));
        let product = case.product().by(plan).on(disk.clone());
        let result = product.start().and_then(|started| started.finish());
        if disk.calls.load(std::sync::atomic::Ordering::Relaxed) <= call {
            result.unwrap();
            case.check("no fault");
            break;
        }
        if result.is_err() {
            failed += 1;
            let again = case.product().by(plan);
            again.start().unwrap().finish().unwrap();
        }
        case.check(&format!("{call}"));
    }
    assert!(failed > 60, "{failed}");
}

#[test]
fn a_result_that_is_wrong_is_not_told() {
    // A bit that changes in memory, after its sum was tested, is found by values of the polynomials.
    let field = AnyField::modulo_word(0xffff_ffff_0000_0001).unwrap();
    let case = Case::new(&field, [9, 14], 8);
    let plan = case.plan(4, 2, 2);
    // A job that ends behind the first pass, and goes on with another operand, of which the journal knows nothing.
    for call in 0.. {
        let disk = Faulty::new(Fault::Dies(call, ErrorKind::Other));
        let ended = case
            .product()
            .by(plan)
            .on(disk)
            .start()
            .and_then(|started| started.finish());
        ended.unwrap_err();
        let job = job(&paths(case.folder.path())[2]);
        let journal = job.map(|job| fs::read_to_string(job.join("journal")).unwrap_or_default());
        if journal.is_some_and(|journal| journal.lines().count() == 4) {
            break;
        }
    }
    let job = job(&paths(case.folder.path())[2]).unwrap();
    let path = job.join("journal");
    let text = fs::read_to_string(&path).unwrap();
    // The shares of the first band are changed, with the sum of the line.
    let line = text.lines().next().unwrap();
    let fields: Vec<_> = line.split(' ').collect();
    let told = format!(
        "{} {} {} {} {}",
        fields[0],
        fields[1],
        fields[2],
        fields[3],
        fields[4].replace('1', "2")
    );
    let changed = format!(
        "{told} {:016x}",
        xxhash_rust::xxh3::xxh3_64(told.as_bytes())
    );
    fs::write(&path, text.replace(line, &changed)).unwrap();
    let error = case
        .product()
        .by(plan)
        .start()
        .unwrap()
        .finish()
        .unwrap_err();
    assert!(
        matches!(error, ScaleError::Damaged { .. })
            && error
                .to_string()
                .contains("is not what it is by its definition"),
        "{error}"
    );
    assert!(!paths(case.folder.path())[1].exists());
}

fn job(scratch: &Path) -> Option<PathBuf> {
    let jobs = fs::read_dir(scratch).unwrap();
    jobs.map(|entry| entry.unwrap().path()).next()
}

#[test]
fn products_that_cannot_be_are_refused() {
    let field = AnyField::generalized_fermat(2, 4).unwrap();
    let long = Case::new(&field, [17, 17], 8);
    let error = long.product().start().map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("up to 16 points"), "{error}");
    let field = AnyField::modulo_word(97).unwrap();
    let case = Case::new(&field, [3, 3], 8);
    let same = FileProduct::new(
        &field,
        &case.files[0],
        &case.files[1],
        &case.files[1],
        case.folder.path(),
    );
    assert!(matches!(same.start(), Err(ScaleError::Output { .. })));
}
