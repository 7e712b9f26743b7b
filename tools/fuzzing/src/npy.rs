//! Headers of NumPy's files: bytes as they are, and headers made of them, which are right in any spelling that Python has.

use sunzi::scale::npy::Header;

pub fn run(data: &[u8]) -> bool {
    let found = Header::parse(data);
    match &found {
        Ok((header, start)) => {
            assert!(*start <= data.len() && matches!(header.word, 4 | 8));
            let again = header.bytes();
            assert_eq!(Header::parse(&again), Ok((header.clone(), again.len())));
            if let Ok(words) = header.words() {
                let product: u128 = header.shape.iter().map(|&length| length as u128).product();
                assert_eq!(words as u128, product);
            }
        }
        Err(said) => assert!(
            !said.is_empty() && !said.contains(char::is_control),
            "{said:?}"
        ),
    }
    let (header, bytes) = made(data);
    assert_eq!(Header::parse(&bytes).map(|found| found.0), Ok(header));
    found.is_ok()
}

/// A header whose spelling the bytes choose, and what it must be read as.
fn made(data: &[u8]) -> (Header, Vec<u8>) {
    let mut choices = data.iter().copied().chain(std::iter::repeat(0));
    let mut choose = move |among: usize| usize::from(choices.next().unwrap_or(0)) % among;
    let word = [4, 8][choose(2)];
    let shape: Vec<usize> = (0..choose(4)).map(|_| choose(200) << choose(24)).collect();
    let mut blanks = Vec::new();
    blanks.resize_with(20, || ["", " ", "  "][choose(3)]);
    let quote = ['\'', '"'][choose(2)];
    let mut lengths: Vec<_> = shape.iter().map(usize::to_string).collect();
    if let [only] = &mut lengths[..] {
        only.push(',');
    }
    let mut entries = [
        format!(
            "{quote}descr{quote}{}:{}{quote}<u{word}{quote}",
            blanks[0], blanks[1]
        ),
        format!("{quote}fortran_order{quote}:{}False", blanks[2]),
        format!(
            "{quote}shape{quote}{}:({}{}{})",
            blanks[3],
            blanks[4],
            lengths.join(&format!("{},{}", blanks[5], blanks[6])),
            blanks[7]
        ),
    ];
    entries.rotate_left(choose(3));
    let comma = ["", ","][choose(2)];
    let text = format!(
        "{{{}{}{comma}{}}}{}\n",
        blanks[8],
        entries.join(&format!("{},{}", blanks[9], blanks[10])),
        blanks[11],
        blanks[12]
    );
    let mut bytes = b"\x93NUMPY".to_vec();
    match choose(3) {
        0 => {
            bytes.extend([1, 0]);
            bytes.extend((text.len() as u16).to_le_bytes());
        }
        version => {
            bytes.extend([version as u8 + 1, 0]);
            bytes.extend((text.len() as u32).to_le_bytes());
        }
    }
    bytes.extend(text.bytes());
    (
        Header {
            word,
            is_signed: false,
            shape,
        },
        bytes,
    )
}
