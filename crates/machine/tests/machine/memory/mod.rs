//! Budgets of memory.

mod limits;

use sunzi_machine::internals::draw_asking;
use sunzi_machine::memory::{Budget, Drawn, OutOfMemory};

#[test]
fn refuses_with_both_figures() {
    let OutOfMemory { needed, available } = Budget::system().require(u64::MAX).unwrap_err();
    assert_eq!(needed, u64::MAX);
    assert!(available < u64::MAX);
}

#[test]
fn the_limit_counts() {
    let budget = Budget::within(Some(5));
    assert_eq!(budget.available(), Some(5));
    let refused = Err(OutOfMemory {
        needed: 6,
        available: 5,
    });
    assert_eq!(budget.require(6), refused);
    assert_eq!(budget.holding(6).require(0), refused);
    assert_eq!(budget.holding(2).holding(3).require(1), refused);
    assert_eq!(budget.require(5), Ok(()));
    assert_eq!(Budget::system().require(6), Ok(()));
}

#[test]
fn what_is_drawn_stops_before_the_memory_ends() {
    let machine = 1 << 30;
    let drawn = Drawn::new(Budget::system());
    let (mut taken, mut asked) = (0, 0);
    loop {
        let done = draw_asking(&drawn, 1000, |needed| {
            asked += 1;
            let available = machine - taken;
            if needed <= available {
                return Ok(());
            }
            Err(OutOfMemory { needed, available })
        });
        if done.is_err() {
            break;
        }
        taken += 1000;
    }
    assert!(taken <= machine && taken > machine / 4);
    assert!(asked < 10);
}

#[test]
fn one_entry_may_be_too_large() {
    let drawn = Drawn::new(Budget::system());
    assert!(drawn.draw(u64::MAX, 0).is_err());
    assert!(drawn.draw(u64::MAX, 0).is_err());
}
