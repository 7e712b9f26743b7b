//! From files to lines to values.

pub mod algebraic;
pub mod coefficients;
pub mod headless;
pub mod lines;
pub mod literal;
pub mod market;
pub mod nested;
pub mod npy;
pub mod rows;
pub mod source;
pub mod sparse;
pub mod table;
pub mod vector;

/// What is wrong in a line, and at which byte of its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineError {
    /// Byte offset in the content that was parsed.
    pub offset: usize,
    /// What is wrong there.
    pub problem: String,
    /// Whether all is understood, but there is too little memory for it.
    pub too_large: bool,
}

impl LineError {
    /// An error at a byte offset.
    pub fn new(offset: usize, problem: impl Into<String>) -> Self {
        Self {
            offset,
            problem: problem.into(),
            too_large: false,
        }
    }

    /// What is written at a byte offset does not fit the memory.
    pub fn too_large(offset: usize, problem: impl Into<String>) -> Self {
        Self {
            too_large: true,
            ..Self::new(offset, problem)
        }
    }
}
