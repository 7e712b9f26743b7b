//! Every instruction of PTX that the stand-in knows, on values at which arithmetic goes wrong, against its definition in
//! the language's manual.

use crate::scene::{OK, Scene};
use std::collections::BTreeSet;

/// What an instruction makes of `%a` to `%d`.
type Definition = Box<dyn Fn([u64; 4]) -> u64>;

/// How many of the result's bits count; of doubles all do, but what is no number is as good as another such.
#[derive(Clone, Copy, PartialEq)]
enum Result {
    Bits(u32),
    Double,
}

/// Instructions, the last of which is tested and sets `%x` or the predicate `%r`; `%p` and `%q` say that `%a` and `%b` are not 0.
struct Case {
    text: String,
    result: Result,
    definition: Definition,
}

struct Table(Vec<Case>);

impl Table {
    fn add(
        &mut self,
        text: impl Into<String>,
        bits: u32,
        definition: impl Fn([u64; 4]) -> u64 + 'static,
    ) {
        self.0.push(Case {
            text: text.into(),
            result: Result::Bits(bits),
            definition: Box::new(definition),
        });
    }

    fn double(&mut self, text: &str, definition: impl Fn([f64; 4]) -> f64 + 'static) {
        self.0.push(Case {
            text: text.to_owned(),
            result: Result::Double,
            definition: Box::new(move |values| definition(values.map(f64::from_bits)).to_bits()),
        });
    }

    /// A comparison of doubles, which sets `%r`.
    fn compare(&mut self, name: &str, holds: impl Fn(f64, f64) -> bool + 'static) {
        let text = format!("setp.{name}.f64 %r, %a, %b;");
        self.add(text, 1, move |[a, b, ..]| {
            holds(f64::from_bits(a), f64::from_bits(b)).into()
        });
    }
}

fn mask(bits: u32) -> u64 {
    u64::MAX >> (64 - bits)
}

/// A value of so many bits, as a number.
fn number(value: u64, bits: u32, signed: bool) -> i128 {
    let value = i128::from(value & mask(bits));
    let is_negative = signed && value >> (bits - 1) == 1;
    value - (i128::from(is_negative) << bits)
}

/// The upper half of a product of numbers of so many bits.
fn high(product: i128, bits: u32, signed: bool) -> i128 {
    match signed {
        true => product >> bits,
        // Of two words it may have 128 bits.
        false => (product.cast_unsigned() >> bits).cast_signed(),
    }
}

const TYPES: [(&str, u32, bool); 6] = [
    ("u16", 16, false),
    ("s16", 16, true),
    ("u32", 32, false),
    ("s32", 32, true),
    ("u64", 64, false),
    ("s64", 64, true),
];
const BITS: [(&str, u32); 3] = [("b16", 16), ("b32", 32), ("b64", 64)];

fn arithmetic(table: &mut Table) {
    for (name, bits, signed) in TYPES {
        let n = move |value| number(value, bits, signed);
        let product = move |a, b| n(a).wrapping_mul(n(b));
        let binary = |name: &str| format!("{name} %x, %a, %b;");
        table.add(binary(&format!("add.{name}")), bits, move |[a, b, ..]| {
            (n(a) + n(b)) as u64
        });
        table.add(binary(&format!("sub.{name}")), bits, move |[a, b, ..]| {
            (n(a) - n(b)) as u64
        });
        table.add(binary(&format!("min.{name}")), bits, move |[a, b, ..]| {
            n(a).min(n(b)) as u64
        });
        table.add(binary(&format!("max.{name}")), bits, move |[a, b, ..]| {
            n(a).max(n(b)) as u64
        });
        table.add(
            binary(&format!("mul.lo.{name}")),
            bits,
            move |[a, b, ..]| product(a, b) as u64,
        );
        table.add(
            binary(&format!("mul.hi.{name}")),
            bits,
            move |[a, b, ..]| high(product(a, b), bits, signed) as u64,
        );
        let ternary = |name: String| format!("{name} %x, %a, %b, %c;");
        table.add(
            ternary(format!("mad.lo.{name}")),
            bits,
            move |[a, b, c, _]| product(a, b).wrapping_add(n(c)) as u64,
        );
        table.add(
            ternary(format!("mad.hi.{name}")),
            bits,
            move |[a, b, c, _]| (high(product(a, b), bits, signed) + n(c)) as u64,
        );
        if bits < 64 {
            table.add(
                binary(&format!("mul.wide.{name}")),
                2 * bits,
                move |[a, b, ..]| product(a, b) as u64,
            );
            table.add(
                ternary(format!("mad.wide.{name}")),
                2 * bits,
                move |[a, b, c, _]| (product(a, b) + number(c, 2 * bits, signed)) as u64,
            );
        }
        if signed {
            table.add(format!("neg.{name} %x, %a;"), bits, move |[a, ..]| {
                -n(a) as u64
            });
            table.add(format!("abs.{name} %x, %a;"), bits, move |[a, ..]| {
                n(a).unsigned_abs() as u64
            });
        } else {
            // What a division by zero gives is not defined: the divisor is odd.
            let odd = move |b| n(b | 1);
            let text =
                |name: &str, kind: &str| format!("or.b64 %y, %b, 1; {kind}.{name} %x, %a, %y;");
            table.add(text(name, "div"), bits, move |[a, b, ..]| {
                (n(a) / odd(b)) as u64
            });
            table.add(text(name, "rem"), bits, move |[a, b, ..]| {
                (n(a) % odd(b)) as u64
            });
        }
        for (to, to_bits, _) in TYPES {
            table.add(
                format!("cvt.{to}.{name} %x, %a;"),
                to_bits,
                move |[a, ..]| n(a) as u64,
            );
        }
    }
}

