//! Contexts: one must be current, others' are left alone, and nothing is left behind.

use crate::scene::{Handle, ILLEGAL_STATE, INVALID_CONTEXT, INVALID_HANDLE, OK, Scene, call};
use std::ptr;

#[test]
fn a_call_without_a_context_is_seen() {
    let scene = Scene::new();
    assert_eq!(
        call!(scene, cuCtxPopCurrent_v2(ptr::null_mut() => *mut Handle)),
        OK
    );
    let mut address = 0u64;
    let refused = call!(scene, cuMemAlloc_v2(&mut address => &mut u64, 8 => usize));
    assert_eq!(refused, INVALID_CONTEXT);
    scene.seen("cuMemAlloc_v2: no context is current on this thread");
    let refused = call!(scene, cuCtxPopCurrent_v2(ptr::null_mut() => *mut Handle));
    assert_eq!(refused, INVALID_CONTEXT);
    scene.seen("no context is current");
    assert_eq!(call!(scene, cuDevicePrimaryCtxRelease_v2(0 => i32)), OK);
    // It may be current, but it is gone.
    assert_eq!(
        call!(scene, cuCtxPushCurrent_v2(scene.context => Handle)),
        INVALID_CONTEXT
    );
    scene.seen("or one that was released");
}

#[test]
fn each_thread_has_a_stack_of_contexts() {
    let scene = Scene::new();
    let current = || {
        let mut found = ptr::null_mut();
        assert_eq!(call!(scene, cuCtxGetCurrent(&mut found => &mut Handle)), OK);
        found
    };
    let (ours, mut foreign, mut popped) = (scene.context, ptr::null_mut(), ptr::null_mut());
    assert_eq!(
        call!(scene, cuCtxCreate_v2(&mut foreign => &mut Handle, 0 => u32, 0 => i32)),
        OK
    );
    assert_eq!(current(), foreign);
    assert_eq!(call!(scene, cuCtxPushCurrent_v2(ours => Handle)), OK);
    assert_eq!(current(), ours);
    assert_eq!(
        call!(scene, cuCtxPopCurrent_v2(&mut popped => &mut Handle)),
        OK
    );
    assert_eq!((popped, current()), (ours, foreign));
    assert_eq!(call!(scene, cuCtxSetCurrent(ptr::null_mut() => Handle)), OK);
    assert_eq!(current(), ours, "the one below");
    let stream = scene.stream();
    // What is of one context is of no use in another.
    assert_eq!(call!(scene, cuCtxPushCurrent_v2(foreign => Handle)), OK);
    assert_eq!(scene.finish(stream), INVALID_CONTEXT);
    scene.seen("of another context");
    assert_eq!(
        call!(scene, cuCtxPopCurrent_v2(&mut popped => &mut Handle)),
        OK
    );
    assert_eq!(call!(scene, cuStreamDestroy_v2(stream => Handle)), OK);
    assert_eq!(scene.release(), OK);
    scene.nothing_seen();
}

#[test]
fn what_is_not_freed_is_told_when_the_context_goes() {
    let scene = Scene::new();
    let stream = scene.stream();
    scene.buffer(8);
    scene.pinned(8);
    assert_eq!(scene.release(), ILLEGAL_STATE);
    let told = scene.stand_in.violations();
    assert_eq!(told.len(), 3, "{told:?}");
    for (line, what) in told
        .iter()
        .zip(["1 buffers", "1 pinned buffers", "1 streams"])
    {
        assert!(line.contains(what), "{told:?}");
    }
    scene.stand_in.reset();
    // And the handles are nothing any more.
    let again =
        call!(scene, cuDevicePrimaryCtxRetain(&mut ptr::null_mut() => &mut Handle, 0 => i32));
    assert_eq!(again, OK);
    assert_eq!(
        call!(scene, cuCtxPushCurrent_v2(scene.context => Handle)),
        OK
    );
    assert_eq!(scene.finish(stream), INVALID_HANDLE);
    scene.seen("no such stream");
    assert_eq!(scene.release(), OK);
}

#[test]
fn handles_are_freed_once() {
    let scene = Scene::new();
    let (event, stream, module) = (scene.event(0), scene.stream(), scene.module());
    assert_eq!(call!(scene, cuEventDestroy_v2(event => Handle)), OK);
    assert_eq!(
        call!(scene, cuEventDestroy_v2(event => Handle)),
        INVALID_HANDLE
    );
    scene.seen("no such event");
    assert_eq!(call!(scene, cuStreamDestroy_v2(stream => Handle)), OK);
    assert_eq!(
        call!(scene, cuStreamDestroy_v2(stream => Handle)),
        INVALID_HANDLE
    );
    scene.seen("no such stream");
    assert_eq!(call!(scene, cuModuleUnload(module => Handle)), OK);
    assert_eq!(
        call!(scene, cuModuleUnload(module => Handle)),
        INVALID_HANDLE
    );
    scene.seen("no such module");
    assert_eq!(scene.release(), OK);
    assert_ne!(call!(scene, cuDevicePrimaryCtxRelease_v2(0 => i32)), OK);
    scene.seen("released more often than retained");
}
