//! Graphs of one side or two, searched breadth first.

use std::ops::Range;

use crate::{matrix::CsrMatrix, places::Places};

/// Most searches of a component after the first.
const MOST_SEARCHES: usize = 8;

/// An undirected graph whose nodes are on SIDES sides, of rows and of columns, and have neighbours on the next side
/// only; on one side, all nodes are on it. So all nodes of a level of a search are on one side, and nodes of each side
/// are numbered from 0.
pub(super) struct Graph<const SIDES: usize> {
    sides: [Lists; SIDES],
}

/// For each node of a side its neighbours.
struct Lists {
    starts: Vec<usize>,
    neighbours: Vec<u32>,
}

impl Lists {
    fn nodes(&self) -> usize {
        self.starts.len() - 1
    }

    fn of(&self, node: u32) -> &[u32] {
        &self.neighbours[self.starts[node as usize]..self.starts[node as usize + 1]]
    }

    fn degree(&self, node: u32) -> usize {
        self.of(node).len()
    }

    /// All nodes, those of low degree first, by a counting sort.
    fn by_degree(&self) -> Vec<u32> {
        let nodes = 0..self.nodes() as u32;
        let most = nodes.clone().map(|node| self.degree(node)).max();
        let mut places = vec![0; most.unwrap_or(0) + 2];
        for node in nodes.clone() {
            places[self.degree(node) + 1] += 1;
        }
        for degree in 1..places.len() {
            places[degree] += places[degree - 1];
        }
        let mut order = vec![0; self.nodes()];
        for node in nodes {
            let place = &mut places[self.degree(node)];
            order[*place] = node;
            *place += 1;
        }
        order
    }
}

impl Graph<1> {
    /// An edge for each entry of a square matrix or its transpose that is not on the diagonal.
    pub(super) fn of_square(matrix: Places<'_>) -> Self {
        let by_columns = matrix.to_matrix().to_csc();
        let mut starts = vec![0];
        let mut neighbours = Vec::with_capacity(matrix.nnz());
        for node in 0..matrix.rows() {
            let (mut a, mut b) = (matrix.row(node), by_columns.column(node).0);
            while let Some(&next) = match (a.first(), b.first()) {
                (Some(x), Some(y)) => Some(x.min(y)),
                (x, y) => x.or(y),
            } {
                a = &a[usize::from(a.first() == Some(&next))..];
                b = &b[usize::from(b.first() == Some(&next))..];
                if next as usize != node {
                    neighbours.push(next);
                }
            }
            starts.push(neighbours.len());
        }
        Self {
            sides: [Lists { starts, neighbours }],
        }
    }
}

impl Graph<2> {
    /// Rows and columns as sides, an edge for each entry.
    pub(super) fn of_sides(pattern: CsrMatrix<()>) -> Self {
        let (starts, neighbours, _) = pattern.to_csc().into_parts();
        let columns = Lists { starts, neighbours };
        let (starts, neighbours, _) = pattern.into_parts();
        let rows = Lists { starts, neighbours };
        Self {
            sides: [rows, columns],
        }
    }
}

/// A node by its side and its number there.
#[derive(Clone, Copy)]
struct Node {
    side: usize,
    number: u32,
}

/// What a search found last.
struct Reach {
    /// How many steps away the farthest nodes are.
    depth: usize,
    /// Their side.
    side: usize,
    /// Where the first of them comes among the nodes found there.
    first: usize,
}

/// A component of a graph whose nodes are numbered as they were found.
struct Component<const SIDES: usize> {
    /// Its nodes on each side.
    nodes: [Range<usize>; SIDES],
    /// How many steps from some node the farthest ones are.
    depth: usize,
    /// One of these, of lowest degree.
    farthest: Node,
}

impl<const SIDES: usize> Graph<SIDES> {
    /// The nodes of each side, component by component, each breadth first from a pseudo-peripheral node and neighbours of
    /// low degree first, all backward; nodes without neighbours come last.
    pub(super) fn reverse_cuthill_mckee(self) -> [Vec<u32>; SIDES] {
        let (mut names, components) = self.components();
        let graph = self.renumbered(&names);
        let mut search = Search::new(&graph);
        let mut orders = [(); SIDES].map(|()| Vec::new());
        for component in &components {
            search.search_start_at_rim(component);
            for (order, found) in orders.iter_mut().zip(&search.found) {
                order.extend_from_slice(found);
            }
        }
        for (order, names) in orders.iter_mut().zip(&mut names) {
            let alone = names.split_off(order.len());
            order.reverse();
            for node in order.iter_mut() {
                *node = names[*node as usize];
            }
            order.extend(alone);
        }
        orders
    }