fn comparisons(table: &mut Table) {
    type Holds = fn(i128, i128) -> bool;
    let equalities: [(&str, Holds); 2] = [("eq", |a, b| a == b), ("ne", |a, b| a != b)];
    let orders: [(&str, Holds); 4] = [
        ("lt", |a, b| a < b),
        ("le", |a, b| a <= b),
        ("gt", |a, b| a > b),
        ("ge", |a, b| a >= b),
    ];
    let numbers = TYPES.iter().map(|&(name, bits, signed)| {
        let holds = equalities.iter().chain(&orders);
        (name, bits, signed, holds.copied().collect::<Vec<_>>())
    });
    let words = BITS.map(|(name, bits)| (name, bits, false, equalities.to_vec()));
    for (name, bits, signed, all) in numbers.chain(words) {
        for (kind, holds) in all {
            let n = move |value| number(value, bits, signed);
            let text = format!("setp.{kind}.{name} %r, %a, %b;");
            table.add(text, 1, move |[a, b, ..]| holds(n(a), n(b)).into());
        }
    }
}

fn carries(table: &mut Table) {
    // The flag is made of %d before, and seen in a sum of nothing behind.
    let given = "add.cc.u64 %y, %d, -1;";
    let shown = "addc.u64 %x, 0, 0;";
    for bits in [32, 64] {
        let n = move |value: u64| u128::from(value & mask(bits));
        let flag = |d: u64| u128::from(d != 0);
        // The carry out of a sum; a difference that is negative has all upper bits.
        let carry = move |value: u128| (value >> bits) as u64 & 1;
        type Value = Box<dyn Fn([u64; 4]) -> u128>;
        let add = |out: bool,
                   read: bool,
                   name: String,
                   operands: &str,
                   table: &mut Table,
                   values: [Value; 2]| {
            let before = if read { given } else { "" };
            let [value, again] = values;
            let text = format!("{before} {name} %x, {operands};");
            table.add(text, bits, move |all| value(all) as u64);
            if out {
                let text = format!("{before} {name} %z, {operands}; {shown}");
                table.add(text, 64, move |all| carry(again(all)));
            }
        };
        for (out, read) in [(true, false), (false, true), (true, true)] {
            let taken = move |d| if read { flag(d) } else { 0 };
            let end = format!("{}.u{bits}", if out { ".cc" } else { "" });
            let c = if read { "c" } else { "" };
            let sum = || -> Value { Box::new(move |[a, b, _, d]| n(a) + n(b) + taken(d)) };
            add(
                out,
                read,
                format!("add{c}{end}"),
                "%a, %b",
                table,
                [sum(), sum()],
            );
            let difference =
                || -> Value { Box::new(move |[a, b, _, d]| n(a).wrapping_sub(n(b) + taken(d))) };
            add(
                out,
                read,
                format!("sub{c}{end}"),
                "%a, %b",
                table,
                [difference(), difference()],
            );
            let low = || -> Value {
                Box::new(move |[a, b, c, d]| (n(a) * n(b)) % (1 << bits) + n(c) + taken(d))
            };
            add(
                out,
                read,
                format!("mad{c}.lo{end}"),
                "%a, %b, %c",
                table,
                [low(), low()],
            );
            let high = || -> Value {
                Box::new(move |[a, b, c, d]| ((n(a) * n(b)) >> bits) + n(c) + taken(d))
            };
            add(
                out,
                read,
                format!("mad{c}.hi{end}"),
                "%a, %b, %c",
                table,
                [high(), high()],
            );
        }
    }
}

