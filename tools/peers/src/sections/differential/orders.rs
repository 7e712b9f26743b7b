//! Orderings of rows and columns of sparse matrices, and matrices in other orders, against definitions.

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use sunzi_sparse::{
    CsrMatrix, Permutation,
    cache::CacheShape,
    reorder::{AutoOrdering, GrayOrdering, Method, auto_ordering, gray_ordering},
};

use super::operation::Operation;
use super::sparse::{Places, doubles, matrix, places, places_of, whole};
use super::trial::Trial;

pub fn operations() -> Vec<Operation> {
    let definition = |name, case: fn(&mut Trial)| Operation::new(name, "the definition", case);
    vec![
        definition("sparse-permute", permute),
        definition("gray-order", gray),
        Operation::alone("cuthill-mckee", "the definition", cuthill_mckee),
        Operation::alone(
            "bipartite-cuthill-mckee",
            "the definition",
            bipartite_cuthill_mckee,
        ),
        Operation::alone("bordered-cuthill-mckee", "the definition", bordered),
        definition("auto-order", auto),
    ]
}

/// Entries in the order of rows and columns.
type Entries = Vec<(u32, u32, f64)>;

/// The entries at the places that the orders say: row i of the new matrix is row `rows[i]` of the old.
fn moved(entries: &Entries, rows: Option<&Permutation>, columns: Option<&Permutation>) -> Entries {
    let places = |order: Option<&Permutation>| {
        let order = order?.order();
        let mut places = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            places[old as usize] = new as u32;
        }
        Some(places)
    };
    let (rows, columns) = (places(rows), places(columns));
    let place = |places: &Option<Vec<u32>>, old: u32| match places {
        Some(places) => places[old as usize],
        None => old,
    };
    let moved = |&(i, j, entry): &(u32, u32, f64)| (place(&rows, i), place(&columns, j), entry);
    let mut all: Entries = entries.iter().map(moved).collect();
    all.sort_by_key(|&(i, j, _)| (i, j));
    all
}

fn permute(trial: &mut Trial) {
    let places = places(trial);
    let entries = doubles(&whole(trial, places.all.len(), 20));
    let Some(matrix) = trial.expect("matrix", matrix(&places, &entries)) else {
        return;
    };
    let given = places.all.iter().zip(&entries);
    let given: Entries = given.map(|(&(i, j), &x)| (i as u32, j as u32, x)).collect();
    let rows = Permutation::random(places.rows, trial.random.word());
    let columns = Permutation::random(places.columns, trial.random.word());
    for (order, length) in [(&rows, places.rows), (&columns, places.columns)] {
        let mut once = order.order().to_vec();
        once.sort_unstable();
        trial.check("each once", once == (0..length as u32).collect::<Vec<_>>());
    }
    let next = Permutation::random(places.rows, trial.random.word());
    let at = |order: &Permutation, place: u32| order.order()[place as usize];
    let numbers = 0..places.rows as u32;
    let applied: Vec<u32> = numbers
        .clone()
        .map(|place| at(&rows, at(&next, place)))
        .collect();
    trial.compare("one after the other", rows.then(&next).order(), &applied);
    let all: Vec<u32> = numbers.collect();
    trial.compare("applied twice", &next.apply(&rows.apply(&all)), &applied);
    let undone: Vec<u32> = rows
        .order()
        .iter()
        .map(|&old| at(&rows.inverse(), old))
        .collect();
    trial.compare("inverse", &undone, &all);
    let csc = matrix.to_csc();
    let (rows, columns) = (Some(&rows), Some(&columns));
    for (rows, columns) in [(rows, None), (None, columns), (rows, columns)] {
        let theirs = moved(&given, rows, columns);
        let (ours, by_columns) = match (rows, columns) {
            (Some(rows), None) => (matrix.permute_rows(rows), csc.permute_rows(rows)),
            (None, Some(columns)) => (
                matrix.permute_columns(columns),
                csc.permute_columns(columns),
            ),
            (Some(rows), Some(columns)) => {
                (matrix.permuted(rows, columns), csc.permuted(rows, columns))
            }
            (None, None) => unreachable!("every pair has an order"),
        };
        if let Some(ours) = trial.expect("rows", ours) {
            trial.compare("entries by rows", &ours.iter().collect::<Vec<_>>(), &theirs);
        }
        if let Some(ours) = trial.expect("columns", by_columns) {
            let mut ours: Entries = ours.iter().collect();
            trial.check("columns ascend", ours.is_sorted_by_key(|&(i, j, _)| (j, i)));
            ours.sort_by_key(|&(i, j, _)| (i, j));
            trial.compare("entries by columns", &ours, &theirs);
        }
    }
}

