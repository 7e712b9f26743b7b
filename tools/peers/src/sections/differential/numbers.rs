//! Limb arithmetic, word moduli, Euclid's algorithm and expressions, against GMP.

use rug::Integer;
use rug::integer::Order;
use sunzi_field::{WordModulus, euclid, expression};
use sunzi_integer::Natural;
use sunzi_rns::limbs;

use super::operation::Operation;
use super::trial::Trial;

pub fn operations() -> Vec<Operation> {
    vec![
        Operation::alone("limbs", "GMP", limb_arithmetic),
        Operation::alone("word-modulus", "GMP", word_modulus),
        Operation::alone("inverse-modulo", "GMP", inverse),
        Operation::alone("euclid-remainder", "the definition by GMP", remainder),
        Operation::alone("expressions", "GMP", expressions),
    ]
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
    let ours = modulus.reduce_integer(&sunzi_integer::Integer::from(&negative));
    trial.compare_one("reduce_integer", ours, residue(negative));
    // Modulo 1 everything is its own inverse, which GMP does not say.
    if m > 1 {
        let theirs = x.invert(&p).ok().map(residue);
        trial.compare_one("inv", modulus.inv(a), theirs);
    }
}

/// As Sunzi has it.
fn natural(value: &Integer) -> Natural {
    Natural::try_from(value).expect("not negative")
}

fn inverse(trial: &mut Trial) {
    let length = trial.length(6, 30);
    let modulus = Integer::from_digits(&trial.limbs(length), Order::Lsf).abs() + 2u32;
    let value = Integer::from_digits(&trial.limbs(length), Order::Lsf) % &modulus;
    let ours = euclid::inverse(&natural(&value), &natural(&modulus)).map(Integer::from);
    trial.compare_one("inverse", ours, value.invert(&modulus).ok());
}

/// The first remainder of Euclid's algorithm below a bound, and its cofactor, by quotients one at a time.
fn remainder(trial: &mut Trial) {
    let length = trial.length(6, 30);
    let mut number = || Integer::from_digits(&trial.limbs(length), Order::Lsf);
    let (modulus, value, bound) = (number() + 1u32, number(), number());
    let bound = (bound >> trial.below(64 * length) as u32) + 1u32;
    let [m, v, b] = [&modulus, &value, &bound].map(natural);
    let (ours, cofactor) = euclid::first_remainder_below::<_, sunzi_integer::Integer>(&m, &v, &b);
    let (mut x, mut y) = (modulus.clone(), value % &modulus);
    let (mut s, mut t) = (Integer::new(), Integer::from(1));
    while y >= bound {
        let (quotient, rest) = x.div_rem(y.clone());
        x = std::mem::replace(&mut y, rest);
        let next = s - &t * quotient;
        s = std::mem::replace(&mut t, next);
    }
    trial.compare_one("remainder", Integer::from(ours), y);
    trial.compare_one("cofactor", Integer::from(cofactor), t);
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
        // A bound on the bits is no matter for a value that keeps to it.
        let bits = value.significant_bits() as usize;
        let ways = [
            expression::parse::<Natural>(&text),
            expression::parse_bounded(&text, 64 * bits + 1024),
        ];
        for parsed in ways {
            if let Some(ours) = trial.expect(&text, parsed) {
                trial.compare_one(&text, Integer::from(ours), value.clone());
            }
        }
    }
}