fn bits(table: &mut Table) {
    for (name, bits) in BITS {
        let binary = |kind: &str| format!("{kind}.{name} %x, %a, %b;");
        table.add(binary("and"), bits, |[a, b, ..]| a & b);
        table.add(binary("or"), bits, |[a, b, ..]| a | b);
        table.add(binary("xor"), bits, |[a, b, ..]| a ^ b);
        table.add(format!("not.{name} %x, %a;"), bits, |[a, ..]| !a);
        // The count has 32 bits, whatever the type.
        table.add(binary("shl"), bits, move |[a, b, ..]| {
            (u128::from(a & mask(bits)) << (b as u32).min(64)) as u64
        });
        table.add(
            format!("bfi.{name} %x, %a, %b, %c, %d;"),
            bits,
            move |[a, b, c, d]| {
                let (place, count) = (c & 255, d & 255);
                // Bit by bit, as the manual has it.
                let taken = |at: u64| at >= place && at < place + count;
                (0..u64::from(bits)).fold(0, |all, at| {
                    let (from, bit) = if taken(at) { (a, at - place) } else { (b, at) };
                    all | (from >> bit & 1) << at
                })
            },
        );
    }
    for (name, bits, signed) in TYPES {
        let text = format!("shr.{name} %x, %a, %b;");
        table.add(text, bits, move |[a, b, ..]| {
            (number(a, bits, signed) >> (b as u32).min(127)) as u64
        });
    }
    table.add("prmt.b32 %x, %a, %b, %c;", 32, |[a, b, c, _]| {
        let bytes = [(a as u32).to_le_bytes(), (b as u32).to_le_bytes()].concat();
        let byte = |digit: u64| {
            let byte = bytes[digit as usize & 7];
            let sign = if byte >> 7 == 1 { 255 } else { 0 };
            if digit & 8 == 0 { byte } else { sign }
        };
        let picked = [0, 4, 8, 12].map(|shift| byte(c >> shift & 15));
        u32::from_le_bytes(picked).into()
    });
}

fn moves(table: &mut Table) {
    let numbers = TYPES.map(|(name, bits, _)| (name, bits));
    for (name, bits) in numbers.into_iter().chain(BITS) {
        table.add(format!("mov.{name} %x, %a;"), bits, |[a, ..]| a);
        let text = format!("selp.{name} %x, %c, %d, %p;");
        table.add(text, bits, |[a, _, c, d]| if a != 0 { c } else { d });
    }
    table.double("mov.f64 %x, %a;", |[a, ..]| a);
    table.add(
        "selp.f64 %x, %c, %d, %q;",
        64,
        |[_, b, c, d]| {
            if b != 0 { c } else { d }
        },
    );
    table.add("cvta.to.global.u64 %x, %a;", 64, |[a, ..]| a);
    table.add("mov.b64 %x, {%a, %b};", 64, |[a, b, ..]| {
        a & mask(32) | b << 32
    });
    table.add(
        "{ .reg .u32 l, h; mov.b64 {l, h}, %a; mov.b64 %x, {h, l}; }",
        64,
        |[a, ..]| a.rotate_left(32),
    );
    // Constants, as the compiler writes them.
    table.add("mov.u64 %x, -1;", 64, |_| u64::MAX);
    table.add("mov.u64 %x, 0xFFU;", 64, |_| 255);
    table.double("mov.f64 %x, 0dBFF8000000000000;", |_| -1.5);
    let truth = |value: u64| value != 0;
    table.add("mov.pred %r, %p;", 1, move |[a, ..]| truth(a).into());
    table.add("not.pred %r, %p;", 1, move |[a, ..]| (!truth(a)).into());
    table.add("and.pred %r, %p, %q;", 1, move |[a, b, ..]| {
        (truth(a) && truth(b)).into()
    });
    table.add("or.pred %r, %p, %q;", 1, move |[a, b, ..]| {
        (truth(a) || truth(b)).into()
    });
    table.add("xor.pred %r, %p, %q;", 1, move |[a, b, ..]| {
        (truth(a) != truth(b)).into()
    });
    // What is guarded is left out where the guard says so.
    table.add("mov.u64 %x, %c; @%p mov.u64 %x, %d;", 64, |[a, _, c, d]| {
        if a != 0 { d } else { c }
    });
    table.add(
        "mov.u64 %x, %c; @!%p mov.u64 %x, %d;",
        64,
        |[a, _, c, d]| if a == 0 { d } else { c },
    );
}

