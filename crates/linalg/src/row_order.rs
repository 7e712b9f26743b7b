//! Rows of words that are put in the order of a list of their indices.

/// The rows that the indices name, one after the other, in the memory of all rows if none is named twice.
///
/// # Errors
/// The place of the first index that names no row, or of one beyond 2^32 rows.
pub fn arranged(
    mut indices: Vec<u32>,
    mut rows: Vec<u64>,
    width: usize,
) -> Result<Vec<u64>, usize> {
    let places = indices.len();
    let mut is_named = vec![false; rows.len() / width];
    rows.truncate(is_named.len() * width);
    for (place, &index) in indices.iter().enumerate() {
        *is_named.get_mut(index as usize).ok_or(place)? = true;
    }
    let unnamed: Vec<u32> = (0..is_named.len())
        .filter(|&row| !is_named[row])
        .map(|row| u32::try_from(row).map_err(|_| places))
        .collect::<Result<_, _>>()?;

    // Every place gets a row of its own.
    let named = is_named.len() - unnamed.len();
    rows.reserve_exact((places - named) * width);
    is_named.fill(false);
    for (place, index) in indices.iter_mut().enumerate() {
        let row = *index as usize;
        if is_named[row] {
            *index = u32::try_from(rows.len() / width).map_err(|_| place)?;
            rows.extend_from_within(row * width..(row + 1) * width);
        }
        is_named[row] = true;
    }
    drop(is_named);

    // Rows that nobody names go to the end: the indices are a permutation, whose cycles are followed.
    indices.extend(unnamed);
    let mut first = vec![0; width];
    for start in 0..indices.len() {
        if indices[start] as usize == start {
            continue;
        }
        first.copy_from_slice(&rows[start * width..][..width]);
        let mut place = start;
        loop {
            let source = std::mem::replace(&mut indices[place], place as u32) as usize;
            if source == start {
                break;
            }
            rows.copy_within(source * width..(source + 1) * width, place * width);
            place = source;
        }
        rows[place * width..][..width].copy_from_slice(&first);
    }
    rows.truncate(places * width);
    rows.shrink_to_fit();
    Ok(rows)
}
