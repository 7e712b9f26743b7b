//! Steps that leading bits determine.

use sunzi_integer::internals::steps;

use rug::Integer;
use sunzi_testkit::Random;

/// Whatever follows the leading bits, both numbers stay positive, above 2^62 units.
#[test]
fn numbers_stay_large_whatever_is_cut_off() {
    let mut random = Random::new(3);
    let mut cases = Vec::new();
    for _ in 0..20_000 {
        let [a, b, c, d] = [(); 4].map(|()| random.words(1)[0]);
        let x = u128::from(a) << 64 | u128::from(b);
        let y = u128::from(c) << 64 | u128::from(d);
        cases.push((x >> 2 | 1 << 125, y >> 2));
        cases.push((x >> 2 | 1 << 125, y >> (2 + a % 40)));
        cases.push((
            x >> 2 | 1 << 125,
            (x >> 2 | 1 << 125).saturating_sub(y >> 2 >> (d % 126)),
        ));
    }
    // Quotients of 1 alone.
    let (mut f, mut g) = (1u128, 1u128);
    while g >> 125 == 0 {
        (f, g) = (g, f + g);
    }
    cases.extend([(g, f), (f.max(1 << 125), g.min((1 << 126) - 1))]);
    let mut determined = 0;
    for (x, y) in cases {
        let Some([[u, v], [u1, v1]]) = steps(x, y) else {
            continue;
        };
        determined += 1;
        assert_eq!(
            u128::from(u) * u128::from(v1) - u128::from(v) * u128::from(u1),
            1
        );
        assert!(u.max(v).max(u1).max(v1) >> 60 == 0);
        let [x, y] = [x, y].map(Integer::from);
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let (x, y) = (Integer::from(&x + dx), Integer::from(&y + dy));
            let next_x = Integer::from(&x * v1) - Integer::from(&y * v);
            let next_y = Integer::from(&y * u) - Integer::from(&x * u1);
            assert!(next_x.significant_bits() > 62 && next_x > 0);
            assert!(next_y.significant_bits() > 62 && next_y > 0);
        }
    }
    assert!(determined > 30_000);
}
