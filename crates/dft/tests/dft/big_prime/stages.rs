//! Stages join every point once, by as few products as can be.

use sunzi_dft::internals::{LANES, MOST_POINTS, Stage, Stages, Twiddle};

#[test]
fn every_point_is_joined_once() {
    for log_k in 2..=8 {
        for log_n in 4..=24 {
            let k = 1 << log_k;
            let Some(stages) = Stages::new(log_n, k) else {
                continue;
            };
            let mut left = (1usize << log_n) / LANES;
            let mut stride = 1;
            for stage in &stages.stages {
                left /= stage.radix;
                assert_eq!((stage.columns, stage.stride), (left, stride));
                assert!(stage.radix <= 2 * k && stage.radix <= MOST_POINTS);
                stride *= stage.radix;
            }
            assert_eq!(left * LANES, stages.last.radix);
            assert!(stride >= LANES || log_n < 6, "{log_n} {k}");
        }
    }
}

#[test]
fn as_few_products_as_there_may_be() {
    for log_k in 3..=8 {
        let products = |log_n| {
            let stages = Stages::new(log_n, 1 << log_k).unwrap().stages;
            let is_product =
                |stage: &&Stage| !matches!(stage.twiddle, Twiddle::None | Twiddle::Rotation { .. });
            stages.iter().filter(is_product).count()
        };
        // K², and (2K)² where no group has more than 16·16 points.
        assert_eq!(products(2 * log_k), 1, "{log_k}");
        if log_k < 8 {
            assert_eq!(products(2 * log_k + 2), 1, "{log_k}");
        }
    }
}
