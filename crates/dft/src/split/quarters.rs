//! Vectors of the four quarters of a block.

use sunzi_field::lanes::Lanes;

/// One vector of each quarter.
///
/// # Safety
/// A vector is readable at position `i` of each quarter.
#[inline(always)]
unsafe fn load4<L: Lanes>(
    lanes: L,
    [q0, q1, q2, q3]: [*mut L::Word; 4],
    i: usize,
) -> [L::Vector; 4] {
    // SAFETY: a vector in each quarter, which this function asks for.
    unsafe {
        [
            lanes.load(q0.add(i)),
            lanes.load(q1.add(i)),
            lanes.load(q2.add(i)),
            lanes.load(q3.add(i)),
        ]
    }
}

/// Two vectors of each quarter.
///
/// # Safety
/// Two vectors are readable at position `i` of each quarter.
#[inline(always)]
pub(super) unsafe fn load_columns<L: Lanes>(
    lanes: L,
    quarters: [*mut L::Word; 4],
    i: usize,
) -> [[L::Vector; 4]; 2] {
    // SAFETY: two vectors in each quarter, which this function asks for.
    unsafe {
        [
            load4(lanes, quarters, i),
            load4(lanes, quarters, i + L::LANES),
        ]
    }
}

/// Undoes [`load_columns`].
///
/// # Safety
/// Two vectors are writable at position `i` of each quarter.
#[inline(always)]
pub(super) unsafe fn store_columns<L: Lanes>(
    lanes: L,
    [q0, q1, q2, q3]: [*mut L::Word; 4],
    i: usize,
    columns: [[L::Vector; 4]; 2],
) {
    let [a, b] = columns;
    let j = i + L::LANES;
    // SAFETY: two vectors in each quarter, which this function asks for.
    unsafe {
        lanes.store(q0.add(i), a[0]);
        lanes.store(q0.add(j), b[0]);
        lanes.store(q1.add(i), a[1]);
        lanes.store(q1.add(j), b[1]);
        lanes.store(q2.add(i), a[2]);
        lanes.store(q2.add(j), b[2]);
        lanes.store(q3.add(i), a[3]);
        lanes.store(q3.add(j), b[3]);
    }
}
