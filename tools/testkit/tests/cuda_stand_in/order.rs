//! Order: what a stream may still use is not touched by others before an event or a wait.

use crate::scene::{GROUP, Handle, ILLEGAL_STATE, INVALID_HANDLE, OK, Scene, call, of_add};

/// One of those who is not told of the other's work.
const UNORDERED: &str = "no event and no wait is between";

#[test]
fn streams_that_do_not_wait_for_each_other_are_seen() {
    let scene = Scene::new();
    let (one, other, memory) = (scene.stream(), scene.stream(), scene.buffer(64));
    let mut back = [0u8; 64];
    let host = back.as_mut_ptr();
    assert_eq!(scene.clear(memory, 32, one), OK);
    // Other bytes are nobody's.
    assert_eq!(scene.clear(memory + 32, 32, other), OK);
    assert_eq!(scene.download(host, memory, 8, other), ILLEGAL_STATE);
    scene.seen(UNORDERED);
    scene.then(one, other);
    assert_eq!(scene.download(host, memory, 8, other), OK);
    assert_eq!(
        scene.clear(memory, 64, one),
        OK,
        "the host has waited for the copy"
    );
    assert_eq!(scene.clear(memory, 64, other), ILLEGAL_STATE);
    scene.seen(UNORDERED);
    assert_eq!(scene.finish(one), OK);
    assert_eq!(scene.clear(memory, 64, other), OK);
    scene.nothing_seen();
    scene.release();
}

#[test]
fn readers_do_not_wait_for_each_other_but_writers_do_for_them() {
    let scene = Scene::new();
    let (one, other, module) = (scene.stream(), scene.stream(), scene.module());
    let add = scene.function(module, "add");
    let [from, a, b] = [256; 3].map(|bytes| scene.buffer(bytes));
    let launch = |to, stream| scene.launch(add, [GROUP, 0], &of_add(to, from, 64, 7), stream);
    assert_eq!(launch(a, one), OK);
    assert_eq!(launch(b, other), OK);
    scene.nothing_seen();
    assert_eq!(scene.clear(from, 256, one), ILLEGAL_STATE);
    scene.seen("which add on stream");
    assert_eq!(launch(a, other), ILLEGAL_STATE);
    scene.seen(UNORDERED);
    scene.release();
}

#[test]
fn memory_of_a_pool_is_freed_in_order() {
    let scene = Scene::new();
    let (one, other) = (scene.stream(), scene.stream());
    let memory = scene.pooled(64, one);
    assert_eq!(scene.clear(memory, 64, other), ILLEGAL_STATE);
    scene.seen("cuMemAllocAsync");
    scene.then(one, other);
    assert_eq!(scene.clear(memory, 64, other), OK);
    let free = |stream| call!(scene, cuMemFreeAsync(memory => u64, stream => Handle));
    assert_eq!(free(one), ILLEGAL_STATE);
    scene.seen(UNORDERED);
    assert_eq!(scene.free(memory), ILLEGAL_STATE);
    scene.seen("is freed while");
    scene.then(other, one);
    assert_eq!(free(one), OK);
    scene.nothing_seen();
    // Other memory is freed when all is done.
    let memory = scene.buffer(64);
    assert_eq!(scene.clear(memory, 64, one), OK);
    assert_eq!(scene.free(memory), OK);
    scene.nothing_seen();
    scene.release();
}

#[test]
fn the_host_keeps_off_memory_that_a_copy_uses() {
    let scene = Scene::new();
    let (stream, memory, host) = (scene.stream(), scene.buffer(64), scene.pinned(64));
    // SAFETY: nothing else refers to the memory; that copies may use it is what is to be seen.
    let write = |value| unsafe { host.write(value) };
    // SAFETY: likewise.
    let read = || unsafe { host.read() };
    assert_eq!(scene.clear(memory, 64, stream), OK);
    assert_eq!(scene.download(host, memory, 64, stream), OK);
    assert_eq!(read(), 0x5a, "it is too early to read");
    assert_eq!(scene.finish(stream), OK);
    assert_eq!(read(), 0);
    scene.nothing_seen();

    assert_eq!(scene.download(host, memory, 64, stream), OK);
    write(1);
    assert_eq!(scene.finish(stream), ILLEGAL_STATE);
    scene.seen("before it waited for a copy to it");
    assert_eq!(scene.upload(memory, host, 64, stream), OK);
    write(2);
    assert_eq!(scene.finish(stream), ILLEGAL_STATE);
    scene.seen("before it waited for a copy from it");

    assert_eq!(scene.upload(memory, host, 64, stream), OK);
    let free = || call!(scene, cuMemFreeHost(host => *mut u8));
    assert_eq!(free(), ILLEGAL_STATE);
    scene.seen("pinned buffer");
    assert_eq!(scene.finish(stream), OK);
    assert_eq!(free(), OK);
    scene.nothing_seen();
    scene.release();
}

#[test]
fn events_tell_times_only_where_they_were_made_for_it() {
    let scene = Scene::new();
    let stream = scene.stream();
    let [plain, start, end] = [2, 0, 0].map(|flags| scene.event(flags));
    let mut milliseconds = -1f32;
    let mut elapsed = |from, to| call!(scene, cuEventElapsedTime(&mut milliseconds => &mut f32, from => Handle, to => Handle));
    let record = |event| {
        assert_eq!(
            call!(scene, cuEventRecord(event => Handle, stream => Handle)),
            OK
        )
    };
    record(plain);
    record(start);
    assert_eq!(elapsed(start, end), INVALID_HANDLE);
    scene.seen("was not recorded");
    record(end);
    assert_ne!(elapsed(start, end), OK);
    scene.seen("the host has not waited");
    assert_eq!(call!(scene, cuEventSynchronize(end => Handle)), OK);
    assert_eq!(elapsed(start, end), OK);
    assert_eq!(elapsed(plain, end), INVALID_HANDLE);
    scene.seen("without timing");
    assert!(milliseconds >= 0.0);
    scene.release();
}
