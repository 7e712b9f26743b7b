//! Descriptions of kernels: their parameters, which shapes are legal, grids, and what they touch.

mod argument;
mod error;
pub(crate) mod expression;
mod kernel;
mod read;

pub use argument::{BufferArgument, Element, Fill, KernelArgument, NumberOf};
pub use error::{DescriptionError, Problem};
pub(crate) use kernel::Variable;
pub use kernel::{Access, Kernel, Resources};

/// Kernels as a TOML file describes them.
///
/// A file has `version = 1` and an array `kernel`. Parameters, constraints and blocks that all kernels share may stand before it;
/// a kernel's own go first. Parameters are taken in alphabetical order.
///
/// | key | holds |
/// |---|---|
/// | `data` | data parameters, each `{ from, to }`: what the caller brings |
/// | `program` | program parameters, each `{ values }`, or `{ from, to }` with `step` (1) or `factor`: what is chosen |
/// | `constraints` | comparisons of program parameters, so a shape that is legal is so for all data |
/// | `block`, `grid` | 1 to 3 expressions: threads of a block, and blocks |
/// | `name` | the kernel's name |
/// | `threads` | names of a thread's place in the whole grid: `i = "y"` |
/// | `loops` | names of counters of loops within a thread, and how often they run: `k = "n"` |
/// | `accesses` | what a thread reads and writes all through its loops: `A[i*n + k]` |
/// | `element` | bytes of an element that is accessed (4) |
/// | `entry` | the kernel's function in its program (what follows the last `/` of the name) |
/// | `definitions` | macros to compile it with, and their values: `TILE = "bx"` |
/// | `arguments` | what it is called with, in order: `{ buffer, element, length, fill, result }`, or `{ value, element }` |
/// | `registers`, `shared` | registers of a thread and bytes of shared memory of a block, where they are known: they limit how many blocks reside |
/// | `samples` | of a data parameter: values to measure at, upward (powers of two from 64 on) |
///
/// Elements are `i32`, `u32`, `f32`, `i64`, `u64` or `f64`; `fill` is `zeros`, `index` or `random`; buffers with
/// `result = true` must hold the same after a run of whatever shape.
///
/// Divisors are proved positive, and results to fit 64 bits, over the ranges of all parameters.
///
/// ```
/// let text = r#"
/// version = 1
/// [data]
/// n = { from = 1, to = 65536 }
/// [program]
/// bx = { from = 1, to = 1024, factor = 2 }
/// [[kernel]]
/// name = "row sums"
/// constraints = ["bx >= 32"]
/// block = ["bx"]
/// grid = ["ceil(n / bx)"]
/// threads = { i = "x" }
/// loops = { k = "n" }
/// accesses = ["A[i*n + k]"]
/// "#;
/// let description = sunzi::tune::Description::parse(text, "sums.toml")?;
/// let kernel = description.kernel("row sums").unwrap();
/// assert_eq!(kernel.shapes().len(), 6); // 32, 64, … 1024
/// assert_eq!(kernel.blocks(&[1000], &[64]), Some(16));
///
/// let wrong = text.replace("n / bx", "n / bz");
/// let error = sunzi::tune::Description::parse(&wrong, "sums.toml").unwrap_err();
/// assert_eq!((error.line, error.column), (11, 19));
/// # Ok::<(), sunzi::tune::DescriptionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Description {
    kernels: Vec<Kernel>,
}

impl Description {
    /// Reads a description from TOML; `file` is the name that errors say.
    ///
    /// # Errors
    /// Text that is no description, with line and column: see [`Problem`].
    pub fn parse(text: &str, file: &str) -> Result<Self, DescriptionError> {
        Ok(Description {
            kernels: read::kernels(text, file)?,
        })
    }

    /// All kernels, in the file's order.
    pub fn kernels(&self) -> &[Kernel] {
        &self.kernels
    }

    /// The kernel of this name, or else the first whose name differs in digits at its end only: kernels that follow each
    /// other in a program are often alike.
    pub fn kernel(&self, name: &str) -> Option<&Kernel> {
        let stem = |name: &str| {
            name.trim_end_matches(|c: char| c.is_ascii_digit())
                .to_owned()
        };
        let like = || {
            self.kernels
                .iter()
                .find(|kernel| stem(kernel.name()) == stem(name))
        };
        self.kernels
            .iter()
            .find(|kernel| kernel.name() == name)
            .or_else(like)
    }
}