/// Algorithms 7, 8 and 9 of the thesis by the letter: sets and comparisons.
fn literal(matrix: &CsrMatrix<f64>, merge: usize, stop: f64) -> [Vec<u32>; 2] {
    let (m, n) = (matrix.rows(), matrix.columns());
    let has = |i: usize, j: usize| matrix.get(i, j).is_some();
    let begin = |j: usize| (0..m).find(|&i| has(i, j)).unwrap_or(m);
    let mut begins: Vec<usize> = (0..n).map(begin).filter(|&i| i < m).collect();
    begins.sort_unstable();
    begins.dedup();
    let list = |j: usize| {
        let own = begins.iter().position(|&i| i == begin(j));
        own.unwrap_or(begins.len())
    };
    let mut columns: Vec<usize> = (0..n).collect();
    columns.sort_by_key(|&j| list(j));
    // Other rows are won by the list of the longest run of columns of one list, the first of several.
    let mut rows = begins.clone();
    let mut queues = vec![Vec::new(); begins.len() + 1];
    for i in (0..m).filter(|i| !begins.contains(i)) {
        let own = columns.iter().filter(|&&j| has(i, j));
        let owners: Vec<usize> = own.map(|&j| list(j)).collect();
        let (mut longest, mut winner) = (0, begins.len());
        for run in owners.chunk_by(|a, b| a == b) {
            if run.len() > longest {
                (longest, winner) = (run.len(), run[0]);
            }
        }
        queues[winner].push(i);
    }
    rows.extend(queues.into_iter().flatten());
    // Lists are merged: a column loses what is before row (i + 1)b of its merged list i, and gets i in front.
    let merged: Vec<Vec<usize>> = (0..n)
        .map(|j| {
            let group = list(j) / merge;
            let rest = (0..m).filter(|&place| has(rows[place], j) && place >= (group + 1) * merge);
            [group].into_iter().chain(rest).collect()
        })
        .collect();
    let explore = |j: usize, k: usize| merged[j].get(k).copied().unwrap_or(m);
    let same = |a: &usize, b: &usize| merged[*a][0] == merged[*b][0];
    let mut lists: Vec<Vec<usize>> = columns.chunk_by(same).map(<[usize]>::to_vec).collect();
    let mut k = 1;
    while lists.len() as f64 <= stop * n as f64 {
        let mut next = Vec::new();
        for mut list in lists {
            list.sort_by(|&a, &b| {
                let order = explore(a, k).cmp(&explore(b, k));
                if k % 2 == 0 { order } else { order.reverse() }
            });
            let parts = list.chunk_by(|&a, &b| explore(a, k) == explore(b, k));
            next.extend(parts.map(<[usize]>::to_vec));
        }
        lists = next;
        let settled = |list: &Vec<usize>| list.len() == 1 || explore(list[0], k) == m;
        if lists.iter().all(settled) {
            break;
        }
        k += 1;
    }
    let words = |order: Vec<usize>| order.into_iter().map(|index| index as u32).collect();
    [words(rows), words(lists.into_iter().flatten().collect())]
}

/// A small pattern, of which rows and columns may be empty.
fn small(trial: &mut Trial, most: (usize, usize)) -> Option<CsrMatrix<f64>> {
    let places = places_of(trial, most);
    let entries = vec![1.0; places.all.len()];
    trial.expect("matrix", matrix(&places, &entries))
}