fn doubles(table: &mut Table) {
    table.double("add.rn.f64 %x, %a, %b;", |[a, b, ..]| a + b);
    table.double("sub.rn.f64 %x, %a, %b;", |[a, b, ..]| a - b);
    table.double("mul.rn.f64 %x, %a, %b;", |[a, b, ..]| a * b);
    table.double("div.rn.f64 %x, %a, %b;", |[a, b, ..]| a / b);
    table.double("fma.rn.f64 %x, %a, %b, %c;", |[a, b, c, _]| a.mul_add(b, c));
    table.double("rcp.rn.f64 %x, %a;", |[a, ..]| a.recip());
    table.double("neg.f64 %x, %a;", |[a, ..]| -a);
    table.double("abs.f64 %x, %a;", |[a, ..]| a.abs());
    table.double("cvt.rni.f64.f64 %x, %a;", |[a, ..]| a.round_ties_even());
    table.compare("eq", |a, b| a == b);
    table.compare("lt", |a, b| a < b);
    table.compare("le", |a, b| a <= b);
    table.compare("gt", |a, b| a > b);
    table.compare("ge", |a, b| a >= b);
    let none = |a: f64, b: f64| a.is_nan() || b.is_nan();
    table.compare("ne", move |a, b| !none(a, b) && a != b);
    // Those that hold for what is no number.
    table.compare("equ", move |a, b| none(a, b) || a == b);
    table.compare("neu", move |a, b| none(a, b) || a != b);
    table.compare("ltu", move |a, b| none(a, b) || a < b);
    table.compare("leu", move |a, b| none(a, b) || a <= b);
    table.compare("gtu", move |a, b| none(a, b) || a > b);
    table.compare("geu", move |a, b| none(a, b) || a >= b);
}

/// Values at which carries, signs and counts of shifts change.
fn edges() -> Vec<u64> {
    let mut edges: Vec<u64> = vec![2, 3, 15, 17, 31, 33, 65, 0x0123_4567_89ab_cdef];
    for bits in [0, 4, 6, 7, 8, 15, 16, 31, 32, 63] {
        edges.extend([(1 << bits) - 1, 1 << bits]);
    }
    edges.extend([u64::MAX - 1, u64::MAX]);
    edges
}

fn edges_of_doubles() -> Vec<u64> {
    let above = 1.0 + f64::EPSILON;
    let all = [0.0, 0.5, 1.0, 1.5, 2.5, above, 3.0, 1e-300, 1e300, 5e-324];
    let whole = [4503599627370495.5, 4503599627370496.0, 9007199254740991.0];
    let all = all.iter().chain(&whole).chain(&[f64::MAX, f64::INFINITY]);
    let mut all: Vec<u64> = all.flat_map(|&x| [x.to_bits(), (-x).to_bits()]).collect();
    all.push(f64::NAN.to_bits());
    all
}

/// Operands: all pairs of values, with others beside them.
fn operands(edges: &[u64]) -> Vec<[u64; 4]> {
    let count = edges.len();
    let pairs = (0..count * count).map(|i| (i / count, i % count));
    pairs
        .map(|(i, j)| {
            let [c, d] = [7 * i + 3 * j, 5 * i + 11 * j].map(|k| edges[k % count]);
            [edges[i], edges[j], c, d]
        })
        .collect()
}

