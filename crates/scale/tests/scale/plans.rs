//! Plans, which are values: for lengths that no test computes.

use sunzi_dft::Direction;
use sunzi_field::AnyField;
use sunzi_machine::threads::alone;
use sunzi_scale::{Order, Plan, Route, ScaleError};

const MIB: u64 = 1 << 20;

#[test]
fn bands_fill_the_memory_and_runs_are_long() {
    let field = AnyField::modulo_word(0xffff_ffff_0000_0001).unwrap();
    for log_n in [20, 24, 29, 32] {
        for memory in [16 * MIB, 64 * MIB, 1024 * MIB, 16384 * MIB] {
            for (direction, order) in [
                (Direction::Forward, Order::Natural),
                (Direction::Forward, Order::Transposed),
                (Direction::Inverse, Order::Transposed),
            ] {
                let points = 1usize << log_n;
                let plan = match Plan::choose(&field, points, direction, order, memory) {
                    Ok(plan) => plan,
                    Err(ScaleError::Memory { needed, .. }) => {
                        assert!(needed > memory);
                        continue;
                    }
                    Err(error) => panic!("{error}"),
                };
                assert!(plan.memory <= memory, "{plan}");
                assert_eq!(plan.height * plan.width, points);
                if plan.route == Route::InMemory {
                    continue;
                }
                // Three bands are a quarter of the memory at least, but for what tables take, or all that there is.
                assert!(plan.memory >= memory / 8, "{plan} of {memory}");
                let vector = 8 * points as u64;
                assert_eq!(plan.moved(), vector * 2 * plan.passes() as u64);
                // Two passes carry M'²/t bytes with runs of t.
                let third = memory / 6;
                let longest = third * third / vector;
                let run = *plan.runs().iter().min().unwrap() as u64;
                assert!(
                    run >= (longest / 8).min(MIB),
                    "{plan}: runs of {run}, {longest} can be"
                );
            }
        }
    }
}

#[test]
fn too_little_memory_is_told_with_what_would_do() {
    let field = AnyField::modulo_word(469_762_049).unwrap();
    let plan = |memory| Plan::choose(&field, 1 << 24, Direction::Forward, Order::Natural, memory);
    let Err(ScaleError::Memory { needed, .. }) = plan(1000) else {
        panic!("no plan has a kilobyte");
    };
    assert!(plan(needed).is_ok(), "{needed}");
    assert!(matches!(plan(needed / 2), Err(ScaleError::Memory { .. })));
}

#[test]
fn what_a_plan_says() {
    let field = AnyField::modulo_word(4_611_686_018_326_724_609).unwrap();
    let plan = |memory| Plan::choose(&field, 1 << 24, Direction::Forward, Order::Natural, memory);
    assert!(
        plan(1 << 30)
            .unwrap()
            .to_string()
            .starts_with("16777216 points in memory, which takes ")
    );
    let text = plan(64 * MIB).unwrap().to_string();
    assert!(
        text.contains(" x ") && text.contains("3 passes (columns, rows, and a transposition)"),
        "{text}"
    );
}

/// The longest vectors of 8-byte residues, as the page tells them.
#[test]
fn the_page_tells_what_memory_carries() {
    alone(what_memory_carries);
}

fn what_memory_carries() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/scale.md");
    let page = std::fs::read_to_string(page).unwrap();
    // With transforms of up to 2^44 points.
    let field = AnyField::modulo_word(4_611_615_649_683_210_241).unwrap();
    for memory in [256 * MIB, 1024 * MIB, 4096 * MIB, 16384 * MIB] {
        let longest = |run: u64| {
            let lengths = (20..=44).filter(|&log_n| {
                let plan = Plan::choose(
                    &field,
                    1 << log_n,
                    Direction::Forward,
                    Order::Transposed,
                    memory,
                );
                plan.is_ok_and(|plan| plan.runs().into_iter().min() >= Some(run as usize))
            });
            sunzi_machine::memory::Shown(8 << lengths.max().unwrap()).to_string()
        };
        let line = format!(
            "| {} | {} | {} |",
            sunzi_machine::memory::Shown(memory),
            longest(MIB),
            longest(MIB / 16)
        );
        println!("{line}");
        assert!(page.contains(&line), "{line}");
    }
}
