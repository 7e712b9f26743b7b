//! Tests of devices once more: with every command as late as OpenCL allows, and on a second runtime.

use cl3::command_queue::{
    create_command_queue, enqueue_barrier_with_wait_list, enqueue_marker_with_wait_list,
};
use cl3::context::create_context;
use cl3::device::{CL_DEVICE_TYPE_ALL, get_device_ids};
use cl3::platform::get_platform_ids;
use std::process::Command;
use std::ptr;
use sunzi_testkit::{
    OpenClLate, required_or_skipped, run_late_and_shuffled, run_on_a_second_runtime,
};

/// Those of streams that share memory, and of what is kept on disk, which runtimes do in their own ways.
const TESTS: [&str; 8] = [
    "devices::a_cache_that_cannot_be_written_is_told_once",
    "devices::compiled_programs_are_kept_and_rebuilt_when_damaged",
    "devices::staging_waits_for_its_copies",
    "double_buffer::rows_come_back_in_order_whatever_the_pieces",
    "hazards::shared_buffers_keep_the_order_of_submission",
    "hazards::threads_share_what_they_read",
    "hazards::what_a_stream_that_is_gone_wrote_is_there",
    "sharing::memory_is_freed_after_its_last_use_on_any_stream",
];

#[test]
fn right_where_commands_are_late_and_shuffled() {
    run_late_and_shuffled(&TESTS);
}

#[test]
fn right_on_a_second_runtime_each_time() {
    run_on_a_second_runtime(&TESTS);
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
