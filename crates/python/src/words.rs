//! NumPy's arrays, sequences and numbers as entries of a field, and arrays of results.
//!
//! Unsigned entries are elements: residues, or digits modulo r^k + 1, whose rows are the last dimension; what is no element is refused.
//! Signed ones, and those of sequences, are numbers, and are reduced.

use crate::failure::{raised, wrong_type, wrong_value};
use crate::number::{is_index, own_integer, to_int, word};
use numpy::ndarray::ArrayView1;
use numpy::{
    Element, IntoPyArray, PyArray, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods,
    PyReadonlyArrayDyn, PyReadwriteArrayDyn, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyFrozenSet, PyInt, PyList, PySet, PyString, PyTuple};
use pyo3::{IntoPyObjectExt, PyClass};
use sunzi::Integer;
use sunzi::field::{AnyField, FieldError, WordRows, WordRowsMut};

/// What an argument holds.
pub(crate) enum Entries<'py> {
    /// Elements in words of 32 bits.
    Words32(PyReadonlyArrayDyn<'py, u32>),
    /// Elements in words of 64 bits.
    Words64(PyReadonlyArrayDyn<'py, u64>),
    /// Numbers of an array.
    Signed(PyReadonlyArrayDyn<'py, i64>),
    /// Numbers of a sequence that are words.
    Short {
        numbers: Vec<i64>,
        shape: Vec<usize>,
    },
    /// Numbers of a sequence.
    Long {
        numbers: Vec<Integer>,
        shape: Vec<usize>,
    },
}

/// What an object holds: an array, or what becomes one without a copy, a sequence of integers or of sequences, or an integer.
pub(crate) fn entries<'py>(object: &Bound<'py, PyAny>) -> PyResult<Entries<'py>> {
    let py = object.py();
    if let Ok(array) = object.cast::<PyUntypedArray>() {
        return of_array(array);
    }
    if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
        return of_sequence(object);
    }
    if object.hasattr(intern!(py, "__array__"))? && !object.is_instance_of::<PyInt>() {
        let array = numpy(py)?.call_method1(intern!(py, "asarray"), (object,))?;
        return of_array(array.cast::<PyUntypedArray>()?);
    }
    if object.hasattr(intern!(py, "__dlpack__"))? {
        return of_array(from_dlpack(object)?.cast::<PyUntypedArray>()?);
    }
    match is_index(object)? {
        true => Ok(Entries::Long {
            numbers: vec![own_integer(object)?],
            shape: Vec::new(),
        }),
        false => of_sequence(object),
    }
}

/// An array of another library in the processor's memory, without a copy.
fn from_dlpack<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    /// The processor's number among DLPack's devices.
    const CPU: i64 = 1;
    let py = object.py();
    let device = object.call_method0(intern!(py, "__dlpack_device__"))?;
    if device.get_item(0)?.extract::<i64>()? != CPU {
        return Err(wrong_type(format!(
            "this '{}' lies in the memory of another device: copy it to the processor's first",
            object.get_type().name()?
        )));
    }
    numpy(py)?.call_method1(intern!(py, "from_dlpack"), (object,))
}

/// The module `numpy`.
pub(crate) fn numpy<'py>(py: Python<'py>) -> PyResult<Bound<'py, PyModule>> {
    py.import(intern!(py, "numpy"))
}

fn of_array<'py>(array: &Bound<'py, PyUntypedArray>) -> PyResult<Entries<'py>> {
    let py = array.py();
    let form = array.dtype();
    let (kind, size) = (form.kind(), form.itemsize());
    if !array.is_exact_instance_of::<PyUntypedArray>() && array.hasattr(intern!(py, "mask"))? {
        return Err(wrong_type(
            "an array with a mask has no entries where it is masked",
        ));
    }
    let is_plain = array.is_c_contiguous()
        && form.is_native_byteorder() != Some(false)
        && is_aligned(array, size)?;
    let wanted = match (kind, size) {
        (b'u', 4) if is_plain => return Ok(Entries::Words32(readonly(array.as_any())?)),
        (b'u', 8) if is_plain => return Ok(Entries::Words64(readonly(array.as_any())?)),
        (b'i', 8) if is_plain => return Ok(Entries::Signed(readonly(array.as_any())?)),
        (b'u', ..=4) => "uint32",
        (b'u', _) => "uint64",
        (b'i', _) => "int64",
        (b'O', _) => {
            let shape = array.shape().to_vec();
            let flat = array.call_method0(intern!(py, "ravel"))?;
            let numbers = flat.try_iter()?.map(|item| own_integer(&item?));
            return Ok(Entries::Long {
                numbers: numbers.collect::<PyResult<_>>()?,
                shape,
            });
        }
        _ => {
            return Err(wrong_type(format!(
                "an array of {form} has no exact entries: give integers"
            )));
        }
    };
    // In order, in this machine's order of bytes.
    let keywords = PyDict::new(py);
    keywords.set_item(intern!(py, "order"), intern!(py, "C"))?;
    let array = array.call_method(intern!(py, "astype"), (wanted,), Some(&keywords))?;
    Ok(match wanted {
        "uint32" => Entries::Words32(readonly(&array)?),
        "uint64" => Entries::Words64(readonly(&array)?),
        _ => Entries::Signed(readonly(&array)?),
    })
}

