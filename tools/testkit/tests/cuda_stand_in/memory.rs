//! Memory: new memory is poisoned, and nothing reaches beyond what was given.

use crate::scene::{INVALID_VALUE, OK, OUT_OF_MEMORY, Scene, call};

#[test]
fn new_memory_holds_poison() {
    let scene = Scene::new();
    let (stream, device, host) = (scene.stream(), scene.buffer(16), scene.pinned(16));
    let mut back = [0u8; 16];
    assert_eq!(scene.download(back.as_mut_ptr(), device, 16, stream), OK);
    assert_eq!(back, [0xa5; 16]);
    // SAFETY: no copy uses the 16 bytes.
    assert_eq!(unsafe { std::slice::from_raw_parts(host, 16) }, [0xa5; 16]);
    scene.nothing_seen();
    scene.release();
}

#[test]
fn copies_beyond_the_end_are_seen() {
    let scene = Scene::new();
    let (stream, memory, other, host) = (
        scene.stream(),
        scene.buffer(64),
        scene.buffer(64),
        scene.pinned(64),
    );
    let mut far = [0u8; 128];
    assert_eq!(
        scene.upload(memory, far.as_ptr(), 65, stream),
        INVALID_VALUE
    );
    scene.seen("65 bytes from there on are more than the 64 left");
    assert_eq!(
        scene.download(far.as_mut_ptr(), memory + 60, 8, stream),
        INVALID_VALUE
    );
    scene.seen("8 bytes from there on are more than the 4 left");
    assert_eq!(scene.clear(memory - 8, 16, stream), INVALID_VALUE);
    scene.seen("is in no buffer");
    assert_eq!(
        scene.upload(memory, host.wrapping_add(8), 60, stream),
        INVALID_VALUE
    );
    scene.seen("60 bytes are more than are left of pinned buffer");
    let copy = |to: u64, from: u64, bytes: usize| call!(scene, cuMemcpyDtoDAsync_v2(to => u64, from => u64, bytes => usize, stream => crate::scene::Handle));
    assert_eq!(copy(memory, other, 64), OK);
    assert_eq!(copy(memory + 8, other, 64), INVALID_VALUE);
    scene.seen("more than the 56 left");
    assert_eq!(copy(memory + 8, memory, 16), INVALID_VALUE);
    scene.seen("overlap");
    scene.release();
}

#[test]
fn memory_is_freed_once_and_not_used_after() {
    let scene = Scene::new();
    let (stream, memory) = (scene.stream(), scene.buffer(64));
    assert_eq!(scene.free(memory + 8), INVALID_VALUE);
    scene.seen("is no buffer");
    assert_eq!(scene.free(memory), OK);
    assert_eq!(scene.free(memory), INVALID_VALUE);
    scene.seen("is no buffer, or was freed");
    assert_eq!(scene.clear(memory, 8, stream), INVALID_VALUE);
    scene.seen("in one that was freed");
    scene.release();
}

#[test]
fn there_is_less_memory_than_the_device_says() {
    let scene = Scene::new();
    let (mut left, mut all, mut address) = (0usize, 0usize, 0u64);
    let told = call!(scene, cuMemGetInfo_v2(&mut left => &mut usize, &mut all => &mut usize));
    assert_eq!((told, left, all), (OK, 80 << 30, 80 << 30));
    let refused = call!(scene, cuMemAlloc_v2(&mut address => &mut u64, 8 << 30 => usize));
    assert_eq!(refused, OUT_OF_MEMORY);
    scene.nothing_seen();
    assert_eq!(scene.release(), OK);
}
