//! Known answers made by others, which live outside the repository.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use rug::Integer;

use crate::skip;

/// The folder of known answers, from the environment variable `SUNZI_DATA`; without it, `None`,
/// and a line on standard error says that the check was skipped.
pub fn data_dir() -> Option<PathBuf> {
    let folder = env::var_os("SUNZI_DATA").filter(|value| !value.is_empty());
    if folder.is_none() {
        skip("SUNZI_DATA names no folder of known answers");
    }
    folder.map(PathBuf::from)
}

/// A product of two polynomials over Z, coefficients from the constant term upward.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZxProduct {
    /// The first factor.
    pub a: Vec<Integer>,
    /// The second factor.
    pub b: Vec<Integer>,
    /// Their product.
    pub product: Vec<Integer>,
}

/// Reads the three lines of a `zx-products` file: two factors and their product.
///
/// # Errors
/// What is wrong, with line and word counted from 1.
///
/// ```
/// let known = sunzi_testkit::parse_zx_product("1 2\n3\n3 6").unwrap();
/// assert_eq!(known.product.len(), 2);
/// assert!(sunzi_testkit::parse_zx_product("1 2\n3x\n3 6").unwrap_err().contains("line 2"));
/// ```
pub fn parse_zx_product(text: &str) -> Result<ZxProduct, String> {
    let mut lines = text.lines().enumerate();
    let mut polynomial = || {
        let (index, line) = lines.next().ok_or("three lines are expected")?;
        let words = line.split_ascii_whitespace().enumerate();
        words
            .map(|(word, digits)| {
                digits
                    .parse()
                    .map_err(|error| format!("line {}, word {}: {error}", index + 1, word + 1))
            })
            .collect::<Result<Vec<Integer>, String>>()
    };
    Ok(ZxProduct {
        a: polynomial()?,
        b: polynomial()?,
        product: polynomial()?,
    })
}

/// Every known product below `folder`/zx-products, with its file, in order of names.
///
/// # Errors
/// If a file cannot be read or understood.
pub fn zx_products(folder: &Path) -> io::Result<Vec<(PathBuf, ZxProduct)>> {
    let mut files = fs::read_dir(folder.join("zx-products"))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<Vec<_>>>()?;
    files.retain(|file| {
        file.extension()
            .is_some_and(|extension| extension == "test")
    });
    files.sort();
    files
        .into_iter()
        .map(|file| {
            let known = parse_zx_product(&fs::read_to_string(&file)?)
                .map_err(|reason| io::Error::other(format!("{}: {reason}", file.display())))?;
            Ok((file, known))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_products_are_products() {
        let Some(folder) = data_dir() else { return };
        let known = zx_products(&folder).expect("readable known answers");
        assert!(!known.is_empty());
        for (file, ZxProduct { a, b, product }) in known {
            if a.len() <= 256 {
                assert_eq!(crate::convolution(&a, &b), product, "{}", file.display());
            }
        }
    }
}
