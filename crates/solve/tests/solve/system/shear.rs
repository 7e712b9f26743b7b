//! Curves in other coordinates.

use sunzi_integer::Integer;
use sunzi_poly::{BivariatePoly, Poly};
use sunzi_solve::Direction;
use sunzi_solve::internals::{applied, directions};

/// The value at a point, by the definition.
fn value(f: &BivariatePoly<Integer>, x: i64, y: i64) -> Integer {
    let row = |row: &Poly<Integer>| {
        let terms = row.coefficients().iter().enumerate();
        terms
            .map(|(i, c)| c * Integer::from(x).pow(i))
            .sum::<Integer>()
    };
    let rows = f.rows().iter().enumerate();
    rows.map(|(j, r)| row(r) * Integer::from(y).pow(j)).sum()
}

#[test]
fn values_stay_in_new_coordinates() {
    let rows: [&[i64]; 3] = [&[5, -3, 0, 7], &[], &[0, 2, 9, -1]];
    let rows = rows.map(|row| Poly::new(row.iter().map(|&c| Integer::from(c)).collect()));
    let f = BivariatePoly::new(rows.to_vec());
    for direction in directions().take(8) {
        let image = applied(direction, &f);
        for (x, y) in [(0, 0), (1, 0), (0, 1), (3, -2), (-5, 7), (100, 31)] {
            let (t, u) = match direction {
                Direction::Y => (y, x),
                Direction::Shear { slope } => (x + slope * y, y),
            };
            assert_eq!(value(&image, t, u), value(&f, x, y), "{direction}");
        }
    }
    assert_eq!(
        applied(Direction::Y, &BivariatePoly::zero()),
        BivariatePoly::zero()
    );
}
