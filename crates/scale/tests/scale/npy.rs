//! Headers as NumPy writes them, and such that lie.

use sunzi_scale::npy::Header;

/// A header of version 1 with this dictionary.
fn file(dictionary: &str) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((dictionary.len() as u16).to_le_bytes());
    bytes.extend(dictionary.as_bytes());
    bytes
}

#[test]
fn headers_of_numpy_are_read() {
    let known = "{'descr': '<u8', 'fortran_order': False, 'shape': (3,), }   \n";
    let header = |word, shape: &[usize]| Header {
        word,
        is_signed: false,
        shape: shape.to_vec(),
    };
    assert_eq!(
        Header::parse(&file(known)),
        Ok((header(8, &[3]), 10 + known.len()))
    );
    for (text, expected) in [
        (
            "{'descr': '<u4', 'fortran_order': False, 'shape': (2, 5)}",
            header(4, &[2, 5]),
        ),
        (
            "{\"shape\": (7,), \"descr\": \"<u8\", \"fortran_order\": False}",
            header(8, &[7]),
        ),
        (
            "{'descr':'<u8','fortran_order':False,'shape':(10L, 3L),}",
            header(8, &[10, 3]),
        ),
        (
            "{'descr': '<u8', 'fortran_order': False, 'shape': ()}",
            header(8, &[]),
        ),
    ] {
        assert_eq!(
            Header::parse(&file(text)).map(|found| found.0),
            Ok(expected)
        );
    }
    // Versions 2 and 3 have longer lengths.
    for version in [2, 3] {
        let mut bytes = vec![0x93, b'N', b'U', b'M', b'P', b'Y', version, 0];
        bytes.extend((known.len() as u32).to_le_bytes());
        bytes.extend(known.as_bytes());
        assert_eq!(
            Header::parse(&bytes),
            Ok((header(8, &[3]), 12 + known.len()))
        );
    }
}

#[test]
fn what_is_written_is_read_again() {
    for shape in [vec![], vec![0], vec![1 << 40], vec![3, 4], vec![2, 3, 8]] {
        for (word, is_signed) in [(4, false), (8, false), (4, true), (8, true)] {
            let header = Header {
                word,
                is_signed,
                shape: shape.clone(),
            };
            let bytes = header.bytes();
            assert_eq!(bytes.len() % 4096, 0);
            assert_eq!(bytes.last(), Some(&b'\n'));
            assert_eq!(Header::parse(&bytes), Ok((header, bytes.len())));
        }
    }
}

#[test]
fn headers_that_lie_are_refused() {
    let refused = |text: &str| Header::parse(&file(text)).unwrap_err();
    let with = |descr: &str| {
        refused(&format!(
            "{{'descr': '{descr}', 'fortran_order': False, 'shape': (3,), }}"
        ))
    };
    for descr in ["<i2", ">u8", ">i8", "<f8", "|u1", "<u16", "", "|O"] {
        assert!(with(descr).contains("x.astype(numpy.uint64)"), "{descr}");
    }
    assert!(
        refused("{'descr': '<u8', 'fortran_order': True, 'shape': (3,), }")
            .contains("ascontiguousarray")
    );
    for text in [
        "",
        "{",
        "{'descr'",
        "{'descr': '<u8', 'fortran_order': False}",
        "{'descr': '<u8', 'shape': (3,)}",
        "{'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<u8', 'descr': '<u8', 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<u8', 'fortran_order': False, 'shape': (3,), 'more': 1}",
        "{'descr': '<u8' 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<u8', 'fortran_order': 0, 'shape': (3,)}",
        "{'descr': '<u8', 'fortran_order': False, 'shape': (-3,)}",
        "{'descr': '<u8', 'fortran_order': False, 'shape': (3 4)}",
        "{'descr': '<u8', 'fortran_order': False, 'shape': (99999999999999999999,)}",
        "{'descr': [('a', '<u8')], 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<u8', 'fortran_order': False, 'shape': (3,)} {",
        "{'descr': 'é, 'fortran_order': False}",
    ] {
        assert!(
            refused(text).starts_with("its header is not as numpy.save writes it"),
            "{text}"
        );
    }
    let huge = Header {
        word: 8,
        is_signed: false,
        shape: vec![1 << 40, 1 << 40],
    };
    assert!(huge.words().unwrap_err().contains("too large"));
    assert!(
        Header {
            word: 8,
            is_signed: false,
            shape: vec![usize::MAX]
        }
        .words()
        .is_err()
    );
}

#[test]
fn headers_cut_anywhere_are_refused() {
    let whole = Header {
        word: 8,
        is_signed: false,
        shape: vec![5],
    }
    .bytes();
    for end in 0..whole.len() {
        assert!(Header::parse(&whole[..end]).is_err(), "{end}");
    }
    // Each byte of the text changed to each other one of some: never a panic.
    for at in 0..128 {
        for byte in [0, b' ', b'(', b')', b'{', b'}', b'\'', b',', b'9', 0xff] {
            let mut bytes = whole.clone();
            bytes[at] = byte;
            let _ = Header::parse(&bytes);
        }
    }
    let mut long = whole;
    long[6] = 2;
    long[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(Header::parse(&long).unwrap_err().contains("too long"));
}