    /// The nodes of each side as a search from nodes of low degree finds them, component by component, and then those
    /// without neighbours.
    fn components(&self) -> ([Vec<u32>; SIDES], Vec<Component<SIDES>>) {
        let mut search = Search::new(self);
        let mut components = Vec::new();
        // A node of the other side has a neighbour on the first, or none at all.
        for number in self.sides[0].by_degree() {
            if search.seen[0][number as usize] || self.sides[0].degree(number) == 0 {
                continue;
            }
            let before = search.found.each_ref().map(Vec::len);
            let reach = search.breadth_first(Node { side: 0, number });
            let number = search.lowest_of(&reach).0 as u32;
            let mut ends = search.found.iter().map(Vec::len);
            components.push(Component {
                nodes: before.map(|start| start..ends.next().unwrap_or(start)),
                depth: reach.depth,
                farthest: Node {
                    side: reach.side,
                    number,
                },
            });
        }
        let Search {
            mut found, seen, ..
        } = search;
        for (found, seen) in found.iter_mut().zip(&seen) {
            let nodes = (0u32..).zip(seen);
            found.extend(nodes.filter(|(_, seen)| !**seen).map(|(node, _)| node));
        }
        (found, components)
    }

    /// The graph with the nodes of each side numbered in this order, and lists that begin with neighbours of low degree.
    fn renumbered(self, order: &[Vec<u32>; SIDES]) -> Self {
        let numbers = order.each_ref().map(|order| {
            let mut numbers = vec![0; order.len()];
            for (number, &node) in (0..).zip(order) {
                numbers[node as usize] = number;
            }
            numbers
        });
        let mut side = 0;
        let renamed = self.sides.map(|lists| {
            let numbers = &numbers[(side + 1) % SIDES];
            let mut starts = vec![0];
            let mut neighbours = Vec::with_capacity(lists.neighbours.len());
            for &node in &order[side] {
                let names = lists.of(node).iter();
                neighbours.extend(names.map(|&neighbour| numbers[neighbour as usize]));
                starts.push(neighbours.len());
            }
            side += 1;
            Lists { starts, neighbours }
        });
        // Each node in order of degree is handed to its neighbours: so all lists get sorted in linear time.
        let mut sorted = renamed.each_ref().map(|lists| {
            let neighbours = vec![0; lists.neighbours.len()];
            (lists.starts.clone(), neighbours)
        });
        for (side, lists) in renamed.iter().enumerate() {
            let (ends, theirs) = &mut sorted[(side + 1) % SIDES];
            for node in lists.by_degree() {
                for &neighbour in lists.of(node) {
                    let end = &mut ends[neighbour as usize];
                    theirs[*end] = node;
                    *end += 1;
                }
            }
        }
        let mut sorted = sorted.into_iter();
        let sides = renamed.map(|lists| Lists {
            neighbours: sorted
                .next()
                .map(|(_, neighbours)| neighbours)
                .unwrap_or_default(),
            ..lists
        });
        Self { sides }
    }
}

/// Breadth-first searches.
struct Search<'a, const SIDES: usize> {
    graph: &'a Graph<SIDES>,
    seen: [Vec<bool>; SIDES],
    /// The nodes of each side in the order in which they were seen.
    found: [Vec<u32>; SIDES],
}

impl<'a, const SIDES: usize> Search<'a, SIDES> {
    fn new(graph: &'a Graph<SIDES>) -> Self {
        Self {
            graph,
            seen: graph
                .sides
                .each_ref()
                .map(|lists| vec![false; lists.nodes()]),
            found: [(); SIDES].map(|()| Vec::new()),
        }
    }

    /// Finds the component of a node that was not seen.
    fn breadth_first(&mut self, start: Node) -> Reach {
        self.seen[start.side][start.number as usize] = true;
        self.found[start.side].push(start.number);
        let mut reach = Reach {
            depth: 0,
            side: start.side,
            first: self.found[start.side].len() - 1,
        };
        loop {
            let next = (reach.side + 1) % SIDES;
            let (level, first) = (self.found[reach.side].len(), self.found[next].len());
            for at in reach.first..level {
                let node = self.found[reach.side][at];
                for &neighbour in self.graph.sides[reach.side].of(node) {
                    let seen = &mut self.seen[next][neighbour as usize];
                    if !*seen {
                        *seen = true;
                        self.found[next].push(neighbour);
                    }
                }
            }
            if self.found[next].len() == first {
                return reach;
            }
            reach = Reach {
                depth: reach.depth + 1,
                side: next,
                first,
            };
        }
    }

    /// Of the farthest nodes one of lowest degree: where it comes among those found on its side, and its number.
    fn lowest_of(&self, reach: &Reach) -> (usize, u32) {
        let found = self.found[reach.side].iter().copied().enumerate();
        let degree = |&(_, node): &(usize, u32)| self.graph.sides[reach.side].degree(node);
        let lowest = found.skip(reach.first).min_by_key(degree);
        lowest.expect("a search finds its start at least")
    }

    /// Finds the nodes of a component alone, from a pseudo-peripheral node: of the farthest nodes, one of lowest degree is
    /// the next start, as long as that makes the search deeper.
    fn search_start_at_rim(&mut self, component: &Component<SIDES>) {
        let (mut start, mut depth) = (component.farthest, component.depth);
        for _ in 0..MOST_SEARCHES {
            for (side, nodes) in component.nodes.iter().enumerate() {
                self.seen[side][nodes.clone()].fill(false);
                self.found[side].clear();
            }
            let reach = self.breadth_first(start);
            if reach.depth <= depth {
                return;
            }
            let (side, number) = (reach.side, self.lowest_of(&reach).1);
            (start, depth) = (Node { side, number }, reach.depth);
        }
    }
}
