//! Plans are for what kernels take.

use sunzi_integer::Thresholds;
use sunzi_integer::internals::{Kernel, MAX_IFMA, NEVER, Planner, Step, measured, parts};
use sunzi_machine::InstructionSet;

/// With built-in thresholds, and with all orders of extreme ones.
fn planners() -> impl Iterator<Item = Planner> {
    InstructionSet::ALL.into_iter().flat_map(|set| {
        let built_in = Planner::new(set, measured(set, set));
        let mut planners = vec![built_in];
        for [karatsuba, toom3, transform, ifma] in [
            [0, 0, 0, 0],
            [NEVER; 4],
            [NEVER, 0, NEVER, 20],
            [NEVER, 40, 100, 0],
            [400, 20, 300, 100],
            [30, NEVER, 50, NEVER],
        ] {
            planners.push(built_in.with_thresholds(Thresholds {
                ifma,
                ifma_long: ifma,
                ifma_square: ifma,
                karatsuba,
                toom3,
                transform,
            }));
        }
        planners
    })
}

/// What callers ask for first is what a plan says.
#[test]
fn unrolled_products_are_planned() {
    for planner in planners() {
        for long in 0..=20 {
            for short in 0..=long {
                let kernels = [(Kernel::Unrolled, false), (Kernel::UnrolledSquare, true)];
                for (kernel, square) in kernels {
                    if !square || long == short {
                        let (planned, ..) = parts(&planner.plan(long, short, square));
                        let unrolled = planned == Step::Quadratic(kernel);
                        assert_eq!(unrolled, planner.is_unrolled(long, short));
                        if square {
                            assert_eq!(unrolled, planner.is_unrolled_square(long));
                        }
                    }
                }
            }
        }
    }
}

/// Every kernel takes the lengths that it is planned for.
#[test]
fn kernels_take_what_is_planned() {
    for planner in planners() {
        for long in (0..=300).chain([700, 1000]) {
            for short in 0..=long {
                for square in [false, true] {
                    let plan = planner.plan(long, short, square && long == short);
                    let (step, piece, is_whole) = parts(&plan);
                    if let Step::Quadratic(kernel) = step {
                        let vectors = matches!(kernel, Kernel::Ifma | Kernel::IfmaTiled);
                        assert!(
                            !vectors || planner.instruction_set() == InstructionSet::Avx512,
                            "{plan:?}"
                        );
                        let (piece, short) = (piece.max(short), piece.min(short));
                        // Pieces of one that is too long for vectors are planned anew, with the other one cut.
                        let cut = plan.short > MAX_IFMA && !is_whole;
                        assert!(cut || kernel.takes(piece, short), "{plan:?}");
                    }
                }
            }
        }
    }
}
