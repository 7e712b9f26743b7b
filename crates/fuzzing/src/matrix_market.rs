//! Matrix Market files, packed and damaged.
//!
//! The oracle for packed ones is the packing's own library on all bytes at once: what it refuses is refused, and what
//! it unpacks is read as its text is.

use crate::bytes::Bytes;
use crate::faulty::Pieces;
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use std::io::{Read, Write};
use sunzi::linalg::sparse::matrix_market::{
    Integers, MatrixMarketError, Places, Reader, Reals, read, read_dense, write, write_dense,
};

/// Rows and columns beyond which nothing is read: what is declared takes memory.
const LARGE: usize = 1 << 10;

pub fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let (kind, size) = (bytes.byte(), bytes.within(1..=300));
    let places = [
        bytes.within(0..=usize::from(u16::MAX)),
        bytes.within(0..=usize::from(u16::MAX)),
    ];
    let text = bytes.rest();
    match kind % 4 {
        // Whatever it is.
        0 => {
            check(text, size);
        }
        1 => {
            let packed = zipped(text);
            assert_eq!(check(&packed, size), check(text, size));
        }
        2 => {
            let mut damaged = zipped(text);
            for place in places {
                let bit = place % (8 * damaged.len());
                damaged[bit / 8] ^= 1 << (bit % 8);
            }
            check(&damaged, size);
        }
        _ => {
            let (start, end) = text.split_at(places[0] % (text.len() + 1));
            let members = [zipped(start), zipped(end)].concat();
            check(
                &members[..members.len() - places[1] % 20 % members.len()],
                size,
            );
        }
    }
}

fn zipped(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    // Memory takes everything.
    encoder.write_all(text).expect("memory");
    encoder.finish().expect("memory")
}

/// What a file is read as, in words, however its bytes come; `None` if it is refused.
fn check(file: &[u8], size: usize) -> Option<String> {
    let mut text = Vec::new();
    let mut intact = true;
    if file.starts_with(&[0x1f, 0x8b]) {
        intact = MultiGzDecoder::new(file).read_to_end(&mut text).is_ok();
    } else {
        text.extend_from_slice(file);
    }
    let Ok(reader) = Reader::open(&text[..]) else {
        refused(file, size);
        return None;
    };
    if reader.rows().max(reader.columns()) > LARGE {
        return None;
    }
    let found = words(&text);
    if !intact {
        refused(file, size);
        return None;
    }
    assert_eq!(words(file), found);
    assert_eq!(all(|| Pieces::new(file, size, false)), found);
    found
}

fn refused(file: &[u8], size: usize) {
    assert!(all(|| file).is_none());
    assert!(all(|| Pieces::new(file, size, false)).is_none());
}

fn words(file: &[u8]) -> Option<String> {
    all(|| file)
}

/// A file in all ways of reading.
fn all<R: Read>(open: impl Fn() -> R) -> Option<String> {
    let mut found = String::new();
    let mut add = |read: Result<String, MatrixMarketError>| match read {
        Ok(words) => found += &words,
        Err(error) => {
            assert!(error.line > 0 && !error.to_string().is_empty());
            found += "refused;";
        }
    };
    add(read(open(), &Reals).map(|matrix| {
        let mut file = Vec::new();
        write(&mut file, &matrix, "").expect("finite numbers");
        assert_eq!(read(&file[..], &Reals).expect("what was written"), matrix);
        format!("{matrix:?}")
    }));
    add(read(open(), &Places).map(|matrix| format!("{matrix:?}")));
    add(read_dense(open(), &Integers).map(|matrix| {
        let mut file = Vec::new();
        write_dense(&mut file, &matrix, "").expect("memory");
        assert_eq!(
            read_dense(&file[..], &Integers).expect("what was written"),
            matrix
        );
        format!("{matrix:?}")
    }));
    (found != "refused;refused;refused;").then_some(found)
}
