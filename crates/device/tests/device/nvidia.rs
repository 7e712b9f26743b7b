//! Programs compiled for NVIDIA's GPUs, without one.

use sunzi_device::nvidia::Compiler;
use sunzi_device::{Backend, Device, GpuError, Selection, Source, discover};
use sunzi_testkit::{ARCHITECTURES, is_nvrtc_required};

/// The compiler, or `None` after a word on why there is none.
fn compiler() -> Option<Compiler> {
    let found = Compiler::any().inspect_err(|error| {
        assert!(!is_nvrtc_required(), "{error}");
        sunzi_testkit::skip(&error.to_string());
    });
    found.ok()
}

/// A kernel over every macro of the prelude, and one with shared memory of fixed size.
const EVERY_MACRO: &str = "
TABLE u32 table[4] = {2, 3, 5, 7};
FN f64 fused(f64 x, f64 y) { return rint64(fma64(x, y, mul64(x, y))); }
KERNEL integers(GLOBAL u64* RESTRICT to, GLOBAL const u32* RESTRICT from, u32 count, u64 plus) {
  SHARED_TILE(u32, tile, GROUP);
  u32 i = BLOCK * GROUP + THREAD;
  tile[THREAD] = i < count ? from[i] : 0u;
  BARRIER();
  LOCAL u32* other = tile + (GROUP - 1 - THREAD);
  u64 sum = plus;
  UNROLL
  for (u32 j = 0; j < 4; j++) sum += mulwide32(table[j], *other) ^ mulhi64(sum, plus);
  if (i < count) to[i] = min64(sum, plus) + min32(mulhi32(i, count), BLOCKS);
}
KERNEL doubles(GLOBAL f64* RESTRICT to, GLOBAL const f64* RESTRICT from) {
  SHARED f64 small[GROUP];
  small[THREAD] = from[THREAD];
  BARRIER();
  to[THREAD] = fused(small[THREAD], small[GROUP - 1 - THREAD]);
}
";

#[test]
fn the_prelude_compiles_for_every_architecture() {
    let Some(compiler) = compiler() else { return };
    let known = |architecture: &&str| compiler.makes_code_for(architecture);
    for architecture in ARCHITECTURES.into_iter().filter(known) {
        let source = Source::new("every macro", 64).part(EVERY_MACRO);
        let mut kernels = compiler.check(&source, architecture).unwrap();
        kernels.sort_by(|a, b| a.kernel.cmp(&b.kernel));
        let [doubles, integers] = &kernels[..] else {
            panic!("two kernels, not {kernels:?}")
        };
        assert_eq!(
            (&*doubles.kernel, &*integers.kernel),
            ("doubles", "integers")
        );
        assert_eq!((doubles.shared_bytes, integers.shared_bytes), (64 * 8, 0));
        for kernel in kernels {
            assert!(
                kernel.registers >= 8 && kernel.stack_bytes == 0,
                "{kernel:?}"
            );
        }
    }
}

#[test]
fn a_kernel_with_too_many_variables_is_found_out() {
    // Two hundred words a thread are alive at once, and a group of 1024 threads has 64 registers a thread.
    let hungry = "
KERNEL hungry(GLOBAL u32* x, u32 rounds) {
  u32 a[200];
  UNROLL
  for (u32 i = 0; i < 200; i++) a[i] = x[i * GROUP + THREAD];
  for (u32 round = 0; round < rounds; round++) {
    UNROLL
    for (u32 i = 0; i < 200; i++) a[i] = a[i] * a[(i + 77) % 200] + round;
  }
  UNROLL
  for (u32 i = 0; i < 200; i++) x[i * GROUP + THREAD] = a[i];
}
";
    let source = Source::new("hungry", 1024).part(hungry);
    let Some(compiler) = compiler() else { return };
    let kernels = compiler.check(&source, "sm_90").unwrap();
    assert!(kernels[0].spills() > 0, "{kernels:?}");
    assert!(kernels[0].registers <= 64, "{kernels:?}");
}

#[test]
fn errors_come_with_the_log_or_the_reason() {
    let wrong =
        Source::new("wrong", 64).part("KERNEL wrong(GLOBAL u32* x) { x[0] = undeclared_name; }");
    let Some(compiler) = compiler() else { return };
    let error = compiler.check(&wrong, "sm_90").unwrap_err();
    assert!(matches!(error, GpuError::Compile { .. }), "{error:?}");
    assert!(error.to_string().contains("undeclared_name"), "{error}");
    assert!(error.to_string().contains("wrong.cu("), "{error}");

    let right = Source::new("right", 64).part("KERNEL right(GLOBAL u32* x) { x[0] = 1; }");
    for (architecture, said) in [
        ("sm_999", "makes no code for sm_999"),
        ("sm_1", "and newer"),
        ("hopper", "is no architecture"),
    ] {
        let error = compiler.check(&right, architecture).unwrap_err();
        let error = error.to_string();
        assert!(error.contains(said), "{error}");
    }
    let zero = Source::new("zero", 64).part("KERNEL zero(GLOBAL u32* x) {}\0");
    let error = compiler.check(&zero, "sm_90").unwrap_err().to_string();
    assert!(error.contains("zero byte"), "{error}");
}

#[test]
fn without_a_device_there_is_a_reason() {
    let found = discover();
    let has_cuda = |backend| backend == Backend::Cuda;
    let devices = found
        .devices
        .iter()
        .filter(|device| has_cuda(device.backend));
    let reasons = found
        .absent
        .iter()
        .filter(|(backend, _)| has_cuda(*backend));
    let reasons: Vec<_> = reasons.map(|(_, reason)| reason).collect();
    assert_eq!(reasons.is_empty(), devices.count() > 0, "{reasons:?}");
    assert!(reasons.iter().all(|reason| !reason.is_empty()));
    let error = Device::open(Selection::Of(Backend::Cuda, Some(1000))).unwrap_err();
    assert!(matches!(error, GpuError::NoDevice { .. }), "{error:?}");
}

#[test]
fn programs_of_users_compile_as_they_are() {
    let Some(compiler) = compiler() else { return };
    let product = include_str!("../../../../examples/tune/product.cu");
    // For OpenCL and CUDA.
    let of_both = include_str!("../../../../examples/tune/polybench.cl");
    let known = |architecture: &&str| compiler.makes_code_for(architecture);
    for architecture in ARCHITECTURES.into_iter().filter(known) {
        let source = Source::verbatim("product.cu").part(product);
        let kernels = compiler.check(&source, architecture).unwrap();
        let names: Vec<&str> = kernels.iter().map(|kernel| &*kernel.kernel).collect();
        assert_eq!(names, ["product"], "{architecture}");
        let source = Source::verbatim("polybench.cl").part(of_both);
        let kernels = compiler.check(&source, architecture).unwrap();
        assert_eq!(kernels.len(), of_both.matches("\nKERNEL ").count());
        let wrong = Source::verbatim("wrong.cu").part("void f( {");
        let refused = compiler.check(&wrong, architecture).unwrap_err();
        assert!(refused.to_string().contains("wrong.cu"), "{refused}");
    }
}
