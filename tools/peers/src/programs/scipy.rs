//! SciPy's reverse Cuthill-McKee order on the bipartite graph of a matrix, by the processor's clock within Python.

use std::fmt::Write as _;
use std::process::Command;
use std::sync::Arc;

use super::{LIMIT, Program, Trouble, on_path, run_to_end};
use crate::contender::Count;
use crate::order_side::{Subject, of_both_sides};

/// Reads the rows, columns and non-zeros of a matrix, the starts of its rows and its columns; prints seconds, and the
/// order of the nodes, rows first, in [[0, A], [Aᵀ, 0]]. The graph is built within the time, as Sunzi builds its own.
const SCRIPT: &str = "
import sys, time
try:
    import numpy, scipy.sparse
    from scipy.sparse.csgraph import reverse_cuthill_mckee
except ImportError:
    print('missing')
    sys.exit()
rows, columns, count, *rest = map(int, sys.stdin.read().split())
starts = numpy.array(rest[:rows + 1], dtype=numpy.int32)
indices = numpy.array(rest[rows + 1:], dtype=numpy.int32)
matrix = scipy.sparse.csr_array((numpy.ones(count), indices, starts), shape=(rows, columns))
times = int(sys.argv[1])
start = time.process_time()
for _ in range(times):
    graph = scipy.sparse.block_array([[None, matrix], [matrix.T, None]], format='csr')
    order = reverse_cuthill_mckee(graph, symmetric_mode=True)
print(time.process_time() - start)
print(*order)
";

/// A matrix that SciPy orders.
pub struct SciPy {
    subject: Arc<Subject>,
    input: String,
}

impl SciPy {
    /// The matrix of a case.
    pub fn new(subject: &Arc<Subject>) -> Self {
        let matrix = &subject.matrix;
        let (rows, columns, count) = (matrix.rows(), matrix.columns(), matrix.nnz());
        let mut input = format!("{rows} {columns} {count}");
        for start in matrix.row_starts() {
            let _ = write!(input, " {start}");
        }
        for column in matrix.column_indices() {
            let _ = write!(input, " {column}");
        }
        Self {
            subject: Arc::clone(subject),
            input,
        }
    }
}

impl Program for SciPy {
    const NAME: &'static str = "SciPy";
    const INSTALL: &'static str = "pip install scipy, for the python3 on the path";

    fn run(&mut self, times: usize) -> Result<(f64, Vec<u64>), Trouble> {
        let mut command = Command::new(on_path("python3")?);
        command.args(["-c", SCRIPT, &times.to_string()]);
        let done = run_to_end(&mut command, &self.input, LIMIT)?;
        if done.output.trim() == "missing" {
            return Err(Trouble::Missing);
        }
        let not_understood = || Trouble::Failed("its output is not understood".into());
        let (seconds, order) = done
            .output
            .trim()
            .split_once('\n')
            .ok_or_else(not_understood)?;
        let seconds = seconds.trim().parse().map_err(|_| not_understood())?;
        let nodes: Result<Vec<u64>, _> = order.split_whitespace().map(str::parse).collect();
        let nodes = nodes.map_err(|_| not_understood())?;
        match of_both_sides(&self.subject.matrix, &nodes) {
            Some(_) => Ok((seconds, nodes)),
            None => Err(Trouble::Failed(
                "it gives no order of rows and columns".into(),
            )),
        }
    }

    fn counts(&self, nodes: &[u64]) -> Vec<Count> {
        let orders = of_both_sides(&self.subject.matrix, nodes);
        orders.map_or(Vec::new(), |orders| self.subject.counts(&orders))
    }
}
