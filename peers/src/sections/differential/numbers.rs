//! Texts of integers, limb arithmetic, word moduli, primality and expressions, against GMP and FLINT.

use std::sync::Arc;

use flint3_sys as sys;
use rug::Integer;
use rug::integer::{IsPrime, Order};
use sunzi_field::{WordModulus, euclid, expression, primality};
use sunzi_integer::convert::rug::{from_rug, to_rug};
use sunzi_integer::text::{self, DecimalTables};
use sunzi_integer::{Multiplier, limbs};

use super::operation::Operation;
use super::trial::Trial;

pub fn operations() -> Vec<Operation> {
    let multiplier = Arc::new(Multiplier::new());
    let with_multiplier = |name, case: fn(&Multiplier, &mut Trial)| {
        let multiplier = multiplier.clone();
        Operation::new(name, "GMP", move |trial| case(&multiplier, trial))
    };
    vec![
        with_multiplier("decimal-format", format_decimal),
        with_multiplier("decimal-parse", parse_decimal),
        Operation::new("hex", "GMP", hex),
        Operation::new("limbs", "GMP", limb_arithmetic),
        Operation::new("word-modulus", "GMP", word_modulus),
        Operation::new("is-prime", "FLINT and GMP", is_prime),
        Operation::new("factor", "FLINT", factor),
        Operation::new("inverse-modulo", "GMP", inverse),
        Operation::new("expressions", "GMP", expressions),
    ]
}

/// An integer of either sign, long ones now and then; powers of ten and their neighbours, too.
fn integer(trial: &mut Trial) -> Integer {
    let rare = if trial.below(8) == 0 { 1 << 12 } else { 400 };
    let length = trial.length(30, rare);
    let mut value = match trial.below(6) {
        0 => {
            let digits = trial.below(19 * length + 1) as u32;
            let power = Integer::from(Integer::u_pow_u(10, digits));
            power + Integer::from(trial.below(3)) - 1u32
        }
        _ => Integer::from_digits(&trial.limbs(length), Order::Lsf),
    };
    if trial.below(3) == 0 {
        value = -value;
    }
    value
}

fn format_decimal(multiplier: &Multiplier, trial: &mut Trial) {
    let value = integer(trial);
    let mut ours = Vec::new();
    match DecimalTables::new().format(multiplier, &from_rug(&value), &mut ours) {
        Ok(()) => trial.compare("digits", &ours, value.to_string().as_bytes()),
        Err(error) => trial.fail(error.to_string()),
    }
}

fn parse_decimal(multiplier: &Multiplier, trial: &mut Trial) {
    let value = integer(trial);
    let mut digits = value.to_string();
    if trial.below(4) == 0 && value >= 0 {
        digits = format!("{}{digits}", "0".repeat(trial.below(40)));
    }
    match text::parse_integer_with(multiplier, digits.as_bytes()) {
        Ok(ours) => compare_integers(trial, &ours, &value),
        Err(error) => trial.fail(error.to_string()),
    }
}

/// Sign and limbs.
fn compare_integers(trial: &mut Trial, ours: &dashu_int::IBig, theirs: &Integer) {
    let (sign, words) = ours.as_sign_words();
    trial.compare_one("sign", sign == dashu_int::Sign::Negative, *theirs < 0);
    trial.compare("limbs", words, &theirs.as_abs().to_digits(Order::Lsf));
}

fn hex(trial: &mut Trial) {
    let value = integer(trial);
    let sign = if value < 0 { "-" } else { "" };
    let theirs = format!("{sign}0x{}", value.as_abs().to_string_radix(16));
    let ours = text::to_hex(&from_rug(&value));
    trial.compare("hexadecimal digits", ours.as_bytes(), theirs.as_bytes());
    match text::parse_integer(theirs.as_bytes()) {
        Ok(ours) => compare_integers(trial, &ours, &value),
        Err(error) => trial.fail(error.to_string()),
    }
}

/// The low limbs of an integer, in two's complement, and what lies above.
fn split(value: Integer, count: usize) -> (Vec<u64>, Integer) {
    let high = Integer::from(&value >> (64 * count as u32));
    let low = value.keep_bits(64 * count as u32);
    let mut limbs = vec![0; count];
    low.write_digits(&mut limbs, Order::Lsf);
    (limbs, high)
}

