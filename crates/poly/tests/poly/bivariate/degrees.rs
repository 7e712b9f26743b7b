//! Degrees of subresultants.

use sunzi_poly::internals::subresultant_degree;

#[test]
fn bounds_of_dense_and_of_thin_polynomials() {
    let dense = |degree: usize| (0..=degree).map(|j| Some(degree - j)).collect::<Vec<_>>();
    assert_eq!(subresultant_degree(&dense(30), &dense(30), 0), 900);
    assert_eq!(subresultant_degree(&dense(5), &dense(3), 1), 4 * 2 + 1);
    // A box: the mixed bound.
    let boxed = |x: usize, y: usize| vec![Some(x); y + 1];
    assert_eq!(
        subresultant_degree(&boxed(2, 7), &boxed(3, 5), 0),
        5 * 2 + 7 * 3
    );
    assert_eq!(
        subresultant_degree(&boxed(2, 7), &boxed(3, 5), 2),
        3 * 2 + 5 * 3
    );
    // y² − x and y³ − x: x²(x − 1) by weights 2 and 3 for x.
    let f = [Some(1), None, Some(0)];
    let g = [Some(1), None, None, Some(0)];
    assert_eq!(subresultant_degree(&f, &g, 0), 3);
}
