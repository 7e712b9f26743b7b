//! Hexadecimal digits to limbs: sixteen digits a limb, linear time.

use sunzi_rns::limbs;

/// The value of a hexadecimal digit.
#[inline]
pub(super) fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

/// Limbs of the number with these digits; `Err` holds the offset of the first byte that is none.
pub(super) fn limbs_from_digits(digits: &[u8]) -> Result<Vec<u64>, usize> {
    let mut value = Vec::with_capacity(digits.len().div_ceil(16));
    if let Some(at) = digits.iter().position(|&byte| digit(byte).is_none()) {
        return Err(at);
    }
    for group in digits.rchunks(16) {
        let nibbles = group.iter().filter_map(|&byte| digit(byte));
        value.push(nibbles.fold(0, |limb, nibble| limb << 4 | u64::from(nibble)));
    }
    limbs::truncate_zeros(&mut value);
    Ok(value)
}
