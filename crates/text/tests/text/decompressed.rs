//! Compressed files: their text or an error, whatever is done to them.

use std::io::{self, Read};

use proptest::prelude::*;
use sunzi_testkit::{Pieces, gzip};
use sunzi_text::Decompressed;

/// Everything, and that an error stays one.
fn decompressed(source: impl Read) -> io::Result<Vec<u8>> {
    let mut source = Decompressed::open(source)?;
    let mut text = Vec::new();
    match source.read_to_end(&mut text) {
        Ok(_) => Ok(text),
        Err(error) => {
            for _ in 0..3 {
                let again = source.read(&mut [0; 9]).unwrap_err();
                assert_eq!(again.to_string(), error.to_string());
            }
            Err(error)
        }
    }
}

proptest! {
    #[test]
    fn bytes_come_back(
        parts in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..50), 1..4),
        size in 1usize..70,
        fails in any::<bool>(),
    ) {
        let text = parts.concat();
        let compressed: Vec<u8> = parts.iter().flat_map(gzip).collect();
        let plain = [b"text: ", &text[..]].concat();
        for (bytes, text) in [(&compressed, &text), (&plain, &plain)] {
            let found = decompressed(Pieces::new(bytes, size, fails));
            if fails {
                prop_assert!(found.is_err());
            } else if !text.starts_with(b"\x1f\x8b") && !text.starts_with(b"\x1f\x9d") {
                prop_assert_eq!(&found.unwrap(), text);
            }
        }
    }

    #[test]
    fn damage_is_told_or_harmless(
        text in prop::collection::vec(any::<u8>(), 0..300),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 1u8..=255), 1..4),
        cut in any::<prop::sample::Index>(),
    ) {
        let compressed = gzip(&text);
        let mut changed = compressed.clone();
        for (place, change) in changes {
            changed[place.index(compressed.len())] ^= change;
        }
        for damaged in [&changed[..], &compressed[..cut.index(compressed.len())]] {
            let is_compressed = damaged.starts_with(&[0x1f, 0x8b]);
            if let (true, Ok(found)) = (is_compressed, decompressed(damaged)) {
                prop_assert_eq!(&found, &text);
            }
        }
    }
}

#[test]
fn a_pipe_is_not_waited_for_without_need() {
    /// A line, after which nothing must be asked for.
    struct Line(&'static [u8]);
    impl Read for Line {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            assert!(!self.0.is_empty(), "waits for a second line");
            self.0.read(&mut bytes[..1])
        }
    }
    for line in [&b"7"[..], b"Bx", b"P1", b"\n"] {
        let opened = Decompressed::open(Line(line)).unwrap();
        assert!(!opened.is_compressed());
    }
}

#[test]
fn other_compressions_are_named() {
    let cases: [(&[u8], &str); 6] = [
        (
            b"BZh91AY&SY",
            "compressed by bzip2: decompress it first (bunzip2)",
        ),
        (b"\xfd7zXZ\0\0", "compressed by xz"),
        (b"\x28\xb5\x2f\xfd\x04", "compressed by zstd"),
        (b"PK\x03\x04", "compressed by zip"),
        (&gzip(b"BZh9"), "compressed by bzip2"),
        (&gzip(gzip(b"1\n")), "compressed by gzip twice"),
    ];
    for (bytes, said) in cases {
        for size in [1, 2, 3, bytes.len()] {
            let error = decompressed(Pieces::new(bytes, size, false)).unwrap_err();
            assert!(error.to_string().contains(said), "{size}: {error}");
        }
    }
}

#[test]
fn a_cut_file_and_a_damaged_one_are_told_apart() {
    let text: Vec<u8> = (0..100_000_u32)
        .flat_map(|i| i.wrapping_mul(i).to_le_bytes())
        .collect();
    let whole = gzip(&text);
    for cut in [3, 9, 100, whole.len() / 2, whole.len() - 9, whole.len() - 1] {
        let error = decompressed(&whole[..cut]).unwrap_err();
        assert!(
            error.to_string().ends_with("cut: its end is missing"),
            "{cut}: {error}"
        );
    }
    let mut changed = whole;
    let checksum = changed.len() - 6;
    changed[checksum] ^= 1;
    let error = decompressed(&changed[..]).unwrap_err();
    assert!(error.to_string().contains("damaged"), "{error}");
}

#[test]
fn a_byte_order_mark_is_no_text() {
    for size in 1..5 {
        let marked = b"\xef\xbb\xbf12\n".to_vec();
        for bytes in [marked.clone(), gzip(&marked)] {
            let found = decompressed(Pieces::new(&bytes, size, false)).unwrap();
            assert_eq!(found, b"12\n");
        }
        // A part of one is text.
        let part = b"\xef\xbb12\n".to_vec();
        assert_eq!(decompressed(Pieces::new(&part, size, false)).unwrap(), part);
    }
}
