//! Integers put together from parts.

use super::product;
use dashu_int::IBig;
use sunzi_field::WordModulus;
use sunzi_rns::images::{FORM, Fingerprint, NumberedPrimes, Part, PartsError, put_together};

const PRIMES: [u64; 8] = [101, 103, 107, 109, 113, 127, 131, 137];
const JOB: u128 = 7;

/// The part of these numbers, without the images of unlucky primes.
fn part(values: &[IBig], numbers: std::ops::Range<usize>, unlucky: &[usize]) -> Part {
    let image = |number: usize| {
        let ring = WordModulus::new(PRIMES[number]);
        let residues = values.iter().map(|value| ring.reduce_integer(value));
        (!unlucky.contains(&number)).then(|| residues.collect())
    };
    Part {
        fingerprint: JOB,
        first: numbers.start as u64,
        images: numbers.map(image).collect(),
    }
}

fn together(needed: u64, values: usize, parts: &[Part]) -> Result<Vec<IBig>, PartsError> {
    put_together((JOB, needed), values, PRIMES.into_iter(), parts, product)
}

#[test]
fn parts_cut_anywhere_in_any_order_give_the_value() {
    let values = [IBig::from(-12345), IBig::ZERO, IBig::from(499_999)];
    for first in 0..=8 {
        for second in first..=8 {
            for unlucky in [&[][..], &[0], &[first.min(7)], &[3, 4]] {
                let mut parts = vec![
                    part(&values, 0..first, unlucky),
                    part(&values, first..second, unlucky),
                    part(&values, second..8, unlucky),
                ];
                for _ in 0..3 {
                    parts.rotate_left(1);
                    assert_eq!(together(4, 3, &parts), Ok(values.to_vec()));
                    parts.swap(0, 1);
                    assert_eq!(together(4, 3, &parts), Ok(values.to_vec()));
                }
            }
        }
    }
}

#[test]
fn what_is_missing_is_told_by_number() {
    let values = [IBig::from(-12345)];
    let missing = |numbers| Err(PartsError::Missing { numbers });
    assert_eq!(together(3, 1, &[]), missing(0..3));
    assert_eq!(together(3, 1, &[part(&values, 1..8, &[])]), missing(0..1));
    assert_eq!(together(3, 1, &[part(&values, 0..2, &[])]), missing(2..3));
    let apart = [part(&values, 5..8, &[]), part(&values, 0..2, &[])];
    assert_eq!(together(3, 1, &apart), missing(2..5));
    // Primes that tell nothing take a number each.
    assert_eq!(together(3, 1, &[part(&values, 0..3, &[1])]), missing(3..4));
    assert_eq!(
        together(3, 1, &[part(&values, 0..3, &[0, 1, 2])]),
        missing(3..6)
    );
    // What is not needed may be missing.
    let enough = [part(&values, 6..8, &[]), part(&values, 0..3, &[])];
    assert_eq!(together(3, 1, &enough), Ok(values.to_vec()));
    assert_eq!(together(0, 2, &[]), Ok(vec![IBig::ZERO; 2]));
}

#[test]
fn parts_that_are_wrong_are_refused() {
    let values = [IBig::from(-12345)];
    let doubled = |numbers| Err(PartsError::Doubled { numbers });
    let whole = part(&values, 0..5, &[]);
    for (numbers, common) in [(0..5, 0..5), (4..6, 4..5), (1..3, 1..3), (0..1, 0..1)] {
        let both = [part(&values, numbers, &[]), whole.clone()];
        assert_eq!(together(3, 1, &both), doubled(common));
    }
    // An empty part between does not hide it.
    let hidden = [
        whole.clone(),
        part(&values, 1..1, &[]),
        part(&values, 2..4, &[]),
    ];
    assert_eq!(together(3, 1, &hidden), doubled(2..4));
    let mut other = whole.clone();
    other.fingerprint += 1;
    assert_eq!(
        together(3, 1, &[other]),
        Err(PartsError::OtherJob { first: 0 })
    );
    for residues in [vec![103], vec![], vec![1, 2], vec![u64::MAX]] {
        let mut damaged = whole.clone();
        damaged.images[1] = Some(residues);
        let expected = PartsError::NoResidue {
            number: 1,
            prime: 103,
        };
        assert_eq!(together(3, 1, &[damaged]), Err(expected));
    }
    // Numbers at the end of all numbers.
    let last = Part {
        first: u64::MAX,
        ..whole
    };
    assert_eq!(
        together(3, 1, &[last]),
        Err(PartsError::Missing {
            numbers: 0..u64::MAX
        })
    );
}

