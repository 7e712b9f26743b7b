//! Polynomials in one variable: expressions, divisors, resultants, roots, values, transforms.

use super::{AT_ONCE, SOON, Trap, trap};
use crate::inputs::{self, Input::*};
use crate::right::{self, Right::*};

pub const TRAPS: &[Trap] = &[
    trap(
        "expression-degree",
        "a term of degree 10^9",
        "poly mul @a @a",
        &[("a", Line("x^1000000000"))],
        AT_ONCE,
        Refused("the degree is above"),
    )
    .quick(),
    trap(
        "expression-power",
        "a power with 10^6 terms, of 10^6 bits each",
        "poly mul @a @a",
        &[("a", Line("(x+1)^1000000"))],
        AT_ONCE,
        Refused("too much to expand"),
    )
    .quick(),
    trap(
        "expression-nested",
        "powers of powers",
        "poly mul @a @a --mod 469762049",
        &[("a", Line("((((((x+1)^10)^10)^10)^10)^10)^10"))],
        AT_ONCE,
        Refused("too much to expand"),
    )
    .quick(),
    trap(
        "expression-parentheses",
        "10^6 parentheses",
        "poly mul @a @a",
        &[(
            "a",
            Made(|| "(".repeat(1_000_000) + "x" + &")".repeat(1_000_000) + "\n"),
        )],
        AT_ONCE,
        Refused("nested more than 64 deep"),
    )
    .quick(),
    trap(
        "expression-signs",
        "10^6 signs",
        "poly mul @a @b",
        &[
            ("a", Made(|| "-".repeat(1_000_000) + "x\n")),
            ("b", Line("1")),
        ],
        AT_ONCE,
        Prints("0 1\n"),
    )
    .quick(),
    trap(
        "poly-sparse",
        "two terms of degree 10^7",
        "poly mul @a @b --mod 469762049",
        &[("a", Line("x^10000000 + 1")), ("b", Line("x^10000000 - 1"))],
        (20, 2000),
        Holds("term by term", right::binomial_of_twenty_million),
    ),
    trap(
        "gcd-swell",
        "remainders of long coefficients",
        "poly gcd @a @b --pretty",
        &[("a", Line("x^10000 - 1")), ("b", Line("x^9999 - 1"))],
        SOON,
        Prints("x - 1\n"),
    )
    .quick(),
    trap(
        "gcd-fibonacci",
        "as many steps as degrees allow, each with a jump",
        "poly gcd @a @b --mod 469762049 --pretty",
        &[("a", Line("x^832040 - 1")), ("b", Line("x^514229 - 1"))],
        SOON,
        Prints("x + 469762048\n"),
    ),
    trap(
        "gcd-frobenius",
        "x^(3^12) − x and x^(3^9) − x modulo 3",
        "poly gcd @a @b --mod 3",
        &[("a", Line("x^531441 - x")), ("b", Line("x^19683 - x"))],
        SOON,
        Holds("x^27 − x", right::field_of_27),
    ),
    trap(
        "gcd-long-coefficients",
        "two polynomials of three coefficients of 10^6 bits",
        "poly gcd @a @b",
        &[
            ("a", Made(|| inputs::random_coefficients(3, 250_000, 1))),
            ("b", Made(|| inputs::random_coefficients(3, 250_000, 2))),
        ],
        (30, 1024),
        Prints("1\n"),
    ),
    trap(
        "resultant-linear",
        "10^6 bits, by a prime after the other",
        "poly resultant @a @b",
        &[
            ("a", Line("x^20000 + 1")),
            ("b", Line("x - 12345678901234567890")),
        ],
        SOON,
        Holds("modulo 2^61 − 1", right::value_of_a_binomial),
    ),
    trap(
        "resultant-sparse",
        "a matrix of order 1999",
        "poly resultant @a @b",
        &[("a", Line("x^1000 - 1")), ("b", Line("x^999 - 2"))],
        SOON,
        Holds("2^1000 − 1", right::mersenne_number),
    )
    .quick(),
    trap(
        "squarefree-power",
        "multiplicity 500",
        "poly squarefree @a --pretty",
        &[("a", Line("(x^2 - 2)^500"))],
        SOON,
        Prints("1\n500: x^2 - 2\n"),
    )
    .quick(),
    trap(
        "roots-wilkinson",
        "500 integers, coefficients of 3700 bits",
        "poly roots @a",
        &[("a", Made(|| inputs::wilkinson(500)))],
        SOON,
        Holds("1 … 500", right::integers_to_500),
    ),
    trap(
        "roots-chebyshev",
        "500 roots, dense at both ends",
        "poly roots @a",
        &[("a", Made(|| inputs::chebyshev(500)))],
        SOON,
        Holds("cosines", right::cosines),
    ),
    trap(
        "roots-mignotte",
        "two roots that agree in 45,000 bits",
        "poly roots @a",
        &[("a", Line("x^300 - 2*(2^300*x - 1)^2"))],
        (30, 1024),
        Begins("# 4 real roots\n"),
    ),
    trap(
        "roots-power",
        "multiplicity 200",
        "poly roots @a --digits 5",
        &[("a", Line("(x^2 - 2)^200"))],
        SOON,
        Prints("# 2 real roots\n-1.4142 200\n1.4142 200\n"),
    )
    .quick(),
    trap(
        "roots-far",
        "roots of sizes 2^3500 and 2^-3500",
        "poly roots @a",
        &[("a", Line("(x - 2^3500)*(2^3500*x - 1)"))],
        SOON,
        Begins("# 2 real roots\n"),
    )
    .quick(),
    trap(
        "roots-binomial",
        "degree 20,000 with two terms",
        "poly roots @a --digits 10",
        &[("a", Line("x^20000 - 2"))],
        SOON,
        Prints("# 2 real roots\n-1.000034658 1\n1.000034658 1\n"),
    ),
    trap(
        "roots-unity",
        "degree 10,000, whose quotient by x^2 − 1 has no gaps",
        "poly roots @a",
        &[("a", Line("x^10000 - 1"))],
        SOON,
        Prints("# 2 real roots\n-1 1\n1 1\n"),
    ),
    trap(
        "roots-digits",
        "20,000 digits",
        "poly roots @a --digits 20000",
        &[("a", Line("x^2 - 2"))],
        SOON,
        Holds("the integer root of 2·10^39998", right::root_of_two),
    )
    .quick(),
    trap(
        "eval-equal",
        "300,000 times the same point",
        "poly eval @f @x --mod 469762049",
        &[
            ("f", Made(|| "1 ".repeat(300_000) + "\n")),
            ("x", Repeated("7\n", 300_000)),
        ],
        SOON,
        Holds("a geometric sum", right::equal_values),
    ),
    trap(
        "interp-progression",
        "an arithmetic progression of 200,000 points",
        "poly interp @x @x --mod 469762049",
        &[("x", Made(|| inputs::counted(0, 200_000)))],
        SOON,
        Prints("0 1\n"),
    ),
    trap(
        "interp-repeated",
        "the last of 200,001 points is the first",
        "poly interp @x @x --mod 469762049",
        &[("x", Made(|| inputs::counted(0, 200_000) + "0\n"))],
        SOON,
        Refused("the same point as in line 1"),
    ),
    trap(
        "dft-prime-length",
        "a prime number of points, half of p − 1",
        "dft @x --mod 1000919",
        &[("x", Made(|| inputs::counted(0, 500_459)))],
        SOON,
        Holds("powers of a root", right::powers_of_a_root),
    ),
];
