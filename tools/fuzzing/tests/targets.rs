//! The fuzz targets on the stable compiler: on their seeds, and on bytes made from them.

use proptest::prelude::*;
use proptest::sample::Index;
use std::fs;
use std::path::{Path, PathBuf};

/// Seeds and their names.
fn seeds(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../fuzz/seeds")
        .join(target);
    let files =
        fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let seed = |file: PathBuf| {
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        (name, fs::read(file).unwrap())
    };
    let mut seeds: Vec<_> = files.map(|file| seed(file.unwrap().path())).collect();
    seeds.sort();
    seeds
}

/// Bytes taken out, put in or changed at some places of a seed.
type Changes = Vec<(Index, u8, u8)>;

fn changes() -> impl Strategy<Value = (Index, Changes)> {
    let change = (any::<Index>(), 0u8..4, any::<u8>());
    (any::<Index>(), prop::collection::vec(change, 0..6))
}

fn changed(seeds: &[(String, Vec<u8>)], (seed, changes): (Index, Changes)) -> Vec<u8> {
    let (_, mut bytes) = seed.get(seeds).clone();
    for (place, kind, byte) in changes {
        let at = place.index(bytes.len() + 1);
        match (kind, bytes.get_mut(at)) {
            (0, _) => bytes.insert(at, byte),
            (1, Some(_)) => drop(bytes.remove(at)),
            (2, Some(found)) => *found = byte,
            (_, Some(found)) => *found ^= 1 << (byte % 8),
            (_, None) => bytes.push(byte),
        }
    }
    bytes
}

macro_rules! targets {
    ($($target:ident: $cases:literal, refused: $refused:expr;)*) => {
        $(
            #[test]
            fn $target() {
                let target = stringify!($target);
                let seeds = seeds(target);
                let refused = seeds.iter().filter(|(_, seed)| !sunzi_fuzzing::run(target, seed));
                let refused: Vec<_> = refused.map(|(name, _)| &name[..]).collect();
                // Whoever refuses everything would pass otherwise.
                let expected: &[&str] = &$refused;
                assert_eq!(refused, expected);
                assert!(seeds.len() > refused.len());
                let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases($cases) };
                proptest!(config, |(changes in changes())| {
                    sunzi_fuzzing::run(target, &changed(&seeds, changes));
                });
                let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases($cases) };
                proptest!(config, |(bytes in prop::collection::vec(any::<u8>(), 0..200))| {
                    sunzi_fuzzing::run(target, &bytes);
                });
            }
        )*

        #[test]
        fn every_target_is_here() {
            let here = [$(stringify!($target)),*];
            let known = sunzi_fuzzing::TARGETS.map(|(name, _)| name);
            assert_eq!(here, known);
        }
    };
}

targets! {
    matrix_market: 100, refused: [
        "array-3", "coordinate-2", "coordinate-3", "integers-2", "lone-return-1", "lone-return-3",
        "pattern-2", "symmetric-3",
    ];
    failing_readers: 200, refused: [
        "bzip2-1", "nul-0", "nul-1", "packed-twice-1", "return-0", "return-1",
    ];
    expressions: 100, refused: ["ambiguous-product", "ambiguous-sum"];
    two_variables: 100, refused: ["divisor-zero", "exponent", "no-whole-part", "unknown"];
    coefficients: 300, refused: ["letter", "no-digits", "no-number", "underscore"];
    moduli: 200, refused: [
        "hexadecimal-no-digits", "huge-tower", "name", "negative", "negative-exponent", "no-exponent",
    ];
    npy: 300, refused: ["cut", "doubled-key", "escapes", "floats", "fortran"];
    calc: 200, refused: ["too-long", "unclosed"];
    json: 50, refused: ["fails", "overflow"];
    int_mul: 40, refused: [];
    multiplier: 30, refused: [];
    polynomials: 10, refused: [];
    orders: 60, refused: [];
    options: 60, refused: [
        "bits", "budget", "data-out-of-range", "digits-none", "graph-huge", "grid-huge", "little-memory", "no-line",
        "no-tolerance", "prime-tower", "range-empty", "seconds", "seed-too-large", "threads", "window-far", "words",
    ];
}