/// Whether entries of so many bytes lie where the processor wants them.
fn is_aligned(array: &Bound<'_, PyUntypedArray>, size: usize) -> PyResult<bool> {
    /// Others are converted anyway.
    const WORDS: [usize; 2] = [4, 8];
    if !WORDS.contains(&size) {
        return Ok(true);
    }
    // SAFETY: the pointer is that of an array, which lives as long as the reference to it.
    let address = unsafe { (*array.as_array_ptr()).fields.data } as usize;
    Ok(address.is_multiple_of(size))
}

fn readonly<'py, T: Element>(array: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArrayDyn<'py, T>> {
    let array = array.cast::<PyArrayDyn<T>>()?;
    Ok(array.try_readonly()?)
}

/// Numbers in the order of rows, and their shape.
#[derive(Default)]
struct Numbers {
    /// Those before the first that is no word, or all.
    short: Vec<i64>,
    long: Vec<Integer>,
    shape: Vec<usize>,
    /// Whether the shape is known down to the numbers.
    is_whole: bool,
}

fn of_sequence<'py>(sequence: &Bound<'py, PyAny>) -> PyResult<Entries<'py>> {
    let mut numbers = Numbers::default();
    numbers.read(sequence, 0)?;
    let Numbers {
        short, long, shape, ..
    } = numbers;
    if long.is_empty() {
        return Ok(Entries::Short {
            numbers: short,
            shape,
        });
    }
    let mut numbers: Vec<_> = short.into_iter().map(Integer::from).collect();
    numbers.extend(long);
    Ok(Entries::Long { numbers, shape })
}

impl Numbers {
    /// Reads a sequence that lies so deep in others.
    fn read(&mut self, sequence: &Bound<'_, PyAny>, depth: usize) -> PyResult<()> {
        /// As deep as NumPy's arrays.
        const DEEPEST: usize = 32;
        // Neither text nor what has no order.
        if sequence.is_instance_of::<PyString>()
            || sequence.is_instance_of::<PyBytes>()
            || sequence.is_instance_of::<PyDict>()
            || sequence.is_instance_of::<PySet>()
            || sequence.is_instance_of::<PyFrozenSet>()
        {
            return Err(not_integers(sequence));
        }
        let items = sequence.try_iter().map_err(|_| not_integers(sequence))?;
        let items = items.collect::<PyResult<Vec<_>>>()?;
        // The first row of each depth says what all are like.
        match self.shape.get(depth) {
            Some(&len) if len == items.len() => {}
            Some(_) => return Err(ragged()),
            None if self.is_whole => return Err(ragged()),
            None if depth == DEEPEST => {
                return Err(wrong_value("the sequences are too deep in one another"));
            }
            None => {
                self.shape.push(items.len());
                self.is_whole = items.first().map_or(Ok(true), is_number)?;
            }
        }
        let are_numbers = self.is_whole && self.shape.len() == depth + 1;
        for item in &items {
            match are_numbers {
                true => self.take(item)?,
                false if is_number(item)? => return Err(ragged()),
                false => self.read(item, depth + 1)?,
            }
        }
        Ok(())
    }

    fn take(&mut self, item: &Bound<'_, PyAny>) -> PyResult<()> {
        if self.long.is_empty()
            && let Ok(int) = item.cast::<PyInt>()
            && let Ok(word) = word(int)
        {
            self.short.push(word);
            return Ok(());
        }
        if item.is_instance_of::<PyList>() || item.is_instance_of::<PyTuple>() {
            return Err(ragged());
        }
        self.long.push(own_integer(item)?);
        Ok(())
    }
}

