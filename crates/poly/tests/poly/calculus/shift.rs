//! Shifts of the variable.

use sunzi_field::Fp32;
use sunzi_poly::PolyRing;
use sunzi_poly::internals::{Tables, shift_columns, shift_rows_by_one};
use sunzi_testkit::Random;

#[test]
fn columns_are_shifted_as_rows_are() {
    let ring = PolyRing::new(Fp32::new(1009).unwrap());
    let tables = Tables::new(ring.field(), 1, 1009);
    for (stride, len) in [
        (1009, 1009 * 3 + 7),
        (7, 700),
        (7, 701),
        (7, 706),
        (64, 4096),
    ] {
        let mut rows = Random::new(1).residues32(len, 1009);
        let mut columns = rows.clone();
        shift_rows_by_one(ring.field(), &mut rows, stride);
        shift_columns(&ring, &mut columns, stride, &tables).unwrap();
        assert_eq!(rows, columns, "{len} in rows of {stride}");
    }
}
