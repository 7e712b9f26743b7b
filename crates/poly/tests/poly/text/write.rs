//! Polynomials as expressions.

use sunzi_integer::Integer;
use sunzi_poly::Poly;
use sunzi_poly::internals::GROUP;
use sunzi_poly::text::{write, write_two};

fn expression(polynomial: &[i64]) -> String {
    let mut text = Vec::new();
    write(polynomial.len(), "x", &mut text, |index, out| {
        out.extend_from_slice(polynomial[index].to_string().as_bytes());
    });
    String::from_utf8(text).unwrap()
}

#[test]
fn terms_look_as_people_write_them() {
    for (polynomial, expected) in [
        (&[][..], "0"),
        (&[0, 0], "0"),
        (&[5], "5"),
        (&[-1], "-1"),
        (&[1], "1"),
        (&[0, 1], "x"),
        (&[0, -1], "-x"),
        (&[1, -2, 3], "3*x^2 - 2*x + 1"),
        (&[-1, 1, 0, -1], "-x^3 + x - 1"),
        (&[0, 10, 0, -11], "-11*x^3 + 10*x"),
    ] {
        assert_eq!(expression(polynomial), expected);
    }
}

#[test]
fn terms_in_two_variables_stand_by_their_degrees() {
    let cases: [(&[&[&str]], &str); 5] = [
        (&[], "0"),
        (&[&["0"]], "0"),
        (&[&["-1"]], "-1"),
        (
            &[&["5", "0", "-1"], &["0", "1"], &["3"]],
            "-a^2 + a*b + 3*b^2 + 5",
        ),
        (&[&[], &[], &["0", "0", "-7"], &["1"]], "-7*a^2*b^2 + b^3"),
    ];
    for (rows, expected) in cases {
        let mut text = Vec::new();
        let lengths = rows.iter().map(|row| row.len());
        write_two(lengths, ["a", "b"], &mut text, |[row, place], out| {
            out.extend_from_slice(rows[row][place].as_bytes());
        });
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }
}

#[test]
fn expressions_are_read_as_they_were_written() {
    for count in [1, 2, GROUP - 1, GROUP, GROUP + 1, 3 * GROUP + 5] {
        // Zeros fill a whole group of the longest.
        let zero = |i: usize| i % 5 == 3 || (GROUP..2 * GROUP).contains(&i) && i + 1 < count;
        let polynomial: Vec<i64> = (0..count as i64)
            .map(|i| if zero(i as usize) { 0 } else { i % 7 - 3 })
            .collect();
        let text = expression(&polynomial);
        let expected = polynomial.iter().map(|&value| value.into()).collect();
        assert_eq!(text.parse::<Poly<Integer>>(), Ok(Poly::new(expected)));
    }
}
