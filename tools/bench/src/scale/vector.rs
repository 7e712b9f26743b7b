//! Vectors to transform: elements that look random.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use sunzi::Natural;
use sunzi::field::AnyField;
use sunzi::scale::npy::Header;

/// Writes so many elements of a field.
pub fn write(path: &Path, field: &AnyField, points: usize) -> io::Result<()> {
    let (word, width) = (field.word_bits() / 8, field.width());
    let mut shape = vec![points];
    shape.extend((width > 1).then_some(width));
    // Digits below r, residues below p.
    let below = match field.radix_and_digits() {
        Some((radix, _)) => radix,
        None => u64::try_from(&field.modulus::<Natural>()).unwrap_or(u64::MAX),
    };
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
    file.write_all(
        &Header {
            word,
            is_signed: false,
            shape,
        }
        .bytes(),
    )?;
    let mut state = 1u64;
    for _ in 0..points * width {
        // Knuth's multiplier; the upper bits of a product with the bound are below it.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let value = ((u128::from(state) * u128::from(below)) >> 64) as u64;
        file.write_all(&value.to_le_bytes()[..word])?;
    }
    file.into_inner()?.sync_all()
}
