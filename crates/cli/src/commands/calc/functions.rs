//! Functions of integers, by their names.

/// A function that expressions may call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    Abs,
    Binomial,
    Ceil,
    Factorial,
    Floor,
    Gcd,
    IsPrime,
    ISqrt,
    Lcm,
    Max,
    Min,
    NextPrime,
    Root,
}

/// How a function is called.
pub struct Entry {
    pub function: Function,
    name: &'static str,
    /// Arguments at least.
    least: usize,
    /// Whether there may be more.
    takes_more: bool,
    usage: &'static str,
}

const fn exactly(
    function: Function,
    name: &'static str,
    least: usize,
    usage: &'static str,
) -> Entry {
    Entry {
        function,
        name,
        least,
        takes_more: false,
        usage,
    }
}

const fn at_least(
    function: Function,
    name: &'static str,
    least: usize,
    usage: &'static str,
) -> Entry {
    Entry {
        takes_more: true,
        ..exactly(function, name, least, usage)
    }
}

static ALL: [Entry; 13] = [
    exactly(Function::Abs, "abs", 1, "abs(x)"),
    exactly(Function::Binomial, "binomial", 2, "binomial(n, k)"),
    exactly(Function::Ceil, "ceil", 1, "ceil(x)"),
    exactly(Function::Factorial, "factorial", 1, "factorial(n)"),
    exactly(Function::Floor, "floor", 1, "floor(x)"),
    at_least(Function::Gcd, "gcd", 2, "gcd(a, b, …)"),
    exactly(Function::IsPrime, "isprime", 1, "isprime(n)"),
    exactly(Function::ISqrt, "isqrt", 1, "isqrt(n)"),
    at_least(Function::Lcm, "lcm", 2, "lcm(a, b, …)"),
    at_least(Function::Max, "max", 1, "max(x, …)"),
    at_least(Function::Min, "min", 1, "min(x, …)"),
    exactly(Function::NextPrime, "nextprime", 1, "nextprime(n)"),
    exactly(Function::Root, "root", 2, "root(n, k)"),
];

impl Entry {
    pub fn named(name: &str) -> Option<&'static Self> {
        ALL.iter().find(|entry| entry.name == name)
    }

    /// The names of all functions, in a sentence.
    pub fn names() -> String {
        let names: Vec<_> = ALL.iter().map(|entry| entry.name).collect();
        names.join(", ")
    }

    /// Whether it can be called with so many arguments.
    pub fn takes(&self, count: usize) -> bool {
        count == self.least || self.takes_more && count > self.least
    }

    /// How it is called, in a sentence.
    pub fn usage(&self) -> String {
        format!("this function is called as {}", self.usage)
    }
}