/// What a thread for each of the operands computes, for each of the cases: kernels of one program.
fn computed(scene: &Scene, cases: &[&Case], operands: &[[u64; 4]]) -> Vec<Vec<u64>> {
    let mut program = ".version 8.0\n.target sm_90\n.address_size 64\n".to_owned();
    for (number, case) in cases.iter().enumerate() {
        let (text, shown) = match case.text.contains("%r,") {
            true => (&case.text, "selp.u64 %x, 1, 0, %r;"),
            false => (&case.text, ""),
        };
        program += &format!(
            ".visible .entry case_{number}(.param .u64 to, .param .u64 from) {{
               .reg .pred %p, %q, %r;
               .reg .b64 %a, %b, %c, %d, %x, %y, %z, %t, %at, %to;
               ld.param.u64 %to, [to]; ld.param.u64 %at, [from]; mov.u32 %t, %tid.x;
               mad.wide.u32 %at, %t, 32, %at; mad.wide.u32 %to, %t, 8, %to;
               ld.global.v2.u64 {{%a, %b}}, [%at]; ld.global.nc.v2.u64 {{%c, %d}}, [%at+16];
               setp.ne.u64 %p, %a, 0; setp.ne.u64 %q, %b, 0;
               {text} {shown}
               st.global.u64 [%to], %x;
               ret;
             }}\n"
        );
    }
    let module = scene.load(&program).unwrap();
    let stream = scene.stream();
    let threads = u32::try_from(operands.len()).unwrap();
    let from = scene.buffer(32 * operands.len());
    let to = scene.buffer(8 * operands.len());
    let bytes: &[u8] = &operands
        .iter()
        .flatten()
        .flat_map(|x| x.to_le_bytes())
        .collect::<Vec<_>>();
    assert_eq!(scene.upload(from, bytes.as_ptr(), bytes.len(), stream), OK);
    let arguments = [to.to_ne_bytes(), from.to_ne_bytes()].concat();
    let mut all = Vec::new();
    for number in 0..cases.len() {
        let kernel = scene.function(module, &format!("case_{number}"));
        assert_eq!(scene.launch(kernel, [threads, 0], &arguments, stream), OK);
        let mut results = vec![0u64; operands.len()];
        let there = results.as_mut_ptr().cast();
        assert_eq!(scene.download(there, to, 8 * results.len(), stream), OK);
        assert_eq!(scene.finish(stream), OK);
        all.push(results);
    }
    all
}

/// The row that a case tests: that of its last instruction, but for one that only shows the flag.
fn row(text: &str) -> String {
    let text = text.trim_end_matches(['}', ' ']);
    let text = text.strip_suffix("addc.u64 %x, 0, 0;").unwrap_or(text);
    let last = text.trim_end().trim_end_matches(';').rsplit(';').next();
    let last = last.unwrap_or_default().trim();
    let words = last.split(' ').find(|word| !word.starts_with('@'));
    let name = words.unwrap_or_default().replace('.', "_");
    match last.contains('{') {
        true => format!("{name}_from_halves"),
        false => name,
    }
}

#[test]
fn every_instruction_is_its_definition() {
    let mut table = Table(Vec::new());
    let of_doubles = {
        let mut table = Table(Vec::new());
        doubles(&mut table);
        table.0
    };
    for part in [arithmetic, comparisons, carries, bits, moves] {
        part(&mut table);
    }
    let scene = Scene::new();
    let mut wrong = Vec::new();
    for (cases, edges) in [(&table.0, edges()), (&of_doubles, edges_of_doubles())] {
        let operands = operands(&edges);
        let cases: Vec<&Case> = cases.iter().collect();
        let found = computed(&scene, &cases, &operands);
        for (case, found) in cases.iter().zip(found) {
            for (&values, found) in operands.iter().zip(found) {
                let expected = (case.definition)(values);
                let [a, b] = [expected, found].map(f64::from_bits);
                let same = match case.result {
                    Result::Bits(bits) => (expected ^ found) & mask(bits) == 0,
                    Result::Double => expected == found || (a.is_nan() && b.is_nan()),
                };
                if !same {
                    wrong.push(format!(
                        "{} {values:x?}: {found:x}, not {expected:x}",
                        case.text
                    ));
                    break;
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    // What is not tested here is memory and the order of steps, and that all programs above use.
    let tested = table
        .0
        .iter()
        .chain(&of_doubles)
        .map(|case| row(&case.text));
    let tested: BTreeSet<String> = tested.collect();
    let known: BTreeSet<String> = scene.stand_in.instructions().into_iter().collect();
    let others = [
        "bar_sync",
        "bra",
        "ld_global",
        "ld_local",
        "ld_param",
        "ld_shared",
        "mov_b64_to_halves",
        "ret",
        "st_global",
        "st_local",
        "st_shared",
    ];
    let untested: Vec<_> = known.difference(&tested).collect();
    assert_eq!(untested, others, "of these no test is here");
    assert!(tested.is_subset(&known), "{:?}", tested.difference(&known));
    scene.nothing_seen();
    scene.release();
}
