//! `sunzi prime`, `sunzi info`, help and version.

use crate::common::Sandbox;
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
    primality                    proved: Miller-Rabin with as many of the bases 2 … 37 as no composite of this size passes
    field                        Fp32: one 32-bit word, primes below 2^31
    ");
}

/// What the program tells of a prime, where GMP agrees that it is one and on its two-adicity.
fn facts_of_prime(sandbox: &Sandbox, text: &str) -> serde_json::Value {
    let facts = sandbox.json(&["prime", text])["result"].take();
    let p: Integer = facts["prime"].as_str().unwrap().parse().unwrap();
    assert_ne!(p.is_probably_prime(30), rug::integer::IsPrime::No);
    assert_eq!(
        facts["two_adicity"],
        Integer::from(&p - 1).find_one(0).unwrap()
    );
    facts
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
        "2^64-2^32+1",
        "998244353",
        "(2^16)^2-5",
    ] {
        let facts = facts_of_prime(&sandbox, text);
        let number = |key: &str| facts[key].as_str().unwrap().parse::<Integer>().unwrap();
        let p = number("prime");
        assert_eq!(facts["bits"], p.significant_bits());
        let order = Integer::from(&p - 1);
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
fn what_is_known_of_a_generalized_fermat_prime() {
    let sandbox = Sandbox::with(&[]);
    insta::assert_snapshot!(sandbox.succeed(&["prime", "P8"]), @r"
    prime                        72684316057896362488…83068611675612512257 (143 digits)
    form                         720576490135093248^8+1 = P8
    bits                         475
    p - 1                        2^312 * 3^8 * 67^8 * 6521^8
    two-adicity                  312
    least quadratic non-residue  5
    root of unity                59341280885967996085…56110602936078798010 (143 digits) of order 2^312 = 83436993590660550093…30627148527195652096 (94 digits)
    longest direct transform     2^312 = 83436993590660550093…30627148527195652096 (94 digits) points
    primality                    proved: Proth, 5^((p-1)/2) = -1
    field                        GeneralizedFermat: 8 digits of 64 bits in radix 720576490135093248
    ");
    for text in [
        "P4",
        "P16F",
        "(2^59+2^57+2^39)^8+1",
        "(2^63+2^53)^2+1",
        "(2^40+50)^4+1",
    ] {
        let facts = facts_of_prime(&sandbox, text);
        let number = |key: &str| facts[key].as_str().unwrap().parse::<Integer>().unwrap();
        let p = number("prime");
        let order = Integer::from(&p - 1);
        assert_eq!(number("least_non_residue").legendre(&p), -1);
        let (root, size) = (number("root_of_unity"), number("root_order"));
        assert_eq!(root.pow_mod(&(size / 2), &p).unwrap(), order);
    }
    let said = sandbox.fail(1, &["prime", "(2^60)^4+1"]);
    assert!(said.contains("193 divides it"), "{said}");
    let said = sandbox.fail(1, &["prime", "(2^60+2)^256+1"]);
    assert!(said.contains("is not prime"), "{said}");
}

#[test]
fn primes_with_sparse_radix_are_found() {
    let sandbox = Sandbox::with(&[]);
    let search = ["prime", "search", "--digits", "8", "--bits", "60"];
    let with = |more: &[&'static str]| [&search[..], more].concat();
    let told = sandbox.succeed(&with(&["--two-adicity", "312", "--count", "4"]));
    insta::assert_snapshot!(told, @r"
    (2^60-2^54-2^50)^8+1  480 bits, two-adicity 400, proved: Proth, 3^((p-1)/2) = -1
    (2^60-2^56-2^53)^8+1  480 bits, two-adicity 424, proved: Proth, 3^((p-1)/2) = -1
    (2^60-2^57+2^49)^8+1  479 bits, two-adicity 392, proved: Proth, 3^((p-1)/2) = -1
    (2^59+2^57+2^39)^8+1  475 bits, two-adicity 312, proved: Proth, 5^((p-1)/2) = -1
    ");
    let options = with(&["--two-adicity", "312", "--count", "4", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&sandbox.succeed(&options)).unwrap();
    let primes = report["result"]["primes"].as_array().unwrap();
    assert_eq!(primes.len(), 4);
    for (found, line) in primes.iter().zip(told.lines()) {
        let text = found["prime"].as_str().unwrap();
        assert!(line.starts_with(text), "{line}");
        // What the search tells is what the program tells of the prime, where GMP agrees.
        let facts = facts_of_prime(&sandbox, text);
        for key in ["bits", "two_adicity", "primality"] {
            assert_eq!(facts[key], found[key], "{text}");
        }
    }
    // Options of all commands, before and after.
    sandbox.succeed(&[&["--threads", "1"], &options[..], &["-o", "found.json"]].concat());
    assert!(sandbox.read("found.json").starts_with('{'));
}

#[test]
fn impossible_searches_are_refused() {
    let sandbox = Sandbox::with(&[]);
    let refused = |digits: &str, bits: &str, adicity: &str| {
        let search = ["prime", "search", "--digits", digits, "--bits", bits];
        sandbox.fail(1, &[&search[..], &["--two-adicity", adicity]].concat())
    };
    let said = refused("6", "60", "0");
    assert!(
        said.contains("k is 2, 4, 8, 16, 32, 64, 128 or 256"),
        "{said}"
    );
    let said = refused("8", "65", "0");
    assert!(
        said.contains("a radix of 65 bits is not available"),
        "{said}"
    );
    let said = refused("8", "60", "473");
    assert!(said.contains("is at most 8·59 = 472"), "{said}");
    let said = refused("8", "60", "472");
    assert!(said.contains("give more --terms"), "{said}");
    for wrong in [
        &["prime"][..],
        &["prime", "search"],
        &["prime", "search", "--digits", "8"],
        &[
            "prime", "search", "--digits", "8", "--bits", "60", "--count", "0",
        ],
        &["prime", "search", "--digits", "-8", "--bits", "60"],
        &["prime", "7", "search", "--digits", "8", "--bits", "60"],
    ] {
        sandbox.fail(2, wrong);
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
    let facts = sandbox.json(&["info", "--threads", "2"]);
    assert_eq!(facts["threads"], 2);
    assert_eq!(facts["result"]["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(facts["result"]["devices"][0]["device"], "cpu");
}

#[test]
fn nothing_is_answered_with_help() {
    let sandbox = Sandbox::with(&[]);
    for (group, start) in [
        (&[][..], "Exact arithmetic "),
        (&["matrix"], "Dense matrices "),
    ] {
        let said = sandbox.fail(2, group);
        assert!(
            said.starts_with(start) && said.contains("Usage: sunzi"),
            "{said}"
        );
    }
}

#[test]
fn help_is_a_command_too() {
    let sandbox = Sandbox::with(&[]);
    assert_eq!(
        sandbox.succeed(&["help", "poly", "gcd"]),
        sandbox.succeed(&["poly", "gcd", "--help"])
    );
    assert_eq!(
        sandbox.succeed(&["poly", "help"]),
        sandbox.succeed(&["poly", "--help"])
    );
}

#[test]
fn completions_know_every_command() {
    let sandbox = Sandbox::with(&[]);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = sandbox.succeed(&["completions", shell]);
        for word in ["squarefree", "max-memory", "completions"] {
            assert!(text.contains(word), "{shell}: {word}");
        }
    }
    // Values are suggested, too.
    let fish = sandbox.succeed(&["completions", "fish"]);
    for value in ["P16F", "opencl", "toom3", "karatsuba"] {
        assert!(fish.contains(value), "{value}");
    }
    sandbox.fail(2, &["completions", "dos"]);
}

#[test]
fn each_command_has_a_manual_page() {
    let sandbox = Sandbox::with(&[("file", "")]);
    sandbox.succeed(&["man", "new/man1"]);
    for name in ["sunzi", "sunzi-int-mul", "sunzi-solve", "sunzi-tune-choose"] {
        let page = sandbox.read(&format!("new/man1/{name}.1"));
        for section in ["NAME", "SYNOPSIS", "EXAMPLES", "EXIT STATUS", "SEE ALSO"] {
            let heading = match section.contains(' ') {
                true => format!(".SH \"{section}\"\n"),
                false => format!(".SH {section}\n"),
            };
            // Nothing is beside the first page.
            let is_there = page.contains(&heading);
            assert_eq!(
                is_there,
                (name, section) != ("sunzi", "SEE ALSO"),
                "{name}: {section}"
            );
        }
    }
    let page = sandbox.read("new/man1/sunzi-poly-gcd.1");
    assert!(
        page.contains("[\\-\\-mod P] [\\-\\-method METHOD] [\\-\\-var NAME] [\\-\\-pretty]"),
        "{page}"
    );
    assert!(page.contains("sunzi\\-poly\\-xgcd(1)"), "{page}");
    // Every letter is in the table, and shown on every terminal.
    for page in std::fs::read_dir(sandbox.path("new/man1")).unwrap() {
        let page = page.unwrap();
        let text = std::fs::read_to_string(page.path()).unwrap();
        let strange = text
            .lines()
            .find(|line| !line.is_ascii() || line.contains("?."));
        assert_eq!(strange, None, "{page:?}");
    }
    let said = sandbox.fail(1, &["man", "file"]);
    assert!(said.starts_with("sunzi: file: "), "{said}");
}

#[test]
fn every_command_has_help_with_examples() {
    let sandbox = Sandbox::with(&[]);
    let commands: [&[&str]; 15] = [
        &[],
        &["int", "mul"],
        &["poly", "mul"],
        &["prime"],
        &["prime", "search"],
        &["info"],
        &["det"],
        &["sort"],
        &["sparse", "generate"],
        &["sparse", "info"],
        &["sparse", "reorder"],
        &["sparse", "spmv"],
        &["sparse", "cache"],
        &["sparse", "show"],
        &["sparse", "solve"],
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
