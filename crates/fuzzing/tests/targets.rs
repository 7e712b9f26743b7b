//! The fuzz targets on the stable compiler: on their seeds, and on bytes made from them.

use proptest::prelude::*;
use proptest::sample::Index;
use std::fs;
use std::path::Path;

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/seeds")
        .join(target);
    let files =
        fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| fs::read(file).unwrap()).collect()
}

/// Bytes taken out, put in or changed at some places of a seed.
type Changes = Vec<(Index, u8, u8)>;

fn changes() -> impl Strategy<Value = (Index, Changes)> {
    let change = (any::<Index>(), 0u8..4, any::<u8>());
    (any::<Index>(), prop::collection::vec(change, 0..6))
}

fn changed(seeds: &[Vec<u8>], (seed, changes): (Index, Changes)) -> Vec<u8> {
    let mut bytes = seed.get(seeds).clone();
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
    ($($target:ident: $cases:literal;)*) => {
        $(
            #[test]
            fn $target() {
                let target = stringify!($target);
                let seeds = seeds(target);
                assert!(!seeds.is_empty());
                for seed in &seeds {
                    sunzi_fuzzing::run(target, seed);
                }
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
    matrix_market: 100;
    failing_readers: 200;
    expressions: 100;
    coefficients: 300;
    moduli: 200;
    json: 50;
    int_mul: 40;
    multiplier: 40;
    polynomials: 40;
}
