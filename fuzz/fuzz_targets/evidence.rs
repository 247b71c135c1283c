#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fairdeal::sim::fuzz::evidence(bytes);
});