/// Whether an item of a sequence is a number, and not a sequence.
fn is_number(item: &Bound<'_, PyAny>) -> PyResult<bool> {
    if item.is_instance_of::<PyInt>() {
        return Ok(true);
    }
    is_index(item)
}

fn ragged() -> PyErr {
    wrong_value("the rows have different lengths")
}

fn not_integers(object: &Bound<'_, PyAny>) -> PyErr {
    let name = object.get_type().name();
    let name = name.map_or_else(|_| "?".to_owned(), |name| name.to_string());
    wrong_type(format!(
        "integers, a sequence or an array of integers are needed here, not '{name}'"
    ))
}

impl Entries<'_> {
    /// The shape of the array or of the sequences.
    fn shape(&self) -> &[usize] {
        match self {
            Self::Words32(array) => array.shape(),
            Self::Words64(array) => array.shape(),
            Self::Signed(array) => array.shape(),
            Self::Short { shape, .. } | Self::Long { shape, .. } => shape,
        }
    }

    /// The words of elements, if they are some.
    pub(crate) fn words(&self) -> PyResult<Option<WordRows<'_>>> {
        Ok(match self {
            Self::Words32(array) => Some(array.as_slice()?.into()),
            Self::Words64(array) => Some(array.as_slice()?.into()),
            _ => None,
        })
    }

    /// The shape of the elements: without the dimension of digits.
    pub(crate) fn shape_in(&self, field: &AnyField, reduce: bool) -> PyResult<Vec<usize>> {
        let shape = self.shape();
        let (width, are_elements) = (field.width(), self.words()?.is_some());
        match shape.split_last() {
            _ if width == 1 || !are_elements || reduce => Ok(shape.to_vec()),
            Some((&last, shape)) if last == width => Ok(shape.to_vec()),
            _ => Err(wrong_value(format!(
                "modulo a prime r^{width}+1 an element is {width} digits: give an array of shape (…, {width}), or signed integers"
            ))),
        }
    }

    /// Writes the elements.
    pub(crate) fn write(
        &self,
        field: &AnyField,
        reduce: bool,
        to: WordRowsMut<'_>,
    ) -> PyResult<()> {
        if let Some(words) = self.words()? {
            let written = match reduce {
                true => field.write_images(words, to),
                false => field.copy_rows(words, to),
            };
            return written.map_err(raised);
        }
        match self {
            Self::Signed(array) => field.write_signed_images(array.as_slice()?, to),
            Self::Short { numbers, .. } => field.write_signed_images(numbers, to),
            Self::Long { numbers, .. } => {
                let mut rows = Vec::with_capacity(numbers.len() * field.width());
                for number in numbers {
                    field.push_integer(number, &mut rows);
                }
                field.copy_rows(WordRows::Words64(&rows), to)
            }
            Self::Words32(_) | Self::Words64(_) => Ok(()),
        }
        .map_err(raised)
    }

    /// The entries as integers, which are in no field, and their shape.
    pub(crate) fn into_integers(self) -> PyResult<(Vec<Integer>, Vec<usize>)> {
        let shape = self.shape().to_vec();
        let integers = match self {
            Self::Words32(array) => array.as_slice()?.iter().map(|&x| x.into()).collect(),
            Self::Words64(array) => array.as_slice()?.iter().map(|&x| x.into()).collect(),
            Self::Signed(array) => array.as_slice()?.iter().map(|&x| x.into()).collect(),
            Self::Short { numbers, .. } => numbers.into_iter().map(Integer::from).collect(),
            Self::Long { numbers, .. } => numbers,
        };
        Ok((integers, shape))
    }

    /// Rows of the field's words, written from the entries, and the shape of the elements.
    pub(crate) fn into_rows(self, field: &AnyField) -> PyResult<(OwnedRows, Vec<usize>)> {
        let shape = self.shape_in(field, false)?;
        let count = shape.iter().product::<usize>() * field.width();
        let mut rows = OwnedRows::zeros(field, count);
        self.write(field, false, rows.words_mut())?;
        Ok((rows, shape))
    }
}

/// Words of a field's size.
pub(crate) enum OwnedRows {
    Words32(Vec<u32>),
    Words64(Vec<u64>),
}

impl OwnedRows {
    pub(crate) fn zeros(field: &AnyField, words: usize) -> Self {
        match field.word_bits() {
            32 => Self::Words32(vec![0; words]),
            _ => Self::Words64(vec![0; words]),
        }
    }

