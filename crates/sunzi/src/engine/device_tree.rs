//! Subproduct trees on devices, over all fields that these know.

use super::EngineError;
use super::on_device::OnDevice;
use super::residues::WordField;
use crate::field::{Digits, Fp32, Fp64, GeneralizedFermat, Rows, TwoAdicField};
use crate::poly::{AnyPoly, AnyPolyRing, CoefficientField, Poly, PolyError};
use bytemuck::Pod;
use std::fmt::Debug;
use std::marker::PhantomData;
use sunzi_gpu::big_prime::BigPrimeContext;
use sunzi_gpu::tree::{Arithmetic, SubproductTree, TreePlan};
use sunzi_gpu::turns::RowTurns;
use sunzi_gpu::{Buffer, Device, GpuError, Stream};

/// Points of a leaf on GPUs.
const LEAF: usize = 256;

/// A tree on a device.
pub(super) trait DeviceTree: Debug + Send + Sync {
    /// The rows of the values of polynomials.
    fn values(
        &self,
        device: &OnDevice,
        polynomials: &[&AnyPoly],
    ) -> Result<Vec<Vec<u64>>, EngineError>;

    /// The polynomials of values, which are as many canonical ones as points.
    fn interpolations(
        &self,
        device: &OnDevice,
        values: &[&Vec<u64>],
    ) -> Result<Vec<AnyPoly>, EngineError>;

    /// The number of a point that is there twice.
    fn repeated_point(&self, stream: &Stream) -> Result<Option<usize>, GpuError>;
}

type Grow = fn(&OnDevice, &AnyPolyRing, &[u64]) -> Result<Box<dyn DeviceTree>, EngineError>;

/// How devices make trees over a field that they know.
#[derive(Clone, Copy, Debug)]
pub(super) struct DeviceTrees {
    /// Words of a point.
    pub(super) width: usize,
    /// Whether there is a tree over so many points.
    pub(super) fits: fn(&AnyPolyRing, usize) -> bool,
    /// The number of the first row that is no element.
    pub(super) outside: fn(&AnyPolyRing, &[u64]) -> Option<usize>,
    /// The tree over points that are elements.
    pub(super) grow: Grow,
}

impl DeviceTrees {
    /// None where devices do not know the field of the ring.
    pub(super) fn over(ring: &AnyPolyRing) -> Option<Self> {
        fn typed<F: FieldOnDevice>(ring: &AnyPolyRing) -> Option<DeviceTrees> {
            ring.over::<F>().map(|_| DeviceTrees {
                width: F::WIDTH,
                fits: |ring, points| {
                    ring.over::<F>()
                        .is_some_and(|ring| ring.field().fits(points))
                },
                outside: |ring, rows| {
                    let field = ring.over::<F>()?.field();
                    let elements = F::from_rows(rows.to_vec());
                    elements.iter().position(|&x| !field.is_canonical(x))
                },
                grow: |device, ring, points| {
                    let ring = ring.over::<F>().ok_or(PolyError::OtherField)?;
                    let stream = device.device().stream()?;
                    let points = F::from_rows(points.to_vec());
                    let on_device = device.device().filled(&stream, F::device_words(&points))?;
                    let field = ring.field();
                    Ok(field.tree(device.device(), &stream, &on_device, points.len())?)
                },
            })
        }
        let fields = [
            typed::<Fp32>,
            typed::<Fp64>,
            typed::<GeneralizedFermat<2>>,
            typed::<GeneralizedFermat<4>>,
            typed::<GeneralizedFermat<8>>,
            typed::<GeneralizedFermat<16>>,
            typed::<GeneralizedFermat<32>>,
            typed::<GeneralizedFermat<64>>,
            typed::<GeneralizedFermat<128>>,
            typed::<GeneralizedFermat<256>>,
        ];
        fields.iter().find_map(|over| over(ring))
    }
}

/// A field whose trees devices know.
trait FieldOnDevice: CoefficientField + Rows + 'static {
    /// What a device keeps elements in.
    type Word: Pod + Send + Sync;

    /// Whether devices have trees over so many points.
    fn fits(&self, points: usize) -> bool;

    /// The tree over points.
    fn tree(
        &self,
        device: &Device,
        stream: &Stream,
        points: &Buffer<Self::Word>,
        count: usize,
    ) -> Result<Box<dyn DeviceTree>, GpuError>;

    /// Elements as the device has them.
    fn device_words(elements: &[Self::Elem]) -> &[Self::Word];

    /// Elements of those.
    fn from_device_words(words: &[Self::Word]) -> Vec<Self::Elem>;
}