#[test]
fn further_images_test_the_value() {
    let values = [IBig::from(-12345), IBig::from(7)];
    let wrong = |number: usize, unlucky: &[usize]| {
        let mut parts = [part(&values, 3..8, unlucky), part(&values, 0..3, unlucky)];
        let (at, number) = match number {
            0..3 => (1, number),
            _ => (0, number - 3),
        };
        if let Some(residues) = &mut parts[at].images[number] {
            residues[1] += 1;
        }
        parts
    };
    let contradicted = |made_of, number| {
        Err(PartsError::NoValue {
            numbers: made_of,
            number,
        })
    };
    assert_eq!(together(3, 2, &wrong(5, &[])), contradicted(0..3, 5));
    assert_eq!(together(3, 2, &wrong(3, &[])), contradicted(0..3, 3));
    // An image that the value is made of.
    assert_eq!(together(3, 2, &wrong(1, &[])), contradicted(0..3, 3));
    // Primes that tell nothing take their numbers.
    assert_eq!(together(3, 2, &wrong(5, &[1, 4])), contradicted(0..5, 5));
    assert_eq!(together(3, 2, &wrong(1, &[0, 3, 5])), contradicted(0..6, 6));
    // Behind a gap nothing is tested, and without further images there is no test.
    let [further, first] = wrong(5, &[]);
    let behind = Part {
        first: 5,
        images: further.images[2..].to_vec(),
        ..further
    };
    assert_eq!(together(3, 2, &[behind, first]), Ok(values.to_vec()));
    assert!(together(3, 2, &wrong(1, &[])[1..]).is_ok());
    // All are 0 where none is needed.
    let zeros = [IBig::ZERO, IBig::ZERO];
    assert_eq!(
        together(0, 2, &[part(&zeros, 0..2, &[])]),
        Ok(zeros.to_vec())
    );
    let [_, first] = wrong(0, &[]);
    assert_eq!(together(0, 2, &[first]), contradicted(0..0, 0));
}

#[test]
fn fingerprints_tell_operands_apart() {
    let of = |job: &str, lists: &[&[i64]]| {
        let lists = lists
            .iter()
            .map(|list| list.iter().map(|&x| IBig::from(x)).collect::<Vec<_>>());
        let all = lists.fold(Fingerprint::of(job), |all, list| all.with(list.iter()));
        all.finish()
    };
    let all = [
        of("a", &[]),
        of("b", &[]),
        of("a", &[&[]]),
        of("a", &[&[], &[]]),
        of("a", &[&[0]]),
        of("a", &[&[1]]),
        of("a", &[&[-1]]),
        of("a", &[&[1, 2]]),
        of("a", &[&[2, 1]]),
        of("a", &[&[1], &[2]]),
    ];
    for (i, x) in all.iter().enumerate() {
        assert!(!all[..i].contains(x), "{i}");
    }
    // They stay what they are from version to version.
    assert_eq!(
        of("determinant", &[&[1, -2, 3]]),
        240_221_085_794_629_614_718_486_513_993_927_224_943
    );
}

#[test]
fn parts_are_read_as_they_were_written() {
    let written = part(&[IBig::from(-12345)], 1..4, &[2]);
    let read = |form, job: &str, first, check: &str| {
        Part::read(form, job, first, written.images.clone(), check)
    };
    let (job, check) = (written.job(), written.check());
    assert_eq!(
        (&*job, &*check),
        ("00000000000000000000000000000007", "fda8729993b31268")
    );
    assert_eq!(read(FORM, &job, 1, &check).as_ref(), Ok(&written));
    assert_eq!(
        read(FORM + 1, &job, 1, &check),
        Err(PartsError::Form { form: FORM + 1 })
    );
    let damaged = Err(PartsError::Damaged { first: 1 });
    for job in [
        "",
        "7",
        "+0000000000000000000000000000007",
        "g0000000000000000000000000000007",
    ] {
        assert_eq!(read(FORM, job, 1, &check), damaged);
    }
    assert_eq!(read(FORM, &job, 1, "0"), damaged);
    assert_eq!(
        read(FORM, &job, 2, &check),
        Err(PartsError::Damaged { first: 2 })
    );
    for change in 0..written.images.len() {
        for image in [None, Some(vec![5]), Some(vec![5, 5])] {
            let mut other = written.clone();
            if other.images[change] != image {
                other.images[change] = image;
                assert_ne!(other.check(), check);
            }
        }
    }
}

#[test]
fn primes_have_their_numbers_in_any_order_of_ranges() {
    let numbered = NumberedPrimes::default();
    for (first, count) in [
        (0, 3),
        (3, 2),
        (3, 2),
        (7, 1),
        (6, 5),
        (8, 1),
        (20, 2),
        (0, 0),
        (1, 7),
    ] {
        let found = numbered.from_number(first as u64, count, || PRIMES.into_iter());
        let expected: Vec<_> = PRIMES.into_iter().skip(first).take(count).collect();
        assert_eq!(found, expected, "{count} from {first}");
        assert_eq!(
            numbered.clone().from_number(0, 8, || PRIMES.into_iter()),
            PRIMES
        );
    }
}