fn limb_arithmetic(trial: &mut Trial) {
    let count = trial.length(20, 200);
    let (a, b, word) = (trial.limbs(count), trial.limbs(count), trial.limbs(1)[0]);
    let [x, y] = [&a, &b].map(|limbs| Integer::from_digits(limbs, Order::Lsf));
    let mut compare = |what: &str, ours: (Vec<u64>, u64), value: Integer| {
        let (low, high) = split(value, count);
        trial.compare(what, &ours.0, &low);
        // What is borrowed has the opposite sign.
        trial.compare_one(what, Integer::from(ours.1), high.abs());
    };
    let on = |own: &[u64], operation: &dyn Fn(&mut [u64]) -> u64| {
        let mut out = own.to_vec();
        let high = operation(&mut out);
        (out, high)
    };
    let sum = Integer::from(&x + &y);
    let difference = Integer::from(&x - &y);
    let zeros = vec![0; count];
    compare(
        "add_n",
        on(&zeros, &|out| limbs::add_n(out, &a, &b)),
        sum.clone(),
    );
    compare(
        "sub_n",
        on(&zeros, &|out| limbs::sub_n(out, &a, &b)),
        difference.clone(),
    );
    compare("add_assign", on(&a, &|out| limbs::add_assign(out, &b)), sum);
    compare(
        "sub_assign",
        on(&a, &|out| limbs::sub_assign(out, &b)),
        difference.clone(),
    );
    compare(
        "sub_from",
        on(&b, &|out| limbs::sub_from(out, &a)),
        difference,
    );
    compare(
        "add_1",
        on(&a, &|out| limbs::add_1(out, word)),
        Integer::from(&x + word),
    );
    compare(
        "sub_1",
        on(&a, &|out| limbs::sub_1(out, word)),
        Integer::from(&x - word),
    );
    let multiple = Integer::from(&x * word);
    compare(
        "mul_1",
        on(&zeros, &|out| limbs::mul_1(out, &a, word)),
        multiple.clone(),
    );
    compare(
        "addmul_1",
        on(&b, &|out| limbs::addmul_1(out, &a, word)),
        Integer::from(&y + &multiple),
    );
    compare(
        "submul_1",
        on(&b, &|out| limbs::submul_1(out, &a, word)),
        y.clone() - multiple,
    );
    let bits = 1 + (word % 63) as u32;
    compare(
        "shl_assign",
        on(&a, &|out| limbs::shl_assign(out, bits)),
        Integer::from(&x << bits),
    );
    let (mut ours, mut multiple) = (a.clone(), a.clone());
    let lost = limbs::shr_assign(&mut ours, bits);
    trial.compare(
        "shr_assign",
        &ours,
        &split(Integer::from(&x >> bits), count).0,
    );
    let below = x.clone().keep_bits(bits) << (64 - bits);
    trial.compare_one("bits shifted out", Integer::from(lost), below);
    trial.compare_one("cmp", limbs::cmp(&a, &b), x.cmp(&y));
    // A multiple of 3 that fits.
    limbs::shr_assign(&mut multiple, 2);
    let third = multiple.clone();
    limbs::mul_1(&mut multiple, &third, 3);
    limbs::div_exact_3(&mut multiple);
    trial.compare("div_exact_3", &multiple, &third);
}

fn word_modulus(trial: &mut Trial) {
    let words = trial.limbs(8);
    let m = words[0].max(1) >> trial.below(words[0].max(1).ilog2() as usize + 1);
    let modulus = WordModulus::new(m);
    let [a, b] = [words[1] % m, words[2] % m];
    let (x, y, p) = (Integer::from(a), Integer::from(b), Integer::from(m));
    let residue = |value: Integer| value.modulo(&p).to_u64().expect("below a word");
    trial.compare_one("add", modulus.add(a, b), residue(Integer::from(&x + &y)));
    trial.compare_one("sub", modulus.sub(a, b), residue(Integer::from(&x - &y)));
    trial.compare_one("mul", modulus.mul(a, b), residue(Integer::from(&x * &y)));
    trial.compare_one("reduce", modulus.reduce(words[3]), words[3] % m);
    let wide = u128::from(words[3] % m) << 64 | u128::from(words[4]);
    trial.compare_one(
        "reduce_wide",
        modulus.reduce_wide(wide),
        residue(Integer::from(wide)),
    );
    let power = x
        .clone()
        .pow_mod(&Integer::from(words[5]), &p)
        .expect("not negative");
    trial.compare_one("pow", modulus.pow(a, words[5]), residue(power));
    let all = Integer::from_digits(&words, Order::Lsf);
    trial.compare_one(
        "reduce_limbs",
        modulus.reduce_limbs(&words),
        residue(all.clone()),
    );
    let negative = -all;
    let ours = modulus.reduce_integer(&from_rug(&negative));
    trial.compare_one("reduce_integer", ours, residue(negative));
    // Modulo 1 everything is its own inverse, which GMP does not say.
    if m > 1 {
        let theirs = x.invert(&p).ok().map(residue);
        trial.compare_one("inv", modulus.inv(a), theirs);
    }
}

