//! Where the code of kernels is in what NVIDIA's compiler makes.
//!
//! That is an ELF file of 64 bits, little-endian, with a section `.text.NAME` for each kernel (*Executable and Linkable
//! Format*, TIS Committee, 1995, with the sizes of its 64-bit version).

/// What the section of a kernel's code is called, before the kernel's name.
const CODE: &[u8] = b".text.";

/// Name and code of all kernels, or `None` if this is no such file.
pub(super) fn kernels(file: &[u8]) -> Option<Vec<(String, &[u8])>> {
    if !file.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let headers = usize::try_from(number(file, 0x28, 8)?).ok()?;
    let [each, count, of_names] =
        [0x3a, 0x3c, 0x3e].map(|at| number(file, at, 2).map(|x| x as usize));
    let (each, count, of_names) = (each?, count?, of_names?);
    let header = |index: usize| {
        let at = headers.checked_add(index.checked_mul(each)?)?;
        file.get(at..at.checked_add(each)?)?;
        let [start, size] = [0x18, 0x20].map(|part| number(file, at.checked_add(part)?, 8));
        let range =
            usize::try_from(start?).ok()?..usize::try_from(start?.checked_add(size?)?).ok()?;
        Some((number(file, at, 4)? as usize, range))
    };
    let names = file.get(header(of_names)?.1)?;
    let mut found = Vec::new();
    for index in 0..count {
        let (name, range) = header(index)?;
        let name = names.get(name..)?.split(|&byte| byte == 0).next()?;
        if let Some(kernel) = name.strip_prefix(CODE) {
            let kernel = String::from_utf8_lossy(kernel).into_owned();
            found.push((kernel, file.get(range)?));
        }
    }
    Some(found)
}

/// A number of so many bytes, the lowest first.
fn number(file: &[u8], at: usize, bytes: usize) -> Option<u64> {
    let bytes = file.get(at..at.checked_add(bytes)?)?;
    let add = |number: u64, &byte: &u8| number << 8 | u64::from(byte);
    Some(bytes.iter().rev().fold(0, add))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of one section of names and one of code.
    fn file() -> Vec<u8> {
        let names = b"\0.text.squares\0.names\0";
        let mut file = b"\x7fELF\x02\x01".to_vec();
        file.resize(0x40, 0);
        file.extend(b"code");
        file.extend(names);
        let headers = file.len();
        let mut put = |at: usize, value: &[u8]| file[at..at + value.len()].copy_from_slice(value);
        put(0x28, &headers.to_le_bytes());
        put(0x3a, &[64, 0, 2, 0, 1, 0]);
        for (name, start, size) in [(1u32, 0x40u64, 4u64), (15, 0x44, names.len() as u64)] {
            let mut header = [0; 64];
            header[..4].copy_from_slice(&name.to_le_bytes());
            header[0x18..0x20].copy_from_slice(&start.to_le_bytes());
            header[0x20..0x28].copy_from_slice(&size.to_le_bytes());
            file.extend(header);
        }
        file
    }

    #[test]
    fn sections_of_code_are_found() {
        let file = file();
        let expected = [("squares".to_owned(), &b"code"[..])];
        assert_eq!(kernels(&file).as_deref(), Some(&expected[..]));
    }

    #[test]
    fn what_is_cut_off_or_wrong_is_refused() {
        let whole = file();
        for length in 0..whole.len() {
            assert_eq!(kernels(&whole[..length]), None, "{length} bytes");
        }
        for at in 0..whole.len() {
            let mut wrong = whole.clone();
            wrong[at] = 0xff;
            // Any answer will do that is one.
            let _ = kernels(&wrong);
        }
    }
}
