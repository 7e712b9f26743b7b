//! What devices do at most, by kernels that are run here. How much it is depends on the machine.

use std::time::Instant;
use sunzi_gpu::peak::PeakRates;
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
    let rates = PeakRates::measure(&device).unwrap();
    let all = [
        rates.kernel_copy,
        rates.driver_copy,
        rates.upload,
        rates.download,
        rates.wide_products,
        rates.chained_products,
        rates.prime_products,
        rates.launch,
        rates.round_trip,
    ];
    for rate in all.into_iter().chain(rates.double_products) {
        assert!(rate.is_finite() && rate > 0.0, "{rates:?}");
    }
    assert_eq!(rates.double_products.is_some(), device.info().doubles);
    assert_eq!(rates.copy(), rates.kernel_copy.max(rates.driver_copy));
    assert!(rates.word_products() >= rates.chained_products);
    // A launch is no more than a launch and its end, but for noise.
    assert!(rates.launch < 2.0 * rates.round_trip, "{rates:?}");
    // No device moves more than 100 TB a second, or multiplies more than 10^15 times.
    assert!(rates.copy() < 1e14 && rates.word_products() < 1e15);
    let text = rates.to_string();
    println!("{text}\nafter {:?}", start.elapsed());
    assert!(
        text.contains("copy by a kernel") && text.contains("a launch"),
        "{text}"
    );
    assert_eq!(device.memory_used(), 0, "all memory is given back");
}