    pub(crate) fn words(&self) -> WordRows<'_> {
        match self {
            Self::Words32(words) => words[..].into(),
            Self::Words64(words) => words[..].into(),
        }
    }

    pub(crate) fn words_mut(&mut self) -> WordRowsMut<'_> {
        match self {
            Self::Words32(words) => (&mut words[..]).into(),
            Self::Words64(words) => (&mut words[..]).into(),
        }
    }

    pub(crate) fn into_words64(self) -> Vec<u64> {
        match self {
            Self::Words32(words) => words.into_iter().map(u64::from).collect(),
            Self::Words64(words) => words,
        }
    }

    /// The same rows so many times.
    pub(crate) fn repeated(self, times: usize) -> Self {
        match self {
            Self::Words32(words) => Self::Words32(words.repeat(times)),
            Self::Words64(words) => Self::Words64(words.repeat(times)),
        }
    }
}

/// An array that gets a result: a new one, or one that the caller gave.
pub(crate) enum Out<'py> {
    Words32(PyReadwriteArrayDyn<'py, u32>),
    Words64(PyReadwriteArrayDyn<'py, u64>),
}

impl<'py> Out<'py> {
    /// A new one for elements of this shape.
    pub(crate) fn new(py: Python<'py>, field: &AnyField, shape: &[usize]) -> PyResult<Self> {
        /// Below, an array takes less time than a call of NumPy, and there is memory for it.
        const SHORT: usize = 1 << 16;
        /// Dimensions of such arrays.
        const FLAT: usize = 8;
        let mut shape = shape.to_vec();
        if field.width() > 1 {
            shape.push(field.width());
        }
        let bits = field.word_bits();
        if shape.iter().product::<usize>() < SHORT && shape.len() <= FLAT {
            return Ok(match bits {
                32 => Self::Words32(PyArray::zeros(py, shape, false).readwrite()),
                _ => Self::Words64(PyArray::zeros(py, shape, false).readwrite()),
            });
        }
        let shape = PyTuple::new(py, shape)?;
        let zeros = intern!(py, "zeros");
        let array = numpy(py)?.call_method1(zeros, (shape, format!("uint{bits}")))?;
        Ok(match bits {
            32 => Self::Words32(array.cast_into::<PyArrayDyn<u32>>()?.readwrite()),
            _ => Self::Words64(array.cast_into::<PyArrayDyn<u64>>()?.readwrite()),
        })
    }

    /// The one that the caller gave, if it fits.
    pub(crate) fn given(
        array: &Bound<'py, PyAny>,
        field: &AnyField,
        shape: &[usize],
    ) -> PyResult<Self> {
        let untyped = Self::check(array, field, shape)?;
        let bits = field.word_bits();
        let wrong = || {
            wrong_value(format!(
                "`out` must be a writable C-contiguous array of uint{bits}, not shared with the operand"
            ))
        };
        if !untyped.is_c_contiguous() || !is_aligned(untyped, bits / 8)? {
            return Err(wrong());
        }
        Ok(match bits {
            32 => Self::Words32(writable(array).ok_or_else(wrong)?),
            _ => Self::Words64(writable(array).ok_or_else(wrong)?),
        })
    }

    /// Whether an array has the shape and the type of results.
    pub(crate) fn check<'a>(
        array: &'a Bound<'py, PyAny>,
        field: &AnyField,
        shape: &[usize],
    ) -> PyResult<&'a Bound<'py, PyUntypedArray>> {
        let mut shape = shape.to_vec();
        if field.width() > 1 {
            shape.push(field.width());
        }
        let bits = field.word_bits();
        let fits = |array: &Bound<'_, PyUntypedArray>| {
            let form = array.dtype();
            array.shape() == shape && (form.kind(), 8 * form.itemsize()) == (b'u', bits)
        };
        match array.cast::<PyUntypedArray>() {
            Ok(array) if fits(array) => Ok(array),
            _ => Err(wrong_value(format!(
                "`out` must be a writable array of uint{bits} and of the shape {shape:?}"
            ))),
        }
    }

    pub(crate) fn words_mut(&mut self) -> PyResult<WordRowsMut<'_>> {
        Ok(match self {
            Self::Words32(array) => array.as_slice_mut()?.into(),
            Self::Words64(array) => array.as_slice_mut()?.into(),
        })
    }

    /// Refuses words that are no elements.
    pub(crate) fn check_elements(&self, field: &AnyField) -> PyResult<()> {
        let words: WordRows<'_> = match self {
            Self::Words32(array) => array.as_slice()?.into(),
            Self::Words64(array) => array.as_slice()?.into(),
        };
        match field.first_outside(words) {
            Some(index) => Err(raised(FieldError::RowOutside { index })),
            None => Ok(()),
        }
    }

    pub(crate) fn into_object(self) -> Bound<'py, PyAny> {
        match self {
            Self::Words32(array) => array.as_any().clone(),
            Self::Words64(array) => array.as_any().clone(),
        }
    }
}

