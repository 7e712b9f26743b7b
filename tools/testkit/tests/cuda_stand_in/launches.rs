//! Launches: arguments, shapes and shared memory are what the kernel takes.

use crate::scene::{
    GROUP, Handle, ILLEGAL_ADDRESS, ILLEGAL_STATE, INVALID_HANDLE, INVALID_VALUE, NOT_FOUND, OK,
    Scene, call, of_add,
};
use std::ptr;

#[test]
fn a_right_launch_computes() {
    let scene = Scene::new();
    let (stream, module) = (scene.stream(), scene.module());
    let (add, reverse) = (
        scene.function(module, "add"),
        scene.function(module, "reverse"),
    );
    let (from, to) = (scene.buffer(256), scene.buffer(256));
    let numbers: Vec<u32> = (0..64).collect();
    assert_eq!(scene.upload(from, numbers.as_ptr().cast(), 256, stream), OK);
    let arguments = of_add(to, from, 64, (1 << 40) + 7);
    assert_eq!(scene.launch(add, [GROUP, 0], &arguments, stream), OK);
    assert_eq!(
        scene.launch(reverse, [GROUP, 256], &to.to_ne_bytes(), stream),
        OK
    );
    let mut back = [0u32; 64];
    assert_eq!(
        scene.download(back.as_mut_ptr().cast(), to, 256, stream),
        OK
    );
    assert!(back.iter().rev().copied().eq(7..71), "{back:?}");
    // An address inside a buffer is one too.
    let arguments = of_add(to + 128, from, 32, 1);
    assert_eq!(scene.launch(add, [GROUP, 0], &arguments, stream), OK);
    assert_eq!(
        scene.download(back.as_mut_ptr().cast(), to, 256, stream),
        OK
    );
    assert_eq!((back[31], back[32], back[63]), (39, 1, 32));
    scene.nothing_seen();
    for buffer in [from, to] {
        assert_eq!(scene.free(buffer), OK);
    }
    assert_eq!(call!(scene, cuModuleUnload(module => Handle)), OK);
    assert_eq!(call!(scene, cuStreamDestroy_v2(stream => Handle)), OK);
    assert_eq!(scene.release(), OK);
}

#[test]
fn arguments_of_the_wrong_number_or_size_are_seen() {
    let scene = Scene::new();
    let (stream, module) = (scene.stream(), scene.module());
    let add = scene.function(module, "add");
    let (from, to) = (scene.buffer(256), scene.buffer(256));
    let right = of_add(to, from, 64, 7);
    // One fewer, one more, a last one of 32 bits.
    let longer = [&right[..], &[0; 8]].concat();
    for wrong in [&right[..20], &longer, &right[..28]] {
        assert_eq!(scene.launch(add, [GROUP, 0], wrong, stream), INVALID_VALUE);
        scene.seen("its 4 parameters take 32 bytes");
    }
    let mut values: [Handle; 4] = [ptr::from_ref(&to).cast_mut().cast(); 4];
    values[3] = ptr::null_mut();
    let launched = call!(scene, cuLaunchKernel(
        add => Handle, 1 => u32, 1 => u32, 1 => u32, GROUP => u32, 1 => u32, 1 => u32, 0 => u32,
        stream => Handle, values.as_mut_ptr() => *mut Handle, ptr::null_mut() => *mut Handle,
    ));
    assert_eq!(launched, INVALID_VALUE);
    scene.seen("add has 4 parameters, and there are 3 values");
    for (to, from) in [(to + 256, from), (to, 0), (to, 12345)] {
        let launched = scene.launch(add, [GROUP, 0], &of_add(to, from, 64, 7), stream);
        assert_eq!(launched, ILLEGAL_ADDRESS);
        scene.seen("which is in no buffer");
    }
    scene.release();
}

#[test]
fn shapes_and_shared_memory_beyond_the_kernels_are_seen() {
    let scene = Scene::new();
    let (stream, module) = (scene.stream(), scene.module());
    let reverse = scene.function(module, "reverse");
    let argument = scene.buffer(256).to_ne_bytes();
    let launch = |shape| scene.launch(reverse, shape, &argument, stream);
    assert_eq!(launch([128, 256]), INVALID_VALUE);
    scene.seen("compiled for groups of 64 threads, and launched with 128");
    assert_eq!(launch([0, 256]), INVALID_VALUE);
    scene.seen("groups of 0 threads");
    assert_eq!(launch([GROUP, 252]), ILLEGAL_ADDRESS);
    scene.seen("its tile takes 256 bytes of shared memory or more, and the launch gives 252");
    assert_eq!(launch([GROUP, 0]), ILLEGAL_ADDRESS);
    scene.seen("and the launch gives 0");
    assert_eq!(launch([GROUP, (48 << 10) + 1]), INVALID_VALUE);
    scene.seen("its attribute allows 49152");
    let set = |bytes| call!(scene, cuFuncSetAttribute(reverse => Handle, 8 => i32, bytes => i32));
    assert_eq!(set((227 << 10) + 1), INVALID_VALUE);
    scene.seen("cannot have 232449 bytes of shared memory");
    assert_eq!(set(100 << 10), OK);
    assert_eq!(launch([GROUP, 100 << 10]), OK);
    let mut groups = 0;
    let mut resident = |bytes: usize| {
        let told = call!(scene, cuOccupancyMaxActiveBlocksPerMultiprocessor(
            &mut groups => &mut i32, reverse => Handle, 64 => i32, bytes => usize,
        ));
        assert_eq!(told, OK);
        groups
    };
    assert_eq!((resident(100 << 10), resident(200 << 10)), (2, 0));
    scene.nothing_seen();
    scene.release();
}

#[test]
fn a_kernel_that_writes_beside_its_buffer_is_seen() {
    let scene = Scene::new();
    let (stream, module) = (scene.stream(), scene.module());
    let add = scene.function(module, "add");
    let (from, to) = (scene.buffer(256), scene.buffer(252));
    let launched = scene.launch(add, [GROUP, 0], &of_add(to, from, 64, 7), stream);
    assert_eq!(launched, ILLEGAL_ADDRESS);
    scene.seen("add: it wrote bytes beside buffer");
    scene.release();
}

#[test]
fn what_was_unloaded_does_not_run_and_what_runs_is_not_unloaded() {
    let scene = Scene::new();
    let (stream, module) = (scene.stream(), scene.module());
    let missing = call!(scene, cuModuleGetFunction(
        &mut ptr::null_mut() => &mut Handle, module => Handle, c"subtract".as_ptr() => *const i8,
    ));
    assert_eq!(missing, NOT_FOUND);
    scene.nothing_seen();
    let reverse = scene.function(module, "reverse");
    let argument = scene.buffer(256).to_ne_bytes();
    assert_eq!(scene.launch(reverse, [GROUP, 256], &argument, stream), OK);
    assert_eq!(
        call!(scene, cuModuleUnload(module => Handle)),
        ILLEGAL_STATE
    );
    scene.seen("reverse and its like may still run");
    assert_eq!(
        scene.launch(reverse, [GROUP, 256], &argument, stream),
        INVALID_HANDLE
    );
    scene.seen("no such function");
    scene.release();
}
