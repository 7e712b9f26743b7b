//! The library's errors as Python's exceptions, with its own sentences.

use pyo3::create_exception;
use pyo3::exceptions::{
    PyException, PyMemoryError, PyOSError, PyRuntimeError, PyTypeError, PyValueError,
    PyZeroDivisionError,
};
use pyo3::{PyErr, PyResult};
use std::any::Any;
use sunzi::ErrorKind;
use sunzi::field::FieldError;
use sunzi::integer::{ArithmeticError, DivisionByZero};
use sunzi::memory::Budget;
use sunzi::poly::PolyError;

create_exception!(
    sunzi,
    InternalError,
    PyException,
    "A mistake in Sunzi itself: please report it."
);

/// The exception for an error of the library.
pub(crate) fn raised(error: impl Into<sunzi::Error>) -> PyErr {
    let error = error.into();
    let text = error.to_string();
    let divides_by_zero = error.is::<DivisionByZero>()
        || matches!(error.downcast_ref(), Some(ArithmeticError::DivisionByZero))
        || matches!(error.downcast_ref(), Some(PolyError::DivisionByZero))
        || matches!(error.downcast_ref(), Some(FieldError::ZeroInverse { .. }));
    let is_too_long = matches!(error.downcast_ref(), Some(ArithmeticError::TooLong));
    match error.kind() {
        _ if is_too_long => PyMemoryError::new_err(text),
        _ if divides_by_zero => PyZeroDivisionError::new_err(text),
        ErrorKind::Memory => PyMemoryError::new_err(text),
        ErrorKind::Device => PyRuntimeError::new_err(text),
        ErrorKind::File => PyOSError::new_err(text),
        _ => PyValueError::new_err(text),
    }
}

/// Whether something of so many bytes can be computed.
pub(crate) fn room(bytes: u64) -> PyResult<()> {
    Budget::system().require(bytes).map_err(raised)
}

/// The exception for an argument of a wrong type.
pub(crate) fn wrong_type(text: impl Into<String>) -> PyErr {
    PyTypeError::new_err(text.into())
}

/// The exception for an argument of a wrong value.
pub(crate) fn wrong_value(text: impl Into<String>) -> PyErr {
    PyValueError::new_err(text.into())
}

/// The exception for a panic.
pub(crate) fn internal(panic: Box<dyn Any + Send>) -> PyErr {
    let text = match (panic.downcast_ref::<String>(), panic.downcast_ref::<&str>()) {
        (Some(text), _) => text,
        (_, Some(text)) => *text,
        _ => "a panic without a sentence",
    };
    InternalError::new_err(text.to_owned())
}