/// An operand that is transformed to an array: a copy of it where both share memory.
pub(crate) fn apart<'py>(
    x: &Bound<'py, PyAny>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = x.py();
    let Some(out) = out else {
        return Ok(x.clone());
    };
    let x = match x.is_instance_of::<PyUntypedArray>() {
        true => x.clone(),
        false if x.hasattr(intern!(py, "__array__"))? => {
            numpy(py)?.call_method1(intern!(py, "asarray"), (x,))?
        }
        false if x.hasattr(intern!(py, "__dlpack__"))? => from_dlpack(x)?,
        false => return Ok(x.clone()),
    };
    if out.is(&x) {
        return x.call_method0(intern!(py, "copy"));
    }
    let share = intern!(py, "may_share_memory");
    let both_arrays = out.is_instance_of::<PyUntypedArray>();
    match both_arrays && numpy(py)?.call_method1(share, (&x, out))?.is_truthy()? {
        true => x.call_method0(intern!(py, "copy")),
        false => Ok(x),
    }
}

fn writable<'py, T: Element>(array: &Bound<'py, PyAny>) -> Option<PyReadwriteArrayDyn<'py, T>> {
    let array = array.cast::<PyArrayDyn<T>>().ok()?;
    array.try_readwrite().ok()
}

/// Rows of elements as an array of this shape.
pub(crate) fn to_array<'py>(
    py: Python<'py>,
    field: &AnyField,
    words: WordRows<'_>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    let mut shape = shape.to_vec();
    if field.width() > 1 {
        shape.push(field.width());
    }
    Ok(match words {
        WordRows::Words32(words) => words.to_vec().into_pyarray(py).reshape(shape)?.into_any(),
        WordRows::Words64(words) => words.to_vec().into_pyarray(py).reshape(shape)?.into_any(),
    })
}

/// Rows of elements as an array that cannot be written, of so many elements: it shares the memory of the object that owns them, which
/// lives as long.
pub(crate) fn shared_array<'py, T: PyClass>(
    owner: &Bound<'py, T>,
    field: &AnyField,
    words: WordRows<'_>,
    len: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let shape = match field.width() {
        1 => vec![len],
        width => vec![len, width],
    };
    let array = match words {
        WordRows::Words32(words) => shared(owner, words, &shape)?,
        WordRows::Words64(words) => shared(owner, words, &shape)?,
    };
    Ok(array)
}

fn shared<'py, T: PyClass, W: Element>(
    owner: &Bound<'py, T>,
    words: &[W],
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    let words = ArrayView1::from(words)
        .into_shape_with_order(shape)
        .map_err(|error| wrong_value(error.to_string()))?;
    // SAFETY: the words are those of an object that is frozen, so that they stay where they are as long as it lives, and it lives as
    // long as the array, which holds it. Nobody writes to them: no other array has them, and this one is made read-only before it is
    // given away.
    let array = unsafe { PyArray::borrow_from_array(&words, owner.as_any().clone()) };
    // Others may read the same words meanwhile.
    array.call_method1(intern!(owner.py(), "setflags"), (false,))?;
    Ok(array.into_any())
}

/// The integers of elements, as a list.
pub(crate) fn to_ints<'py>(
    py: Python<'py>,
    field: &AnyField,
    words: WordRows<'_>,
) -> PyResult<Bound<'py, PyList>> {
    match words {
        WordRows::Words32(words) => PyList::new(py, words),
        WordRows::Words64(words) if field.width() == 1 => PyList::new(py, words),
        WordRows::Words64(words) => {
            let elements = words.chunks_exact(field.width());
            let ints = elements.map(|row| to_int(py, &field.integer::<Integer>(row)));
            PyList::new(py, ints.collect::<PyResult<Vec<_>>>()?)
        }
    }
}

/// The integer of one element.
pub(crate) fn element_to_int<'py>(
    py: Python<'py>,
    field: &AnyField,
    row: &[u64],
) -> PyResult<Bound<'py, PyAny>> {
    match row {
        [word] => word.into_bound_py_any(py),
        row => to_int(py, &field.integer::<Integer>(row)),
    }
}
