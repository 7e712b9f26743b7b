//! Chunks: groups of 19 decimal digits, the most that fit one 64-bit word.

/// Decimal digits in a chunk.
pub const DIGITS: usize = 19;

/// 10^19, the base whose digits the chunks are. Its top bit is set.
pub const BASE: u64 = 10_000_000_000_000_000_000;

/// The two digits of 0 … 99 one after the other.
const PAIRS: [u8; 200] = {
    let mut pairs = [0; 200];
    let mut i = 0;
    while i < 100 {
        pairs[2 * i] = b'0' + (i / 10) as u8;
        pairs[2 * i + 1] = b'0' + (i % 10) as u8;
        i += 1;
    }
    pairs
};

/// Value of 8 ASCII digits, by three multiplications that join neighbours in pairs.
#[inline]
fn eight_digits(text: [u8; 8]) -> u64 {
    let mut word = u64::from_le_bytes(text) & 0x0f0f_0f0f_0f0f_0f0f;
    word = (word.wrapping_mul(10) + (word >> 8)) & 0x00ff_00ff_00ff_00ff;
    word = (word.wrapping_mul(100) + (word >> 16)) & 0x0000_ffff_0000_ffff;
    (word.wrapping_mul(10_000) + (word >> 32)) & 0xffff_ffff
}

/// Value of at most 19 ASCII digits, which the caller has checked to be digits.
#[inline]
pub fn value(mut text: &[u8]) -> u64 {
    debug_assert!(text.len() <= DIGITS);
    let mut value = 0u64;
    while let Some((head, tail)) = text.split_first_chunk::<8>() {
        value = value * 100_000_000 + eight_digits(*head);
        text = tail;
    }
    for &digit in text {
        value = value * 10 + u64::from(digit - b'0');
    }
    value
}

/// Writes a chunk (below 10^19) as exactly 19 digits.
#[inline]
pub fn write(out: &mut [u8; DIGITS], chunk: u64) {
    debug_assert!(chunk < BASE);
    let (high, low) = (chunk / 10_000_000_000, chunk % 10_000_000_000);
    // 9 + 10 digits; the upper 9 fit 32 bits, the lower 10 are cut once more.
    let (low_high, low_low) = ((low / 100_000) as u32, (low % 100_000) as u32);
    write_nine(&mut out[..9], high as u32);
    write_five(&mut out[9..14], low_high);
    write_five(&mut out[14..], low_low);
}

#[inline]
fn write_nine(out: &mut [u8], value: u32) {
    write_five(&mut out[4..9], value % 100_000);
    let top = (value / 100_000) as usize;
    pair(&mut out[..2], top / 100);
    pair(&mut out[2..4], top % 100);
}

#[inline]
fn write_five(out: &mut [u8], value: u32) {
    let value = value as usize;
    out[0] = b'0' + (value / 10_000) as u8;
    pair(&mut out[1..3], value / 100 % 100);
    pair(&mut out[3..5], value % 100);
}

#[inline]
fn pair(out: &mut [u8], value: usize) {
    out.copy_from_slice(&PAIRS[2 * value..2 * value + 2]);
}
