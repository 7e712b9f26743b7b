//! What launches do, counted instruction by instruction in the PTX that NVIDIA's compiler makes of the kernels, beside what is
//! predicted without a device.

use crate::Scene;
use crate::launches::launched;
use sunzi_device::{Device, DeviceInfo, DeviceOptions};
use sunzi_gpu::products::{ProductConfig, ProductForm, ProductProblem};
use sunzi_gpu::tuning::counts;

/// Kernels that take their time to multiply. Others multiply little, and mostly for addresses, which predictions leave out.
const MULTIPLYING: [&str; 4] = ["columns", "ntt_pass", "schoolbook", "schoolbook_parts"];
/// What such a kernel may multiply, relative to what is predicted: less where factors are 1, and more for addresses and in
/// groups that are not full.
const MAY_MULTIPLY: std::ops::Range<f64> = 0.8..2.2;

#[test]
fn predictions_are_near_what_is_executed() {
    let Some(scene) = Scene::new() else { return };
    let Some(compiler) = sunzi_testkit::nvrtc() else {
        return;
    };
    let options = DeviceOptions {
        compiler: Some(compiler),
        ..scene.options.clone()
    };
    // No compiler knows it: they make PTX.
    let info = DeviceInfo {
        architecture: "sm_99".to_owned(),
        ..scene.open().unwrap().info().clone()
    };
    let device = Device::open_found(&info, &options).unwrap();
    let config = ProductConfig::for_device(device.info());
    let integers = ProductForm::INTEGERS;
    let primes = [(469_762_049, 1), ((1 << 61) - (7 << 32) + 1, 2)];
    let [short, long] = primes.map(|(prime, words)| ProductForm::modulo(prime, words));
    println!("kernel, groups: multiplications and bytes over predicted ones, issued a thread");
    for (form, words, batch) in [
        (integers, 8, 1000),
        (integers, 64, 100),
        (integers, 512, 4),
        (integers, 3000, 1),
        (short, 30, 1000),
        (short, 1000, 4),
        (long, 20, 1000),
        (long, 1000, 4),
    ] {
        let problem = ProductProblem {
            form,
            terms: [words; 2],
            batch,
        };
        launched(&scene, &device, config, problem).unwrap();
        let work = scene.stand_in.work();
        let counted = counts(&config, &problem, device.info()).unwrap();
        assert_eq!(work.len(), counted.len(), "{problem:?}");
        for (seen, predicted) in work.iter().zip(&counted) {
            let names = (&*seen.kernel, seen.groups, seen.threads);
            assert_eq!(
                names,
                (predicted.kernel, predicted.groups, predicted.threads)
            );
            let multiplications = seen.products / predicted.multiplications as f64;
            let bytes = seen.bytes / predicted.bytes as f64;
            let issued = seen.issued / (seen.groups * seen.threads) as f64;
            let told = format!(
                "{}, {}: {multiplications:.2} {bytes:.2}, {issued:.0}",
                seen.kernel, seen.groups
            );
            println!("{told}");
            assert_eq!(seen.barriers, predicted.barriers as f64, "{told}");
            let multiplies = MULTIPLYING.contains(&predicted.kernel);
            assert!(
                !multiplies || MAY_MULTIPLY.contains(&multiplications),
                "{told}"
            );
            assert!(bytes >= 0.5, "{told}");
        }
    }
    scene.nothing_seen();
}
