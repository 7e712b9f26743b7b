#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    sunzi_fuzzing::run("npy", data);
});
