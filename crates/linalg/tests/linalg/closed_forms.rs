//! The known determinants are right: three independent ways agree on them.

use crate::common::closed_forms::cases;
use crate::common::oracle::{by_definition, by_gmp};

#[test]
fn closed_forms_agree_with_gmp() {
    for case in cases(33) {
        assert_eq!(by_gmp(&case.matrix), case.determinant, "{}", case.name);
    }
}

#[test]
fn closed_forms_agree_with_the_definition() {
    for case in cases(6) {
        assert_eq!(
            by_definition(&case.matrix),
            case.determinant,
            "{}",
            case.name
        );
    }
}
