//! `sunzi poly`.

/// What files of polynomials hold.
macro_rules! polynomials {
    () => {
        "Polynomials stand one a line: as coefficients from the constant term upward, separated by blanks
(`1 -2 3`), or as an expression in x, or what --var says (`3*x^2 - 2*x + 1`; `f = g` is f - g), whose numbers are
reduced modulo P where there is one. # starts a comment; empty lines do not count.
"
    };
}

/// What files of points and values hold.
macro_rules! vectors {
    () => {
        "Points and values stand one a line, decimal or 0x…; # starts a comment; empty lines do not count.
"
    };
}

/// How lines meet.
macro_rules! pairs {
    () => {
        "Line i of A goes with line i of B; a file of one line goes with every line of the other.
"
    };
}

/// How polynomials are written.
macro_rules! written {
    () => {
        "Polynomials are written as coefficients from the constant term upward, or with --pretty as
expressions, the highest power first. --pretty --json gives expressions as strings.
"
    };
}

/// What rational numbers look like.
macro_rules! rationals {
    () => {
        "
Without --mod all is exact over the rational numbers: coefficients, points and values may be quotients, too, such
as -3/4, and so are those that are written.
"
    };
}

/// What a prime is.
macro_rules! primes {
    () => {
        "
With --mod P coefficients, points and values are reduced, negative ones and quotients such as 1/2, too; all that
is written is in 0 … P−1.
P is an odd prime below 2^64, or a prime r^k+1 with k = 2, 4, 8 … 256 and r below 2^64: a name (P4 P8 P16
P32 P64 P128, P2F P4F P8F P16F P32F P64F P128F) or an expression.

"
    };
}

mod arithmetic;
mod discriminant;
mod euclid;
mod eval;
mod in_y;
mod interp;
mod method;
mod mul;
mod numbers;
mod over_integers;
mod over_rationals;
mod over_z;
mod points;
mod polynomials;
mod roots;
mod rows;
mod squarefree;

super::commands! {
    /// The commands on polynomials.
    PolyCommand {
        /// Sums of polynomials, line by line, over Z or modulo a prime
        Add(arithmetic::Add),
        /// Differences of polynomials, line by line, over Z or modulo a prime
        Sub(arithmetic::Sub),
        /// Products of polynomials, line by line, over Z or modulo a prime
        Mul(mul::Mul),
        /// Powers of polynomials, line by line, over Z or modulo a prime
        Pow(arithmetic::Pow),
        /// Quotients and remainders of polynomials, line by line, over Q or modulo a prime
        Divrem(euclid::Divrem),
        /// Greatest common divisors of polynomials, line by line, over Z or modulo a prime
        Gcd(euclid::Gcd),
        /// Greatest common divisors with cofactors, line by line, over Q or modulo a prime
        Xgcd(euclid::Xgcd),
        /// Resultants of polynomials, line by line, over Z or modulo a prime
        Resultant(euclid::Resultant),
        /// Discriminants of polynomials, line by line, over Z or modulo a prime
        Discriminant(discriminant::Discriminant),
        /// Square-free factors of polynomials, line by line, over Z or modulo a prime
        Squarefree(squarefree::Squarefree),
        /// Derivatives of polynomials, line by line, over Z or modulo a prime
        Derivative(arithmetic::Derivative),
        /// Compositions A(B(x)) of polynomials, line by line, over Z or modulo a prime
        Compose(arithmetic::Compose),
        /// Polynomials with a shifted variable, A(x + c), line by line, over Z or modulo a prime
        Shift(arithmetic::Shift),
        /// Polynomials with their coefficients in the opposite order, over Z or modulo a prime
        Reverse(arithmetic::Reverse),
        /// Values of polynomials at many points, over Q or modulo a prime
        Eval(eval::Eval),
        /// The polynomial of least degree through points, over Q or modulo a prime
        Interp(interp::Interp),
        /// Real roots of polynomials over Z, with multiplicities, to any number of digits
        Roots(roots::Roots),
    }
}