fn gray(trial: &mut Trial) {
    let Some(matrix) = small(trial, (16, 40)) else {
        return;
    };
    let options = GrayOrdering {
        merge: NonZeroU32::new(trial.below(8) as u32),
        stop: (1 + trial.below(998)) as f64 / 1000.0,
        ..GrayOrdering::default()
    };
    let merge = options.merge_for(matrix.rows(), matrix.columns(), matrix.nnz());
    let Some(found) = trial.expect("order", gray_ordering(&matrix, &options)) else {
        return;
    };
    let [rows, columns] = literal(&matrix, merge.get() as usize, options.stop);
    let what = format!("{} by {}", matrix.rows(), matrix.columns());
    trial.compare(&format!("rows of {what}"), found.rows.order(), &rows);
    trial.compare(
        &format!("columns of {what}"),
        found.columns.order(),
        &columns,
    );
}

/// Reversed, the order goes through every component by breadth from its first node, and takes the neighbours of a node
/// by ascending degree. An edge is an entry of a square matrix or of its transpose; of others, rows and columns are the
/// two sides of the graph.
fn cuthill_mckee(trial: &mut Trial) {
    breadth_first(trial, false);
}

/// The same with rows and columns as the two sides of the graph, also of square matrices.
fn bipartite_cuthill_mckee(trial: &mut Trial) {
    breadth_first(trial, true);
}

fn breadth_first(trial: &mut Trial, always_bipartite: bool) {
    let most = match trial.below(4) {
        0 => (100, 400),
        _ => (12, 30),
    };
    let square = trial.below(2) == 0;
    let mut places = places_of(trial, most);
    if square {
        let n = places.rows.min(places.columns);
        (places.rows, places.columns) = (n, n);
        places.all.retain(|&(i, j)| i < n && j < n);
    }
    let entries = vec![1.0; places.all.len()];
    let Some(matrix) = trial.expect("matrix", matrix(&places, &entries)) else {
        return;
    };
    let (rows, columns) = match always_bipartite {
        true => matrix.bipartite_cuthill_mckee(),
        false => matrix.reverse_cuthill_mckee(),
    };
    let (m, n) = (places.rows, places.columns);
    // Rows and columns of a square matrix are the same nodes.
    let is_one = m == n && !always_bipartite;
    let nodes = if is_one { m } else { m + n };
    let mut neighbours = vec![BTreeSet::new(); nodes];
    for &(i, j) in &places.all {
        let other = if is_one { j } else { m + j };
        if i != other {
            neighbours[i].insert(other);
            neighbours[other].insert(i);
        }
    }
    let neighbours: Vec<Vec<usize>> = neighbours
        .into_iter()
        .map(|of| of.into_iter().collect())
        .collect();
    let side = |order: &Permutation, first: usize| -> Vec<usize> {
        let reversed = order.order().iter().rev();
        reversed.map(|&node| first + node as usize).collect()
    };
    let sides = match is_one {
        true => vec![side(&rows, 0)],
        false => vec![side(&rows, 0), side(&columns, m)],
    };
    let what = format!("{m} by {n}");
    trial.check(&format!("{what}: one order"), !is_one || rows == columns);
    for (ours, theirs) in sides.iter().zip(walks(&neighbours, &sides)) {
        trial.compare(&what, ours, &theirs);
    }
}

