//! Digits that tell numbers apart.

use sunzi_solve::internals::{without_zeros, written};

#[test]
fn numbers_get_the_digits_that_tell_them_apart() {
    let numbers = ["0.1234567", "0.5", "0.1234569", "0.12", "0.1234567001"];
    let first = |number: &&str, digits: usize| [number[..number.len().min(2 + digits)].to_owned()];
    let all = written(&numbers, 2, first);
    let digits: Vec<_> = all.iter().map(|one| one.1).collect();
    assert_eq!(digits, [16, 2, 8, 4, 16]);
    assert_eq!((&*all[1].0[0], &*all[2].0[0]), ("0.5", "0.1234569"));
    assert_eq!(written(&numbers[..0], 2, first), []);
    // No digit tells nothing: there is one at least.
    assert_eq!(written(&["0.5", "0.6"], 0, first)[1].1, 1);
    // Zeros tell nothing apart.
    let all = written(&["0.5", "0.500001"], 3, first);
    assert_eq!(&*all[1].0[0], "0.500001");
    assert_eq!(without_zeros("1.500e-12"), "1.5e-12");
    assert_eq!(without_zeros("100"), "100");
}
