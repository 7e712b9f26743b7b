//! Polynomials in formats of `serde`.

use serde::{Serialize, de::DeserializeOwned};
use std::fmt::Debug;
use sunzi_integer::{Integer, Rational};
use sunzi_poly::{BivariatePoly, Poly};

fn text_is<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T, text: &str) {
    assert_eq!(serde_json::to_string(value).unwrap(), text);
    assert_eq!(serde_json::from_str::<T>(text).unwrap(), *value);
}

#[test]
fn polynomials_are_lists_of_coefficients() {
    text_is(&Poly::new(vec![3u32, 0, 5]), "[3,0,5]");
    text_is(&Poly::<u64>::zero(), "[]");
    let f: Poly<Integer> = "10^20*x - 1".parse().unwrap();
    text_is(&f, r#"["-1","100000000000000000000"]"#);
    let f: Poly<Rational> = "x/2".parse().unwrap();
    text_is(&f, r#"["0","1/2"]"#);
    let f: BivariatePoly<Integer> = "x*y^2 - 1".parse().unwrap();
    text_is(&f, r#"[["-1"],[],["0","1"]]"#);
    // Zeros at the end do not count.
    assert_eq!(
        serde_json::from_str::<Poly<i32>>("[1,0,0]").unwrap(),
        Poly::new(vec![1])
    );
    assert!(
        serde_json::from_str::<BivariatePoly<i32>>("[[0],[]]")
            .unwrap()
            .is_zero()
    );
    assert!(serde_json::from_str::<Poly<i32>>("{}").is_err());
}
