//! Prints the environment variables of a program that is to find the layer before OpenCL, for `env`; the layer is compiled
//! first if it is not there. An argument is the seed, by default 0.

use sunzi_testkit::OpenClLate;

fn main() -> Result<(), String> {
    let seed = match std::env::args().nth(1) {
        Some(text) => text
            .parse()
            .map_err(|_| format!("{text} is no seed: a whole number was expected"))?,
        None => 0,
    };
    for (name, value) in OpenClLate::build()?.variables(seed) {
        println!("{name}={value}");
    }
    Ok(())
}
