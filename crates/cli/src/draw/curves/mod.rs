//! Pictures of curves f(x, y) = 0 and of points on them.

mod axis;
mod join;
mod local;
mod plot;
mod trace;
mod window;

pub(super) use join::distance;
pub use plot::{Mark, Plot};
pub use window::Window;
