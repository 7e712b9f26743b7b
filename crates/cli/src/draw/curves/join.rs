//! Segments with common ends, joined into chains of as few places as are needed.

use std::collections::HashMap;

/// A place in the window, from (0, 0) at its left lower corner to (1, 1).
pub type Place = [f64; 2];

/// Two places with a line between them.
pub type Segment = [Place; 2];

/// How far, as a share of the window, a place may lie off the line that is drawn without it: a fortieth of a pixel.
const OFF: f64 = 1.0 / 25_600.0;

/// Places of which nobody sees that they differ are the same: a 16th of a cell of the finest kind.
const SAME: f64 = (1 << 16) as f64;

fn key(place: Place) -> [i64; 2] {
    place.map(|part| (part * SAME).round() as i64)
}

/// Whether the ends of a segment differ.
pub fn has_length(&[a, b]: &Segment) -> bool {
    key(a) != key(b)
}

/// Chains of places, of segments that have a length; a closed one ends where it begins.
pub fn join(segments: &[Segment]) -> Vec<Vec<Place>> {
    let mut at: HashMap<[i64; 2], Vec<usize>> = HashMap::new();
    for (index, segment) in segments.iter().enumerate() {
        for &place in segment {
            at.entry(key(place)).or_default().push(index);
        }
    }
    let is_end = |place: Place| at[&key(place)].len() != 2;
    let mut used = vec![false; segments.len()];
    let mut chains = Vec::new();
    // Open chains first, from one of their ends; then those that are left, which are closed.
    for open in [true, false] {
        for (index, &[a, b]) in segments.iter().enumerate() {
            if used[index] || open && !is_end(a) && !is_end(b) {
                continue;
            }
            used[index] = true;
            let (first, mut last) = if open && !is_end(a) { (b, a) } else { (a, b) };
            let mut chain = vec![first, last];
            while !is_end(last) {
                let next = at[&key(last)].iter().find(|&&next| !used[next]);
                let Some(&next) = next else { break };
                used[next] = true;
                let [a, b] = segments[next];
                last = if key(a) == key(last) { b } else { a };
                chain.push(last);
            }
            chains.push(chain);
        }
    }
    chains
}

/// The places that a chain needs (Douglas and Peucker, 1973).
pub fn simplified(chain: &[Place]) -> Vec<Place> {
    let mut kept = vec![false; chain.len()];
    let mut parts = vec![(0, chain.len() - 1)];
    while let Some((from, to)) = parts.pop() {
        (kept[from], kept[to]) = (true, true);
        let between = from + 1..to;
        let off = |index: usize| distance(chain[index], chain[from], chain[to]);
        let farthest = between.max_by(|&a, &b| off(a).total_cmp(&off(b)));
        if let Some(farthest) = farthest.filter(|&index| off(index) > OFF) {
            parts.extend([(from, farthest), (farthest, to)]);
        }
    }
    let places = chain.iter().zip(kept);
    places
        .filter(|(_, kept)| *kept)
        .map(|(&place, _)| place)
        .collect()
}

/// From a place to the segment between two others.
pub fn distance(place: Place, from: Place, to: Place) -> f64 {
    let along = [to[0] - from[0], to[1] - from[1]];
    let there = [place[0] - from[0], place[1] - from[1]];
    let square = along[0] * along[0] + along[1] * along[1];
    let share = match square > 0.0 {
        true => ((there[0] * along[0] + there[1] * along[1]) / square).clamp(0.0, 1.0),
        false => 0.0,
    };
    (there[0] - share * along[0]).hypot(there[1] - share * along[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_become_chains() {
        let (a, b, c, d) = ([0.0, 0.0], [0.25, 0.1], [0.5, 0.0], [0.75, 0.5]);
        assert_eq!(join(&[[b, c], [a, b], [d, c]]), [[a, b, c, d]]);
        // A ring is closed, whatever the order.
        let rings = join(&[[a, b], [c, a], [b, c]]);
        assert_eq!(rings, [[a, b, c, a]]);
        // Three lines meet in a place: none goes on there.
        assert_eq!(join(&[[a, b], [b, c], [b, d]]).len(), 3);
    }

    #[test]
    fn lines_need_their_ends_only() {
        let place = |k: u32| [f64::from(k) / 64.0, f64::from(k) / 128.0];
        let segments: Vec<Segment> = (0..64).map(|k| [place(k), place(k + 1)]).collect();
        let chains = join(&segments);
        assert_eq!((chains.len(), chains[0].len()), (1, 65));
        assert_eq!(simplified(&chains[0]), [place(0), place(64)]);
    }
}