/// Dense rows last and dense columns first; between them the bipartite order of the rest, of which the columns of every
/// window are sorted by the first dense row with an entry there.
fn bordered(trial: &mut Trial) {
    let places = places_of(trial, (20, 300));
    let entries = vec![1.0; places.all.len()];
    let Some(matrix) = trial.expect("matrix", matrix(&places, &entries)) else {
        return;
    };
    let dense = |lines: usize, line: fn(&(usize, usize)) -> usize| -> Vec<bool> {
        let mut counts = vec![0; lines];
        places.all.iter().for_each(|place| counts[line(place)] += 1);
        let used = counts.iter().filter(|&&count| count > 0).count();
        let is_dense = |&count: &usize| count * used > 4 * places.all.len();
        counts.iter().map(is_dense).collect()
    };
    let dense_rows = dense(places.rows, |place| place.0);
    let dense_columns = dense(places.columns, |place| place.1);
    let mut core = Places {
        all: places.all.clone(),
        ..places
    };
    core.all
        .retain(|&(i, j)| !dense_rows[i] && !dense_columns[j]);
    let entries = vec![1.0; core.all.len()];
    let Some(core) = trial.expect("core", self::matrix(&core, &entries)) else {
        return;
    };
    let (rows, columns) = core.bipartite_cuthill_mckee();
    let of = |order: &Permutation, is_dense: &[bool], wanted: bool| -> Vec<u32> {
        let lines = order.order().iter().copied();
        lines
            .filter(|&line| is_dense[line as usize] == wanted)
            .collect()
    };
    let ascending = |is_dense: &[bool]| of(&Permutation::identity(is_dense.len()), is_dense, true);
    let has_dense = dense_rows.contains(&true) || dense_columns.contains(&true);
    let mut inner = of(&columns, &dense_columns, false);
    if has_dense {
        let width = (8 * places.columns).isqrt().max(1);
        let first = |column: u32| {
            let dense = places.all.iter().filter(|&&(i, _)| dense_rows[i]);
            let own = dense.filter(|&&(_, j)| j == column as usize);
            own.map(|&(i, _)| i).min().unwrap_or(places.rows)
        };
        let is_used = |column: u32| {
            let mut own = places.all.iter().filter(|&&(_, j)| j == column as usize);
            own.any(|&(i, _)| !dense_rows[i])
        };
        let mut keyed: Vec<_> = (0..)
            .zip(&inner)
            .map(|(place, &column)| match is_used(column) {
                true => (place / width, first(column), column),
                false => (usize::MAX, first(column), column),
            })
            .collect();
        keyed.sort_by_key(|&(window, first, _)| (window, first));
        inner = keyed.into_iter().map(|(.., column)| column).collect();
    }
    let (found_rows, found_columns) = matrix.bordered_cuthill_mckee();
    let theirs = [of(&rows, &dense_rows, false), ascending(&dense_rows)].concat();
    trial.compare("rows", found_rows.order(), &theirs);
    let theirs = [ascending(&dense_columns), inner].concat();
    trial.compare("columns", found_columns.order(), &theirs);
}

/// What every order misses, and that the one chosen misses hardly more than the best.
fn auto(trial: &mut Trial) {
    let Some(matrix) = small(trial, (20, 60)) else {
        return;
    };
    let (lines, words) = (1 + trial.below(8), 1 + trial.below(8));
    let Some(cache) = trial.expect("cache", CacheShape::new(lines * words, words)) else {
        return;
    };
    let Some(found) = trial.expect("choice", auto_ordering(&matrix, &AutoOrdering::new(cache)))
    else {
        return;
    };
    let misses_of = |rows: &Permutation, columns: &Permutation| {
        let entries = matrix.iter().collect();
        let accesses = moved(&entries, Some(rows), Some(columns)).into_iter();
        misses(
            accesses.map(|(_, j, _)| j as usize / words).collect(),
            lines,
        )
    };
    let mut fewest = u64::MAX;
    for method in Method::ALL {
        let (rows, columns) = match method {
            Method::Given => (
                Permutation::identity(matrix.rows()),
                Permutation::identity(matrix.columns()),
            ),
            Method::Bipartite => matrix.bipartite_cuthill_mckee(),
            Method::Bordered => matrix.bordered_cuthill_mckee(),
            Method::CuthillMckee => matrix.reverse_cuthill_mckee(),
            Method::Gray => {
                let order = GrayOrdering {
                    line: NonZeroU32::new(words as u32).unwrap_or(NonZeroU32::MIN),
                    ..GrayOrdering::default()
                };
                let Some(order) = trial.expect("order", gray_ordering(&matrix, &order)) else {
                    return;
                };
                (order.rows, order.columns)
            }
        };
        let theirs = misses_of(&rows, &columns);
        fewest = fewest.min(theirs);
        let tried = found.trials.iter().find(|tried| tried.method == method);
        if let Some(tried) = tried {
            trial.compare_one(method.name(), tried.misses, theirs);
        }
    }
    let chosen = misses_of(&found.rows, &found.columns);
    trial.check("hardly more than the best", 100 * chosen <= 105 * fewest);
    trial.check("no fewer than the least", found.least_misses <= fewest);
}

