//! Pieces of work that take turns.

use crate::GpuError;
use std::collections::VecDeque;

/// Lanes that take turns: while one is copied to, another computes and a third is copied from.
pub const LANES: usize = 3;

/// Submits every piece on the next lane, and collects a lane's piece before the lane gets another.
pub fn take_turns<L, P>(
    lanes: &mut [L],
    pieces: impl IntoIterator<Item = P>,
    mut submit: impl FnMut(&mut L, &P) -> Result<(), GpuError>,
    mut collect: impl FnMut(&mut L, P) -> Result<(), GpuError>,
) -> Result<(), GpuError> {
    let mut under_way: VecDeque<(usize, P)> = VecDeque::new();
    let turns = (0..lanes.len()).cycle();
    for (lane, piece) in turns.zip(pieces) {
        // All lanes are busy, and this one has been for longest.
        if under_way.len() == lanes.len()
            && let Some((_, earlier)) = under_way.pop_front()
        {
            collect(&mut lanes[lane], earlier)?;
        }
        submit(&mut lanes[lane], &piece)?;
        under_way.push_back((lane, piece));
    }
    for (lane, piece) in under_way {
        collect(&mut lanes[lane], piece)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    #[test]
    fn pieces_come_back_in_order_each_from_its_lane() {
        for lanes in 1..4 {
            for pieces in 0..8 {
                // A lane holds the piece that it works on.
                let mut all = vec![None; lanes];
                let collected = RefCell::new(Vec::new());
                let submit = |lane: &mut Option<usize>, &piece: &usize| {
                    assert_eq!(lane.replace(piece), None, "the lane was free");
                    Ok(())
                };
                let collect = |lane: &mut Option<usize>, piece| {
                    assert_eq!(lane.take(), Some(piece));
                    collected.borrow_mut().push(piece);
                    Ok(())
                };
                take_turns(&mut all, 0..pieces, submit, collect).unwrap();
                assert_eq!(collected.into_inner(), (0..pieces).collect::<Vec<_>>());
                assert!(all.iter().all(Option::is_none));
            }
        }
    }
}
