//! `sunzi prime`, `sunzi info`, help and version.

mod common;

use common::Sandbox;
use rug::Integer;

#[test]
fn what_is_known_of_a_prime() {
    let sandbox = Sandbox::with(&[]);
    insta::assert_snapshot!(sandbox.succeed(&["prime", "469762049"]), @r"
    prime                        469762049
    bits                         29
    p - 1                        2^26 * 7
    two-adicity                  26
    least quadratic non-residue  3
    root of unity                2187 of order 2^26 = 67108864
    longest direct transform     2^26 = 67108864 points
    primality                    proved: Miller-Rabin with the 12 bases 2 … 37, which no composite below 3.18e23 passes
    field                        Fp32: one 32-bit word, primes below 2^31
    ");
}

#[test]
fn facts_agree_with_gmp() {
    let sandbox = Sandbox::with(&[]);
    for text in [
        "3",
        "7",
        "97",
        "2^31-1",
        "2^61-1",
        "2^60-2^18+1",
        "2^63-25",
        "998244353",
        "(2^16)^2-5",
    ] {
        let facts: serde_json::Value =
            serde_json::from_str(&sandbox.succeed(&["prime", text, "--json"])).unwrap();
        let number = |key: &str| facts[key].as_str().unwrap().parse::<Integer>().unwrap();
        let p = number("prime");
        assert_ne!(p.is_probably_prime(30), rug::integer::IsPrime::No);
        assert_eq!(facts["bits"], p.significant_bits());
        let order = Integer::from(&p - 1);
        assert_eq!(facts["two_adicity"], order.find_one(0).unwrap());
        let product = facts["factors_of_p_minus_1"]
            .as_array()
            .unwrap()
            .iter()
            .fold(Integer::from(1), |product, pair| {
                let prime: Integer = pair[0].as_str().unwrap().parse().unwrap();
                product
                    * rug::ops::Pow::pow(prime, u32::try_from(pair[1].as_u64().unwrap()).unwrap())
            });
        assert_eq!(product, order);
        let least = number("least_non_residue");
        assert_eq!(least.jacobi(&p), -1);
        let mut smaller = Integer::from(2);
        while smaller < least {
            assert_eq!(smaller.jacobi(&p), 1);
            smaller += 1;
        }
        // ω = a^((p − 1)/N), whose power N/2 is −1.
        let (root, size) = (number("root_of_unity"), number("root_order"));
        assert_eq!(root, least.pow_mod(&(order.clone() / &size), &p).unwrap());
        assert_eq!(root.pow_mod(&(size / 2), &p).unwrap(), order);
    }
}

#[test]
fn info_tells_what_runs() {
    let sandbox = Sandbox::with(&[]);
    let text = sandbox.succeed(&["info", "--threads", "1"]);
    for name in [
        "version",
        "threads",
        "features used",
        "integer kernels",
        "memory",
        "devices",
    ] {
        assert!(
            text.lines().any(|line| line.starts_with(name)),
            "{name}: {text}"
        );
    }
    let facts: serde_json::Value =
        serde_json::from_str(&sandbox.succeed(&["info", "--json", "--threads", "2"])).unwrap();
    assert_eq!(facts["threads"], 2);
    assert_eq!(facts["version"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn every_command_has_help_with_examples() {
    let sandbox = Sandbox::with(&[]);
    let commands: [&[&str]; 5] = [
        &[],
        &["int", "mul"],
        &["poly", "mul"],
        &["prime"],
        &["info"],
    ];
    for command in commands {
        let text = sandbox.succeed(&[command, &["--help"]].concat());
        assert!(
            text.contains("Examples:\n  sunzi ") || text.contains("sunzi "),
            "{command:?}"
        );
        assert!(text.contains("Examples:"), "{command:?}");
    }
    assert!(sandbox.succeed(&["--version"]).starts_with("sunzi "));
}