/// A field of a word.
macro_rules! word_field_on_device {
    ($field:ty) => {
        impl FieldOnDevice for $field {
            type Word = Self::Elem;

            fn fits(&self, points: usize) -> bool {
                let plan = TreePlan { points, leaf: LEAF };
                let prime = self.word_prime();
                plan.fits(prime) || plan.fits_several_primes(prime)
            }

            fn tree(
                &self,
                device: &Device,
                stream: &Stream,
                points: &Buffer<Self::Elem>,
                count: usize,
            ) -> Result<Box<dyn DeviceTree>, GpuError> {
                let (prime, points) = (self.word_prime(), (points, 0));
                let plan = TreePlan::for_device(device.info(), count);
                if plan.fits(prime) {
                    let tree = SubproductTree::with_plan(device, stream, prime, points, plan)?;
                    return Ok(Box::new(Grown::<Self, _>(tree, PhantomData)));
                }
                let tree = SubproductTree::by_several_primes_with_plan(
                    device, stream, prime, points, plan,
                )?;
                Ok(Box::new(Grown::<Self, _>(tree, PhantomData)))
            }

            fn device_words(elements: &[Self::Elem]) -> &[Self::Elem] {
                elements
            }

            fn from_device_words(words: &[Self::Elem]) -> Vec<Self::Elem> {
                words.to_vec()
            }
        }
    };
}

word_field_on_device!(Fp32);
word_field_on_device!(Fp64);

impl<const K: usize> FieldOnDevice for GeneralizedFermat<K>
where
    Self: CoefficientField<Elem = Digits<K>>,
{
    type Word = u64;

    fn fits(&self, points: usize) -> bool {
        BigPrimeContext::knows(self)
            && TreePlan::of_elements(points).fits_big_prime(self.two_adicity())
    }

    fn tree(
        &self,
        device: &Device,
        stream: &Stream,
        points: &Buffer<u64>,
        count: usize,
    ) -> Result<Box<dyn DeviceTree>, GpuError> {
        let tree = SubproductTree::of_elements(device, stream, self, (points, 0), count)?;
        Ok(Box::new(Grown::<Self, _>(tree, PhantomData)))
    }

    fn device_words(elements: &[Digits<K>]) -> &[u64] {
        Digits::words_of(elements)
    }

    fn from_device_words(words: &[u64]) -> Vec<Digits<K>> {
        Self::from_rows(words.to_vec())
    }
}

/// A tree over the points of a field.
#[derive(Debug)]
struct Grown<F, A: Arithmetic>(SubproductTree<A>, PhantomData<F>);

impl<F, A> DeviceTree for Grown<F, A>
where
    F: FieldOnDevice + Debug + Send + Sync,
    A: Arithmetic<Word = F::Word>,
{
    fn values(
        &self,
        device: &OnDevice,
        polynomials: &[&AnyPoly],
    ) -> Result<Vec<Vec<u64>>, EngineError> {
        let Self(tree, _) = self;
        let slices = polynomials.iter().map(|polynomial| polynomial.over::<F>());
        let slices = slices.map(|polynomial| polynomial.map(Poly::coefficients));
        let slices = slices.collect::<Result<Vec<_>, _>>()?;
        let points = tree.plan().points;
        // Of the polynomial 0 there is one coefficient to upload.
        let longest = slices
            .iter()
            .map(|slice| slice.len())
            .max()
            .unwrap_or(0)
            .max(1);
        let lens = [longest * F::WIDTH, points * F::WIDTH];
        let mut turns = RowTurns::<F::Word>::new(device.device(), slices.len(), &lens, 1)?;
        let mut found = Vec::with_capacity(slices.len());
        turns.run(
            |_, rows, words| {
                for (slice, words) in slices[rows].iter().zip(words.chunks_mut(lens[0])) {
                    fill(words, F::device_words(slice));
                }
            },
            |stream, buffers, batch| {
                let [from, to] = buffers else {
                    unreachable!("there are coefficients and values")
                };
                (0..batch).try_for_each(|row| {
                    let values = (&mut *to, row * points);
                    tree.evaluate(stream, (from, row * longest), longest, values)
                })
            },
            |_, words| {
                let rows = words.chunks(lens[1]);
                found.extend(rows.map(|row| F::into_rows(F::from_device_words(row))));
            },
        )?;
        Ok(found)
    }

    fn interpolations(
        &self,
        device: &OnDevice,
        values: &[&Vec<u64>],
    ) -> Result<Vec<AnyPoly>, EngineError> {
        let Self(tree, _) = self;
        let points = tree.plan().points;
        let row = points * F::WIDTH;
        let mut turns = RowTurns::<F::Word>::new(device.device(), values.len(), &[row; 2], 1)?;
        let mut found = Vec::with_capacity(values.len());
        turns.run(
            |_, rows, words| {
                for (values, words) in values[rows].iter().zip(words.chunks_mut(row)) {
                    fill(words, F::device_words(&F::from_rows(values.to_vec())));
                }
            },
            |stream, buffers, batch| {
                let [from, to] = buffers else {
                    unreachable!("there are values and coefficients")
                };
                (0..batch).try_for_each(|row| {
                    let coefficients = (&mut *to, row * points);
                    tree.interpolate(stream, (from, row * points), coefficients)
                })
            },
            |_, words| {
                let rows = words.chunks(row).map(F::from_device_words);
                found.extend(rows.map(|row| AnyPoly::new::<F>(Poly::new(row))));
            },
        )?;
        Ok(found)
    }

    fn repeated_point(&self, stream: &Stream) -> Result<Option<usize>, GpuError> {
        self.0.repeated_point(stream)
    }
}

/// Words at the beginning of others, and zeros behind them.
fn fill<W: Pod>(to: &mut [W], from: &[W]) {
    let (kept, rest) = to.split_at_mut(from.len());
    kept.copy_from_slice(from);
    rest.fill(W::zeroed());
}
