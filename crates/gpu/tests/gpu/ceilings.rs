//! What devices do at most, by kernels that are run here. How much it is depends on the machine.

use std::time::Instant;
use sunzi_gpu::ceilings::Ceilings;
use sunzi_testkit::Place;

mod all_rates_are_positive {
    /// On OpenCL's device alone: a GPU's rates are measured by as many threads as it runs, which takes a processor a
    /// minute.
    #[test]
    fn opencl() {
        super::all_rates_are_positive();
    }
}

fn all_rates_are_positive() {
    let Some(device) = Place::OpenCl.device() else {
        return;
    };
    let start = Instant::now();
    let ceilings = Ceilings::measure(&device).unwrap();
    let all = [
        ceilings.kernel_copy,
        ceilings.driver_copy,
        ceilings.upload,
        ceilings.download,
        ceilings.wide_products,
        ceilings.chained_products,
        ceilings.prime_products,
        ceilings.launch,
        ceilings.round_trip,
    ];
    for rate in all.into_iter().chain(ceilings.double_products) {
        assert!(rate.is_finite() && rate > 0.0, "{ceilings:?}");
    }
    assert_eq!(ceilings.double_products.is_some(), device.info().doubles);
    assert_eq!(
        ceilings.copy(),
        ceilings.kernel_copy.max(ceilings.driver_copy)
    );
    assert!(ceilings.word_products() >= ceilings.chained_products);
    // A launch is no more than a launch and its end, but for noise.
    assert!(ceilings.launch < 2.0 * ceilings.round_trip, "{ceilings:?}");
    // No device moves more than 100 TB a second, or multiplies more than 10^15 times.
    assert!(ceilings.copy() < 1e14 && ceilings.word_products() < 1e15);
    let text = ceilings.to_string();
    println!("{text}\nafter {:?}", start.elapsed());
    assert!(
        text.contains("copy by a kernel") && text.contains("a launch"),
        "{text}"
    );
    assert_eq!(device.memory_used(), 0, "all memory is given back");
}
