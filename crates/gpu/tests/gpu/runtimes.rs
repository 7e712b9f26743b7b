//! Tests of every family once more, in processes of their own: with every command as late as OpenCL allows, and on a second
//! runtime.

use cl3::command_queue::{
    create_command_queue, enqueue_barrier_with_wait_list, enqueue_marker_with_wait_list,
};
use cl3::context::create_context;
use cl3::device::{CL_DEVICE_TYPE_ALL, get_device_ids};
use cl3::platform::get_platform_ids;
use std::path::Path;
use std::process::Command;
use std::ptr;
use sunzi_testkit::{OpenClLate, required_or_skipped, skip};

/// The library of a second runtime, if there is one: `scripts/intel-opencl` prints it.
const SECOND_RUNTIME: &str = "SUNZI_SECOND_OPENCL";
/// How often it runs the tests: an order that is missing shows now and then.
const TIMES: usize = 10;

/// Short tests of every family, of contexts that are made on one stream and used on another, and of streams that share
/// memory.
const TESTS: [&str; 19] = [
    "big_prime::convolutions_are_products_modulo_x_to_the_n_minus_and_plus_1",
    "carry::many_short_vectors",
    "convolution::operands_in_one_buffer_have_the_same_products",
    "devices::staging_waits_for_its_copies",
    "determinant::panels_are_computed_in_pieces_of_what_the_memory_holds",
    "hazards::shared_buffers_keep_the_order_of_submission",
    "hazards::threads_share_what_they_read",
    "hazards::what_a_stream_that_is_gone_wrote_is_there",
    "integer::batches_of_all_counts",
    "ntt::several_primes_are_transformed_at_a_time",
    "products::integers_word_by_word_and_by_transforms",
    "products::operands_stay_on_the_device",
    "resident::products_are_used_on_other_streams_without_a_wait",
    "residues::values_are_reduced_modulo_one_more_number",
    "schoolbook::products_in_32_bits_are_the_definition",
    "sharing::memory_is_freed_after_its_last_use_on_any_stream",
    "tree::equal_points_modulo_a_big_prime_are_found",
    "tree::values_are_the_same_each_time",
    "turns::rows_come_back_in_order_whatever_the_pieces",
];

/// Runs the tests in a process that sees other variables.
fn run(prepare: impl FnOnce(&mut Command), where_: &str) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.arg("--exact");
    command.args(TESTS.map(|test| format!("{test}::opencl")));
    prepare(&mut command);
    let output = command.output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    let passed = format!("{} passed", TESTS.len());
    assert!(
        output.status.success() && said.contains(&passed),
        "{where_}: {said}"
    );
}

#[test]
fn right_where_commands_are_late_and_shuffled() {
    let Some(layer) = required_or_skipped(OpenClLate::build()) else {
        return;
    };
    for seed in [0, 1] {
        run(
            |command| {
                layer.lend(command, seed);
            },
            &format!("under the layer with seed {seed}"),
        );
    }
}

/// A queue waits for an event of another one that nobody flushed.
fn miss_a_flush() {
    let platform = get_platform_ids().unwrap()[0];
    let device = get_device_ids(platform, CL_DEVICE_TYPE_ALL).unwrap()[0];
    let context = create_context(&[device], ptr::null(), None, ptr::null_mut()).unwrap();
    // SAFETY: context, device, queues and event are alive: nothing releases them before the process ends.
    unsafe {
        let [one, other] = [(); 2].map(|()| create_command_queue(context, device, 0).unwrap());
        let event = enqueue_marker_with_wait_list(one, 0, ptr::null()).unwrap();
        let _ = enqueue_barrier_with_wait_list(other, 1, [event].as_ptr());
    }
}

#[test]
fn the_layer_ends_a_process_that_misses_a_flush() {
    const CHILD: &str = "SUNZI_MISS_A_FLUSH";
    if std::env::var_os(CHILD).is_some() {
        return miss_a_flush();
    }
    let Some(layer) = required_or_skipped(OpenClLate::build()) else {
        return;
    };
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args([
        "--exact",
        "runtimes::the_layer_ends_a_process_that_misses_a_flush",
        "--nocapture",
    ]);
    let output = layer.lend(child.env(CHILD, "1"), 0).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && said.contains("another one that was not flushed"),
        "{said}"
    );
}

#[test]
fn right_on_a_second_runtime_each_time() {
    let Some(library) = std::env::var_os(SECOND_RUNTIME) else {
        return skip(&format!(
            "{SECOND_RUNTIME} names no library of a second runtime"
        ));
    };
    assert!(
        Path::new(&library).is_file(),
        "{SECOND_RUNTIME}: {library:?}"
    );
    for time in 0..TIMES {
        run(
            |command| {
                command
                    .env("OCL_ICD_VENDORS", &library)
                    .env("OCL_ICD_FILENAMES", &library);
            },
            &format!("on {library:?}, time {time}"),
        );
    }
}
