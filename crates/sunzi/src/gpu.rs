//! Devices, and operations whose operands stay there from one to the next.
//!
//! A [`Device`] is found and opened by a [`Selection`]; [`Buffer`]s are its memory and [`Stream`]s its queues of work. A context is
//! made once for a device and a size, and computes batches: products ([`TransformContext`], [`PolynomialMultiplier`],
//! [`IntegerMultiplier`]), transforms ([`NttContext`], [`BigPrimeContext`]), Euclid's algorithm ([`EuclidContext`]),
//! determinants ([`DeterminantContext`], [`FloatContext`]), values and interpolation ([`SubproductTree`]). Kernels of your own
//! are compiled from a [`Source`].
//!
//! [`Engine`](crate::engine::Engine) is above all of this: it chooses between processor and device by itself.

#[doc(inline)]
pub use sunzi_device::{
    Argument, Backend, Buffer, CacheFolder, Device, DeviceInfo, DeviceKind, DeviceOptions,
    Discovery, Event, GpuError, Kernel, Launch, Program, Selection, Source, Staging, Stream,
    discover, may_have_gpu,
};
#[doc(inline)]
pub use sunzi_gpu::big_prime::BigPrimeContext;
#[doc(inline)]
pub use sunzi_gpu::determinant::{DeterminantContext, FloatContext, FloatPivot, FloatPivoting};
#[doc(inline)]
pub use sunzi_gpu::euclid::{Cofactors, Division, EuclidContext};
#[doc(inline)]
pub use sunzi_gpu::ntt::NttContext;
#[doc(inline)]
pub use sunzi_gpu::products::{
    CoefficientForm, Finish, IntegerMultiplier, Operand, PolynomialMultiplier, ProductConfig,
    ProductForm, ProductProblem, ResidentPolynomials, ResidentProducts, TransformContext,
    TransformPlan,
};
#[doc(inline)]
pub use sunzi_gpu::tree::SubproductTree;
#[doc(inline)]
pub use sunzi_gpu::{ResidueWord, Word};
