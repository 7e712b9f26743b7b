//! The numbers of the model that hold for every device and kernel.

/// The model's constants: one set for every device and kernel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constants {
    /// M: resident warps that double a wave's time. 8 to 24 do as well.
    pub warps: f64,
    /// S: how much slower blocks are whose strided lines do not fit the first-level cache.
    pub thrashing: f64,
    /// What the next smaller size counts for.
    pub weight: f64,
    /// What is left of a time at least when D is taken off.
    pub least: f64,
}

impl Default for Constants {
    fn default() -> Self {
        Constants {
            warps: 20.0,
            thrashing: 3.0,
            weight: 0.1,
            least: 0.1,
        }
    }
}
