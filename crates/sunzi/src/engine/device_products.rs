//! What fields have in common whose polynomials devices multiply.

use super::EngineError;
use super::on_device::OnDevice;
use crate::poly::{AnyPoly, AnyPolyRing};

/// The operands of a product.
pub(super) type Pair<'a> = [&'a AnyPoly; 2];

type Multiply = fn(&OnDevice, &AnyPolyRing, &[Pair<'_>]) -> Result<Vec<AnyPoly>, EngineError>;

/// How devices multiply polynomials over a field that they know.
pub(super) struct DeviceProducts {
    /// 32-bit words of an element.
    pub(super) words: usize,
    pub(super) multiply: Multiply,
    /// Whether they do so wherever it is faster, or only where they are asked to.
    pub(super) unasked: bool,
}