/// Misses of a cache of so many lines, out of which goes the line that is needed last.
fn misses(accesses: Vec<usize>, lines: usize) -> u64 {
    let (mut held, mut misses) = (Vec::new(), 0);
    for (time, line) in accesses.iter().enumerate() {
        if held.contains(line) {
            continue;
        }
        misses += 1;
        if held.len() == lines {
            let next = |held: &usize| {
                let mut later = accesses[time..].iter();
                later.position(|line| line == held).unwrap_or(usize::MAX)
            };
            let last = (0..lines).max_by_key(|&at| next(&held[at]));
            held.swap_remove(last.unwrap_or(0));
        }
        held.push(*line);
    }
    misses
}

/// Walks through all components by breadth, each from its first node on one of the sides, neighbours by ascending
/// degree and then in the order of their side; what they are on either side. Orders that are such walks come back.
fn walks(neighbours: &[Vec<usize>], sides: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut places = vec![(0, 0); neighbours.len()];
    for (side, order) in sides.iter().enumerate() {
        for (place, &node) in order.iter().enumerate() {
            places[node] = (side, place);
        }
    }
    let walk = |start: usize| -> Vec<usize> {
        let mut seen = BTreeSet::from([start]);
        let mut walk = vec![start];
        let mut at = 0;
        while at < walk.len() {
            let mut next = neighbours[walk[at]].clone();
            next.sort_by_key(|&x| (neighbours[x].len(), places[x]));
            walk.extend(next.into_iter().filter(|&x| seen.insert(x)));
            at += 1;
        }
        walk
    };
    let on = |walk: &[usize], side: usize| -> Vec<usize> {
        let own = walk.iter().filter(|&&node| places[node].0 == side);
        own.copied().collect()
    };
    let mut seen = vec![false; neighbours.len()];
    let mut found = vec![Vec::new(); sides.len()];
    for order in sides {
        for &node in order {
            if seen[node] {
                continue;
            }
            // The component in the orders given.
            let mut component = walk(node);
            component.sort_by_key(|&node| places[node]);
            for &node in &component {
                seen[node] = true;
            }
            let given: Vec<_> = (0..sides.len()).map(|side| on(&component, side)).collect();
            let starts = given.iter().filter_map(|side| side.first().copied());
            let walks: Vec<_> = starts
                .map(|start| {
                    let walk = walk(start);
                    (0..sides.len())
                        .map(|side| on(&walk, side))
                        .collect::<Vec<_>>()
                })
                .collect();
            let such = walks.iter().find(|&walk| *walk == given);
            for (parts, part) in found.iter_mut().zip(such.unwrap_or(&walks[0])) {
                parts.push(part.clone());
            }
        }
    }
    let first = |part: &Vec<usize>| part.iter().map(|&node| places[node].1).min();
    let whole = |mut parts: Vec<Vec<usize>>| {
        // Components one after the other.
        parts.sort_by_key(first);
        parts.concat()
    };
    found.into_iter().map(whole).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walks_come_back_and_other_orders_do_not() {
        // A path 0 - 2 - 1 - 3 and a node alone.
        let neighbours = [vec![2], vec![2, 3], vec![0, 1], vec![1], vec![]];
        for order in [[0, 2, 1, 3, 4], [4, 3, 1, 2, 0], [2, 0, 1, 3, 4]] {
            assert_eq!(walks(&neighbours, &[order.to_vec()]), [order]);
        }
        for order in [[0, 1, 2, 3, 4], [0, 2, 4, 1, 3], [2, 1, 0, 3, 4]] {
            assert_ne!(walks(&neighbours, &[order.to_vec()]), [order]);
        }
    }
}