/// Words of every length, and numbers that look prime to some.
fn candidate(trial: &mut Trial) -> u64 {
    /// Strong pseudoprimes to several of the first bases.
    const PSEUDOPRIMES: [u64; 6] = [
        2047,
        1_373_653,
        25_326_001,
        3_215_031_751,
        341_550_071_728_321,
        3_825_123_056_546_413_051,
    ];
    let word = trial.limbs(1)[0];
    match trial.below(8) {
        0 => word >> trial.below(64),
        1 => *trial.pick(&PSEUDOPRIMES),
        // A prime times another near it or near its double.
        2 => {
            let next = |from: u64| Integer::from(from).next_prime().to_u64().unwrap_or(3);
            let p = next(word >> 33);
            p.saturating_mul(next(p * (1 + trial.random.below(2))))
        }
        _ => (word >> trial.below(64)) | 1,
    }
}

fn is_prime(trial: &mut Trial) {
    for _ in 0..8 {
        let n = candidate(trial);
        let ours = primality::is_prime(n);
        // SAFETY: takes any word.
        let theirs = unsafe { sys::n_is_prime(n) } != 0;
        trial.compare_one(&format!("{n}"), ours, theirs);
        let theirs = Integer::from(n).is_probably_prime(30) != IsPrime::No;
        trial.compare_one(&format!("{n}, by GMP"), ours, theirs);
    }
}

fn factor(trial: &mut Trial) {
    // Long words take long.
    let shift = if trial.below(8) == 0 { 0 } else { 32 };
    let n = (candidate(trial) >> shift).max(1);
    let mut factors = sys::n_factor_t::default();
    // SAFETY: a valid place for the answer, which holds no more factors than a word has.
    unsafe { sys::n_factor(&mut factors, n, 1) };
    let count = usize::try_from(factors.num).expect("not negative");
    let mut theirs: Vec<(u64, u32)> = (0..count)
        .map(|i| (factors.p[i], factors.exp[i] as u32))
        .collect();
    theirs.sort_unstable();
    let mut ours = primality::factor(n);
    ours.sort_unstable();
    trial.compare(&format!("factors of {n}"), &ours, &theirs);
}

fn inverse(trial: &mut Trial) {
    let length = trial.length(6, 30);
    let modulus = Integer::from_digits(&trial.limbs(length), Order::Lsf).abs() + 2u32;
    let value = Integer::from_digits(&trial.limbs(length), Order::Lsf) % &modulus;
    let natural = |value: &Integer| from_rug(value).into_parts().1;
    let ours = euclid::inverse(&natural(&value), &natural(&modulus));
    let ours = ours.map(|inverse| to_rug(&inverse.into()));
    trial.compare_one("inverse", ours, value.invert(&modulus).ok());
}

/// Sums and products of powers, as text and as a value.
fn expressions(trial: &mut Trial) {
    for _ in 0..4 {
        let (mut text, mut value) = (String::new(), Integer::new());
        for term in 0..1 + trial.below(4) {
            let (base, exponent) = (2 + trial.below(20) as u32, trial.below(80) as u32);
            let factor = 1 + trial.below(1000) as u32;
            let addend = trial.below(1 << 16) as u32;
            let power = Integer::from(Integer::u_pow_u(base, exponent)) * factor;
            if term > 0 {
                text.push('+');
            }
            match trial.below(3) {
                0 => {
                    text += &format!("{factor}*{base}^{exponent}");
                    value += power;
                }
                1 => {
                    text += &format!("({base}^{exponent}*{factor}+{addend})^2");
                    let sum = power + addend;
                    value += sum.square();
                }
                _ => {
                    text += &format!(" {factor} * {base}^{exponent} + {addend}");
                    value += power + addend;
                }
            }
        }
        match expression::parse(&text) {
            Ok(ours) => trial.compare_one(&text, to_rug(&ours.into()), value),
            Err(error) => trial.fail(format!("{text}: {error}")),
        }
    }
}
