//! A launch and its device, as values of a program.

use crate::program::Value;

/// The device, as inputs of a program.
pub(crate) struct Hardware {
    pub multiprocessors: Value,
    pub warps: Value,
    pub blocks: Value,
    pub l1_bytes: Option<Value>,
    pub l2_bytes: Value,
    pub bandwidth: Value,
}

/// A launch, as values of a program.
pub(crate) struct Launch {
    pub data: Vec<Value>,
    pub threads: [Value; 3],
    pub blocks: Value,
    pub resident: Value,
    pub hardware: Hardware,
}
