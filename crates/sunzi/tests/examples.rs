//! The examples run, and what they assert holds.

#[path = "../examples/big_prime_transform.rs"]
mod big_prime_transform;
#[path = "../examples/conjugate_gradients.rs"]
mod conjugate_gradients;
#[cfg(feature = "gpu")]
#[path = "../examples/engine.rs"]
mod engine;
#[path = "../examples/integers.rs"]
mod integers;
#[path = "../examples/matrices.rs"]
mod matrices;
// Its `main` takes the number of digits from the command line.
#[allow(dead_code)]
#[path = "../examples/pi.rs"]
mod pi;
#[path = "../examples/polynomials.rs"]
mod polynomials;
#[path = "../examples/progress.rs"]
mod progress;
#[path = "../examples/system.rs"]
mod system;
#[path = "../examples/text.rs"]
mod text;
#[path = "../examples/threads.rs"]
mod threads;

#[test]
fn big_prime_transform_runs() {
    big_prime_transform::main().unwrap();
}

#[test]
fn conjugate_gradients_runs() {
    conjugate_gradients::main().unwrap();
}

#[test]
fn integers_runs() {
    integers::main().unwrap();
}

#[test]
fn matrices_runs() {
    matrices::main().unwrap();
}

#[test]
fn polynomials_runs() {
    polynomials::main().unwrap();
}

#[test]
fn progress_runs() {
    progress::main().unwrap();
}

#[test]
fn system_runs() {
    system::main().unwrap();
}

#[test]
fn text_runs() {
    text::main().unwrap();
}

#[test]
fn threads_runs() {
    threads::main().unwrap();
}

#[cfg(feature = "gpu")]
#[test]
fn engine_runs() {
    engine::main().unwrap();
}

#[test]
fn digits_of_pi_are_those_of_pi() {
    let known = "31415926535897932384626433832795028841971693993751058209749445923078164062862089986280348253421170679";
    for digits in [0, 1, 2, 13, 14, 15, 50, 100] {
        assert_eq!(pi::pi(digits).to_string(), known[..=digits]);
    }
    // The last ten of a thousand.
    assert!(pi::pi(1000).to_string().ends_with("2164201989"));
}
