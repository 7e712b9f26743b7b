//! Products modulo several primes, byte for byte against GMP: of integers, over Z, and modulo primes without transforms.

use crate::support::{Fault, Faulty, folder, paths};
use rug::Integer;
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use sunzi_field::AnyField;
use sunzi_machine::memory::Budget;
use sunzi_machine::threads::alone;
use sunzi_scale::npy::Header;
use sunzi_scale::{FileProduct, Plan, Route, ScaleError};
use sunzi_testkit::{
    Random, convolution, edge_limb_vectors, long_convolution_mod, mul_limbs, on_every_thread_count,
};

/// What the entries are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Modulo(u64),
    Integers,
    Limbs,
}

/// A file of words.
#[derive(Clone, Debug)]
pub struct Words {
    pub word: usize,
    pub is_signed: bool,
    pub words: Vec<u64>,
}

impl Words {
    pub fn long(words: Vec<u64>) -> Self {
        Self {
            word: 8,
            is_signed: false,
            words,
        }
    }

    fn bytes(&self, digits: usize) -> Vec<u8> {
        let Self {
            word,
            is_signed,
            ref words,
        } = *self;
        let mut shape = vec![words.len() / digits];
        shape.extend((digits > 1).then_some(digits));
        let mut bytes = Header {
            word,
            is_signed,
            shape,
        }
        .bytes();
        bytes.extend(words.iter().flat_map(|x| x.to_le_bytes()[..word].to_vec()));
        bytes
    }

    fn integers(&self) -> Vec<Integer> {
        let value = |&x: &u64| match (self.word, self.is_signed) {
            (4, true) => Integer::from(x as i32),
            (8, true) => Integer::from(x.cast_signed()),
            _ => Integer::from(x),
        };
        self.words.iter().map(value).collect()
    }
}

/// Two operands in files, and their product.
pub struct Case {
    pub kind: Kind,
    pub folder: tempfile::TempDir,
    pub files: [PathBuf; 2],
    pub expected: Vec<u8>,
}

/// Words of integers in two's complement.
fn in_words(value: &Integer, count: usize) -> Vec<u64> {
    let modulus = Integer::from(1) << (64 * count as u32);
    let mut words = (value.clone() + &modulus)
        .modulo(&modulus)
        .to_digits::<u64>(rug::integer::Order::Lsf);
    words.resize(count, 0);
    words
}

impl Case {
    pub fn new(kind: Kind, operands: [&Words; 2]) -> Self {
        let [a, b] = operands;
        let is_empty = a.words.is_empty() || b.words.is_empty();
        let expected = match kind {
            _ if is_empty => Vec::new(),
            Kind::Limbs => mul_limbs(&a.words, &b.words),
            Kind::Modulo(p) => long_convolution_mod(&a.words, &b.words, p),
            Kind::Integers => convolution(&a.integers(), &b.integers())
                .iter()
                .flat_map(|value| in_words(value, digits(operands)))
                .collect(),
        };
        let word = match kind {
            Kind::Modulo(p) if p >> 32 == 0 && a.word == 4 && b.word == 4 => 4,
            _ => 8,
        };
        let digits_of_product = match kind {
            Kind::Integers => digits(operands),
            _ => 1,
        };
        let expected = Words {
            word,
            is_signed: false,
            words: expected,
        };
        let folder = folder();
        let files = ["a.npy", "b.npy"].map(|name| folder.path().join(name));
        for (path, words) in files.iter().zip(operands) {
            fs::write(path, words.bytes(1)).unwrap();
        }
        fs::create_dir(folder.path().join("scratch")).unwrap();
        Self {
            kind,
            expected: expected.bytes(digits_of_product),
            folder,
            files,
        }
    }

    pub fn product(&self) -> FileProduct {
        let ([_, y, scratch], [a, b]) = (paths(self.folder.path()), &self.files);
        match self.kind {
            Kind::Modulo(p) => {
                FileProduct::new(&AnyField::modulo_word(p).unwrap(), a, b, y, scratch)
            }
            Kind::Integers => FileProduct::over_integers(a, b, y, scratch),
            Kind::Limbs => FileProduct::of_integers(a, b, y, scratch),
        }
    }

