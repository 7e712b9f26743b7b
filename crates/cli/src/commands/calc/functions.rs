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

/// All of them: their names, how many arguments they take at least, whether they take more, and how they are called.
const ALL: [(Function, &str, usize, bool, &str); 13] = [
    (Function::Abs, "abs", 1, false, "abs(x)"),
    (Function::Binomial, "binomial", 2, false, "binomial(n, k)"),
    (Function::Ceil, "ceil", 1, false, "ceil(x)"),
    (Function::Factorial, "factorial", 1, false, "factorial(n)"),
    (Function::Floor, "floor", 1, false, "floor(x)"),
    (Function::Gcd, "gcd", 2, true, "gcd(a, b, …)"),
    (Function::IsPrime, "isprime", 1, false, "isprime(n)"),
    (Function::ISqrt, "isqrt", 1, false, "isqrt(n)"),
    (Function::Lcm, "lcm", 2, true, "lcm(a, b, …)"),
    (Function::Max, "max", 1, true, "max(x, …)"),
    (Function::Min, "min", 1, true, "min(x, …)"),
    (Function::NextPrime, "nextprime", 1, false, "nextprime(n)"),
    (Function::Root, "root", 2, false, "root(n, k)"),
];

impl Function {
    pub fn named(name: &str) -> Option<Self> {
        let found = ALL.iter().find(|function| function.1 == name);
        found.map(|function| function.0)
    }

    pub fn names() -> String {
        ALL.map(|function| function.1).join(", ")
    }

    fn entry(self) -> (usize, bool, &'static str) {
        let found = ALL.iter().find(|function| function.0 == self);
        found.map_or((1, true, ""), |&(_, _, least, more, usage)| {
            (least, more, usage)
        })
    }

    /// Whether it can be called with so many arguments.
    pub fn takes(self, count: usize) -> bool {
        let (least, more, _) = self.entry();
        count == least || more && count > least
    }

    /// How it is called, in a sentence.
    pub fn usage(self) -> String {
        format!("this function is called as {}", self.entry().2)
    }
}