    /// A plan through files with bands of these lengths.
    pub fn plan(
        &self,
        height: usize,
        [band_columns, band_rows, combined_rows]: [usize; 3],
    ) -> Plan {
        let plan = self.product().plan().unwrap();
        let width = plan.height * plan.width / height;
        Plan {
            route: Route::Product,
            height,
            width,
            band_columns,
            band_rows,
            moved_columns: band_columns,
            combined_rows: if plan.primes == 0 {
                band_rows
            } else {
                combined_rows
            },
            combined_columns: width,
            memory: 1 << 30,
            ..plan
        }
    }

    pub fn run(&self, product: FileProduct, case: &str) {
        product.start().unwrap().finish().unwrap();
        self.check(case);
    }

    pub fn check(&self, case: &str) {
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
}

/// Words of a coefficient over Z: a sign, both entries, and as many terms as there are.
pub fn digits([a, b]: [&Words; 2]) -> usize {
    let bits = [a, b].map(|words| 8 * words.word - usize::from(words.is_signed));
    let terms = a.words.len().min(b.words.len()).max(1);
    (bits[0] + bits[1] + terms.ilog2() as usize + 2)
        .div_ceil(64)
        .max(2)
}

/// Random words, with the least and the greatest of them.
pub fn words(count: usize, word: usize, is_signed: bool, seed: u64) -> Words {
    let mut random = Random::new(seed);
    let mask = u64::MAX >> (64 - 8 * word);
    let edges = [mask, 0, mask >> 1, (mask >> 1) + 1, 1];
    let words = (0..count).map(|i| *edges.get(i).unwrap_or(&(random.below(u64::MAX) & mask)));
    Words {
        word,
        is_signed,
        words: words.collect(),
    }
}

pub fn residues(count: usize, p: u64, word: usize, seed: u64) -> Words {
    let mut random = Random::new(seed);
    let words = (0..count).map(|i| {
        [p - 1, 0, p - 2]
            .get(i)
            .copied()
            .unwrap_or_else(|| random.below(p))
    });
    Words {
        word,
        is_signed: false,
        words: words.collect(),
    }
}

/// All kinds of operands of these lengths.
pub fn cases([la, lb]: [usize; 2]) -> Vec<Case> {
    let mut cases = Vec::new();
    let case = |kind, a: &Words, b: &Words| Case::new(kind, [a, b]);
    for p in [
        (1 << 61) - 1,
        0xffff_ffff_ffff_ffc5,
        (1 << 31) - 1,
        10_007,
        3,
    ] {
        let kind = Kind::Modulo(p);
        cases.push(case(kind, &residues(la, p, 8, 1), &residues(lb, p, 8, 2)));
        if p >> 32 == 0 {
            cases.push(case(kind, &residues(la, p, 4, 3), &residues(lb, p, 4, 4)));
            cases.push(case(kind, &residues(la, p, 8, 5), &residues(lb, p, 4, 6)));
        }
    }
    let kinds = [(8, true), (8, false), (4, true), (4, false)];
    for (i, &(word, is_signed)) in kinds.iter().enumerate() {
        for &(other, other_signed) in &kinds[i..] {
            let (a, b) = (
                words(la, word, is_signed, 7),
                words(lb, other, other_signed, 8),
            );
            cases.push(case(Kind::Integers, &a, &b));
        }
    }
    cases.push(case(
        Kind::Limbs,
        &words(la, 8, false, 9),
        &words(lb, 8, false, 10),
    ));
    cases
}

#[test]
fn every_matrix_in_every_kind_of_bands() {
    for lengths in [[1, 1], [2, 1], [1, 4], [5, 4], [8, 9], [17, 16], [31, 2]] {
        for case in cases(lengths) {
            let plan = case.product().plan().unwrap();
            let points = plan.height * plan.width;
            for log_height in 0..=points.trailing_zeros() {
                let (height, width) = (1usize << log_height, points >> log_height);
                for bands in [
                    [1, 1, 1],
                    [width, height, height],
                    [width.div_ceil(2), 1, height.div_ceil(2)],
                    [1, height.div_ceil(2), 1],
                ] {
                    let plan = case.plan(height, bands);
                    case.run(
                        case.product().by(plan),
                        &format!("{:?} {lengths:?} {plan}", case.kind),
                    );
                }
            }
        }
    }
}

#[test]
fn what_fits_memory_takes_one_pass() {
    for lengths in [[1, 1], [1, 32], [3, 3], [16, 17], [0, 5], [0, 0]] {
        for case in cases(lengths) {
            let report = case.product().start().unwrap().finish().unwrap();
            assert_eq!(report.plan.passes(), 1);
            case.check(&format!("{:?} {lengths:?}", case.kind));
        }
    }
}

#[test]
fn carries_run_through_all_limbs() {
    // Longer than what a thread takes at a time.
    let count = 9_000;
    let ones = Words::long(vec![u64::MAX; count]);
    let mut sparse = vec![0; count];
    (sparse[0], sparse[count - 1]) = (1, 1);
    // (2^64n − 1)·(2^64 + 1) and (2^64n − 1)·1, whose carries run through everything or nothing.
    let operands = [
        ones.clone(),
        Words::long(vec![1]),
        Words::long(vec![1, 1]),
        Words::long(sparse),
    ];
    for other in &operands {
        for [a, b] in [[&ones, other], [other, &ones]] {
            let case = Case::new(Kind::Limbs, [a, b]);
            on_every_thread_count(|threads| {
                case.run(case.product(), &format!("in memory on {threads} threads"));
                let plan = case.product().plan().unwrap();
                let height = plan.height * plan.width / 256;
                let plan = case.plan(height, [32, 4.min(height), height / 4]);
                case.run(
                    case.product().by(plan),
                    &format!("on {threads} threads {plan}"),
                );
            });
        }
    }
}

#[test]
fn limbs_at_the_seams_of_bands() {
    for edges in edge_limb_vectors(16) {
        for other in [words(16, 8, false, 1), Words::long(edges.clone())] {
            let case = Case::new(Kind::Limbs, [&Words::long(edges.clone()), &other]);
            for bands in [[1, 1, 1], [2, 2, 4]] {
                let plan = case.plan(8, bands);
                case.run(case.product().by(plan), &format!("{edges:x?} {plan}"));
            }
        }
    }
}

#[test]
fn a_file_twice_is_a_square() {
    for (kind, operand) in [
        (Kind::Limbs, words(13, 8, false, 1)),
        (Kind::Integers, words(13, 8, true, 2)),
        (
            Kind::Modulo((1 << 61) - 1),
            residues(13, (1 << 61) - 1, 8, 3),
        ),
    ] {
        let mut case = Case::new(kind, [&operand; 2]);
        case.files[1] = case.files[0].clone();
        case.run(case.product(), &format!("{kind:?}"));
        let plan = Plan {
            route: Route::Square,
            ..case.plan(8, [2, 2, 4])
        };
        case.run(case.product().by(plan), &format!("{kind:?} {plan}"));
    }
}

#[test]
fn plans_keep_within_memory_and_tell_what_is_moved() {
    let case = Case::new(
        Kind::Limbs,
        [&words(70_000, 8, false, 1), &words(60_001, 8, false, 2)],
    );
    alone(|| {
        for limit in [1 << 30, 2_500_000, 900_000] {
            let product = case.product().within(Budget::within(Some(limit)));
            let plan = product.plan().unwrap();
            assert!(plan.memory <= limit, "{plan}");
            assert_eq!(plan.passes(), if limit == 1 << 30 { 1 } else { 13 });
            let report = product.start().unwrap().finish().unwrap();
            let moved = report.read + report.written;
            assert!(
                moved >= plan.moved() && moved < plan.moved() + 2_000_000,
                "{moved} {plan}"
            );
            case.check(&plan.to_string());
        }
    });
}

#[test]
fn a_disk_that_fails_at_any_call_loses_nothing() {
    let case = Case::new(
        Kind::Limbs,
        [
            &Words::long(vec![u64::MAX; 9]),
            &Words::long(vec![u64::MAX; 5]),
        ],
    );
    let plan = case.plan(4, [2, 2, 1]);
    let mut failed = 0;
    for call in 0.. {
        let disk = Faulty::new(Fault::Dies(call, ErrorKind::Other));
        let product = case.product().by(plan).on(disk.clone());
        let result = product.start().and_then(|started| started.finish());
        if disk.calls.load(Relaxed) <= call {
            result.unwrap();
            case.check("no fault");
            break;
        }
        if result.is_err() {
            failed += 1;
            case.product().by(plan).start().unwrap().finish().unwrap();
        }
        case.check(&format!("{call}"));
    }
    assert!(failed > 200, "{failed}");
}

#[test]
fn a_product_that_is_wrong_is_not_told() {
    // Values modulo 3 may be 0 on both sides.
    let all = cases([9, 14]).into_iter();
    for case in all.filter(|case| !matches!(case.kind, Kind::Modulo(3))) {
        let plan = case.plan(4, [2, 2, 2]);
        // A job that ends before its last pass.
        let journal = paths(case.folder.path())[2].join("journal");
        let mut text = String::new();
        let bands = plan.primes * (4 + 4 + 2 + 4);
        assert!(bands > 0);
        for call in 0.. {
            let disk = Faulty::new(Fault::Dies(call, ErrorKind::Other));
            let ended = case
                .product()
                .by(plan)
                .fresh(true)
                .on(disk)
                .start()
                .and_then(|started| started.finish());
            ended.unwrap_err();
            let job = fs::read_dir(journal.parent().unwrap()).unwrap().next();
            let path = job.map(|job| job.unwrap().path().join("journal"));
            text = path.map_or_else(String::new, |path| {
                fs::read_to_string(path).unwrap_or_default()
            });
            if text.lines().count() == bands {
                break;
            }
        }
        assert_eq!(text.lines().count(), bands);
        // What the first band of the first operand came to is changed, with the sum of the line.
        let job = fs::read_dir(journal.parent().unwrap())
            .unwrap()
            .next()
            .unwrap()
            .unwrap()
            .path();
        let line = text.lines().next().unwrap();
        let (told, _) = line.rsplit_once(' ').unwrap();
        let (before, shares) = told.rsplit_once(' ').unwrap();
        let first = shares.split(',').next().unwrap();
        let other = if first == "1" { "0" } else { "1" };
        let told = format!("{before} {}", shares.replacen(first, other, 1));
        let changed = format!(
            "{told} {:016x}",
            xxhash_rust::xxh3::xxh3_64(told.as_bytes())
        );
        fs::write(job.join("journal"), text.replace(line, &changed)).unwrap();
        let error = case
            .product()
            .by(plan)
            .start()
            .unwrap()
            .finish()
            .unwrap_err();
        assert!(
            matches!(error, ScaleError::Damaged { .. })
                && error.to_string().contains("by its definition"),
            "{:?}: {error}",
            case.kind
        );
        assert!(!paths(case.folder.path())[1].exists());
    }
}

#[test]
fn files_of_other_words_are_refused() {
    let refused = |kind, operand: &Words| {
        let case = Case::new(Kind::Limbs, [&Words::long(vec![1]), &Words::long(vec![1])]);
        fs::write(&case.files[0], operand.bytes(1)).unwrap();
        let case = Case { kind, ..case };
        case.product().start().map(|_| ()).unwrap_err().to_string()
    };
    let error = refused(Kind::Limbs, &words(3, 4, false, 1));
    assert!(error.contains("an array of limbs of 64 bits"), "{error}");
    let error = refused(Kind::Limbs, &words(3, 8, true, 1));
    assert!(error.contains("'<i8'"), "{error}");
    let error = refused(Kind::Modulo((1 << 61) - 1), &words(3, 8, true, 1));
    assert!(error.contains("astype"), "{error}");
}
