//! Kernels in PTX: what a GPU would not forgive is found and named, threads take turns as they are told, and work is
//! counted.

use crate::scene::{
    Handle, ILLEGAL_ADDRESS, ILLEGAL_STATE, INVALID_VALUE, LAUNCH_FAILED, NOT_FOUND, OK, Scene,
    call,
};
use std::ffi::CString;
use std::ptr;

/// Threads of the kernels' groups.
const THREADS: u32 = 64;

/// A kernel `one` of a buffer's address, whose body this is; its first instruction is in line 9. `%i` is the thread's number,
/// `%at` the buffer's address and `%mine` that of the thread's four bytes in it.
fn kernel(body: &str) -> String {
    format!(
        ".version 8.0\n.target sm_90\n.address_size 64
.extern .shared .align 16 .b8 tile[];
.visible .entry one(.param .u64 .ptr .align 1 buffer) .maxntid {THREADS}, 1, 1 {{ // A comment.
.reg .pred %p; .reg .b32 %r<9>; .reg .b32 %i; .reg .b64 %rd<9>; .reg .b64 %at, %mine; .shared .align 4 .b8 fixed[16];
mov.u32 %i, %tid.x; ld.param.u64 %at, [buffer]; mad.wide.u32 %mine, %i, 4, %at;
.local .align 8 .b8 own[16];
{body}
}}\n"
    )
}

/// Launches a kernel of this body with a buffer of 256 bytes, and 512 of shared memory for its tile if it uses that.
fn launched(scene: &Scene, body: &str) -> (u32, [u32; 64]) {
    let module = scene.load(&kernel(body)).unwrap();
    let (stream, buffer) = (scene.stream(), scene.buffer(256));
    let one = scene.function(module, "one");
    let shared = if body.contains("tile") { 512 } else { 0 };
    assert_eq!(scene.clear(buffer, 256, stream), OK);
    let code = scene.launch(one, [THREADS, shared], &buffer.to_ne_bytes(), stream);
    let mut back = [0u32; 64];
    assert_eq!(
        scene.download(back.as_mut_ptr().cast(), buffer, 256, stream),
        OK
    );
    assert_eq!(scene.finish(stream), OK);
    (code, back)
}

#[test]
fn a_tile_is_reversed_between_barriers() {
    let scene = Scene::new();
    let body = "mov.u64 %rd1, tile; mad.wide.u32 %rd2, %i, 4, %rd1; st.shared.u32 [%rd2], %i;
        setp.ge.u32 %p, %i, 4; @%p bra $L_wait; st.local.v2.u32 [own+8], {%i, %i}; ld.local.s32 %r3, [own+12];
        mad.wide.u32 %rd4, %r3, 4, 0; st.shared.u32 [fixed], 7; $L_wait: bar.sync 0;
        sub.u32 %r1, 63, %i; mad.wide.u32 %rd2, %r1, 4, %rd1; ld.shared.u32 %r2, [%rd2];
        ld.shared.s32 %rd5, [fixed]; cvt.u32.u64 %r4, %rd5; add.u32 %r2, %r2, %r4; st.global.u32 [%mine], %r2; ret;";
    for order in ["forward", "reverse", "shuffled:5"] {
        scene.stand_in.take_turns(order);
        let (code, back) = launched(&scene, body);
        assert_eq!(code, OK, "{:?}", scene.stand_in.violations());
        assert!(back.iter().rev().copied().eq(7..71), "{back:?}");
    }
    scene.nothing_seen();
    scene.release();
}

#[test]
fn registers_and_the_carry_hold_poison_first() {
    let scene = Scene::new();
    let body = "addc.u32 %r2, %r1, 0; st.global.u32 [%mine], %r2; mov.u32 %r1, 0; add.cc.u32 %r2, %r1, %r1; ret;";
    let (code, back) = launched(&scene, body);
    assert_eq!((code, back), (OK, [0xA5A5_A5A6; 64]));
    scene.nothing_seen();
    scene.release();
}

#[test]
fn threads_take_turns_as_they_are_told() {
    let scene = Scene::new();
    // Each takes a number, before a barrier and after.
    let take = "ld.global.u32 %r1, [%at+252]; add.u32 %r2, %r1, 1; st.global.u32 [%at+252], %r2;";
    let body = format!(
        "setp.ge.u32 %p, %i, 60; @%p bra $first; {take} $first: bar.sync 0; @%p bra $second; {take} st.global.u32 [%mine], %r1;
         $second: ret;"
    );
    let taken = |order: &str| {
        scene.stand_in.take_turns(order);
        let (code, back) = launched(&scene, &body);
        assert_eq!((code, back[63]), (OK, 120));
        back[..60].to_vec()
    };
    assert!(taken("forward").into_iter().eq(60..120));
    assert!(taken("reverse").into_iter().rev().eq(60..120));
    let shuffled = taken("shuffled:1");
    let mut sorted = shuffled.clone();
    sorted.sort_unstable();
    assert!(sorted.into_iter().eq(60..120));
    assert_eq!(taken("shuffled:1"), shuffled);
    assert_ne!(taken("shuffled:2"), shuffled);
    scene.nothing_seen();
    scene.release();
}

#[test]
fn launches_of_a_kernel_take_the_orders_in_turn() {
    let scene = Scene::new();
    scene.stand_in.take_turns("in-turn");
    // Each thread of a group takes the next number.
    let body = "ld.global.u32 %r1, [%at+252]; add.u32 %r2, %r1, 1; st.global.u32 [%at+252], %r2;
         setp.eq.u32 %p, %i, 63; @%p bra $end; st.global.u32 [%mine], %r1; $end: ret;";
    let module = scene.load(&kernel(body)).unwrap();
    let one = scene.function(module, "one");
    let (stream, buffer) = (scene.stream(), scene.buffer(256));
    let taken = || {
        assert_eq!(scene.clear(buffer, 256, stream), OK);
        let code = scene.launch(one, [THREADS, 0], &buffer.to_ne_bytes(), stream);
        let mut back = [0u32; 64];
        let read = scene.download(back.as_mut_ptr().cast(), buffer, 256, stream);
        assert_eq!((code, read, scene.finish(stream)), (OK, OK, OK));
        back[..63].to_vec()
    };
    let [first, second, third, fourth] = [(); 4].map(|()| taken());
    assert!(second.into_iter().eq((1..64).rev()) && third.into_iter().eq(0..63));
    for shuffled in [&first, &fourth] {
        assert!(!shuffled.is_sorted() && !shuffled.iter().rev().is_sorted());
    }
    assert_ne!(first, fourth);
    scene.nothing_seen();
    scene.release();
}

#[test]
fn what_a_gpu_would_not_forgive_is_named() {
    let scene = Scene::new();
    for (body, code, words) in [
        (
            "ld.global.u64 %rd1, [%at+4]; ret;",
            ILLEGAL_ADDRESS,
            "8 bytes at 0x4 of a buffer's memory are not on a boundary of their size",
        ),
        (
            "st.global.v2.u32 [%at+4], {%i, %i}; ret;",
            ILLEGAL_ADDRESS,
            "8 bytes at 0x4 of a buffer's memory are not on a boundary",
        ),
        (
            "st.global.u32 [%mine+4], %i; ret;",
            ILLEGAL_ADDRESS,
            "line 9, thread 63 of group 0,0,0: ",
        ),
        (
            "ld.global.u32 %r1, [%i]; ret;",
            ILLEGAL_ADDRESS,
            "is in no buffer, or in one that was freed",
        ),
        (
            "\nst.shared.u32 [fixed+2], %i; ret;",
            ILLEGAL_ADDRESS,
            "line 10, thread 0 of group 0,0,0: 4 bytes at 0x2 of shared memory are not on a boundary",
        ),
        (
            "st.shared.u32 [fixed+16], %i; ret;",
            ILLEGAL_ADDRESS,
            "4 bytes at 0x10 of shared memory, which has 0x10",
        ),
        (
            "mov.u64 %rd1, tile; ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1+512]; ret;",
            ILLEGAL_ADDRESS,
            "16 bytes at 0x210 of shared memory, which has 0x210",
        ),
        (
            "ld.local.u32 %r1, [own+-4]; ret;",
            ILLEGAL_ADDRESS,
            "4 bytes at 0xfffffffffffffffc of local memory, which has 0x10",
        ),
        (
            "$again: bra $again; ret;",
            LAUNCH_FAILED,
            "line 9, thread 0 of group 0,0,0: it has branched back 268435456 times, and goes on",
        ),
        (
            "ld.param.u64 %rd1, [buffer+8]; ret;",
            ILLEGAL_ADDRESS,
            "8 bytes at 0x8 of parameters' memory, which has 0x8",
        ),
        (
            "setp.eq.u32 %p, %i, 5;\n@%p bra $other;\nbar.sync 0;\nret;\n$other:\nbar.sync 0;\nret;",
            LAUNCH_FAILED,
            "line 11, thread 0 of group 0,0,0: it waits at this barrier, and thread 5 at that of line 14",
        ),
        (
            "setp.eq.u32 %p, %i, 5;\n@%p ret;\nbar.sync 0;\nret;",
            LAUNCH_FAILED,
            "line 11, thread 0 of group 0,0,0: it waits at a barrier, and thread 5 has ended",
        ),
        (
            "st.shared.u32 [fixed], %i; ret;",
            LAUNCH_FAILED,
            "thread 1 of group 0,0,0: it writes byte 0 of shared memory, which another writes with no barrier between",
        ),
        (
            "setp.eq.u32 %p, %i, 0; @!%p bra $go; st.shared.u32 [fixed], 5; $go: ld.shared.u32 %r1, [fixed]; ret;",
            LAUNCH_FAILED,
            "thread 1 of group 0,0,0: it reads byte 0 of shared memory, which another writes",
        ),
        (
            "setp.eq.u32 %p, %i, 9; ld.shared.u32 %r1, [fixed+4]; @%p st.shared.u32 [fixed+4], 5; ret;",
            LAUNCH_FAILED,
            "thread 9 of group 0,0,0: it writes byte 0x4 of shared memory, which another reads",
        ),
    ] {
        scene.stand_in.take_turns("forward");
        let (found, _) = launched(&scene, body);
        assert_eq!(found, code, "{body}");
        scene.seen(words);
    }
    // The same again is written by all, and with a barrier between everything may be.
    let body = "st.shared.u32 [fixed], 7; bar.sync 0; setp.eq.u32 %p, %i, 3; @%p st.shared.u32 [fixed], 8; bar.sync 0;
        ld.shared.u32 %r1, [fixed]; st.global.u32 [%mine], %r1; ret;";
    let (code, back) = launched(&scene, body);
    assert_eq!((code, back), (OK, [8; 64]));
    scene.nothing_seen();
    scene.release();
}

#[test]
fn what_is_not_known_is_an_error_that_names_the_line() {
    let scene = Scene::new();
    for (body, words) in [
        (
            "\n\nshfl.sync.down.b32 %r1, %r2, 1, 31, -1;",
            "line 11: the instruction `shfl.sync.down.b32` is not in the table",
        ),
        (
            "add.u32 %r1, %r2;",
            "line 9: `add.u32` takes 3 operands, and there are 2",
        ),
        (
            "add.u32 %r1, %r2, %r9;",
            "line 9: `%r9` is not declared, or not known",
        ),
        (
            "call.uni left;",
            "line 9: the instruction `call.uni` is not in the table",
        ),
        ("mov.u32 %r1, %laneid;", "`%laneid` is not declared"),
        ("mov.u32 %r1, 0f3F800000;", "is no number that is known"),
        ("add.u32 %r1, %r2, %r3", "`;` was expected"),
        ("bra $nowhere;", "line 9: there is no label `$nowhere`"),
        (
            "ld.volatile.global.u32 %r1, [%at];",
            "is not known of a load or a store",
        ),
        (
            "ld.global.v2.u32 %r1, [%at];",
            "takes 2 values, and there are 1",
        ),
        ("{ .reg .u32 x; } mov.u32 %r1, x;", "`x` is not declared"),
        (".branchtargets a;", "`.branchtargets` is not known"),
    ] {
        let said = scene.load(&kernel(body)).unwrap_err();
        assert!(
            said.starts_with("PTX, line") && said.contains(words),
            "{body}: {said}"
        );
    }
    for (text, words) in [
        ("// Nothing.\n", "there is no kernel"),
        (".version 8.0\n.global .u32 x;\n", "`.global` is not known"),
        (
            ".version 8.0\n.entry one(.param .u24 x) { ret; }",
            "`.u24` is no type",
        ),
        (
            ".version 8.0\n.entry one() .reqnctapercluster 2 { ret; }",
            "is not known of a kernel",
        ),
        (
            ".version 8.0\n.entry one() { ret;",
            "line 2: the text ends within a kernel",
        ),
    ] {
        let said = scene.load(text).unwrap_err();
        assert!(said.contains(words), "{text}: {said}");
    }
    scene.nothing_seen();
    scene.release();
}

#[test]
fn functions_that_nobody_calls_are_left_out() {
    let scene = Scene::new();
    let left = ".func (.param .b32 x) other\n(\n.param .b32 y\n)\n;
.func left() { .reg .b32 %r<2>; { call.uni other, (); } ret; }\n";
    let kernel = kernel("unknown;");
    let (head, tail) = kernel.split_at(kernel.find(".extern").unwrap());
    let said = scene.load(&format!("{head}{left}{tail}")).unwrap_err();
    assert!(
        said.contains("line 15: the instruction `unknown`"),
        "{said}"
    );
    scene.nothing_seen();
    scene.release();
}

#[test]
fn launches_are_checked_as_others_are() {
    let scene = Scene::new();
    let module = scene
        .load(&kernel("st.global.u32 [%mine], %i; ret;"))
        .unwrap();
    let (one, stream, buffer) = (
        scene.function(module, "one"),
        scene.stream(),
        scene.buffer(256),
    );
    let arguments = buffer.to_ne_bytes();
    assert_eq!(
        scene.launch(one, [32, 0], &arguments, stream),
        INVALID_VALUE
    );
    scene.seen("is compiled for groups of 64 threads");
    assert_eq!(
        scene.launch(one, [THREADS, 0], &arguments[..4], stream),
        INVALID_VALUE
    );
    scene.seen("its 1 parameters take 8 bytes");
    let mut none: Handle = ptr::null_mut();
    let name = CString::new("other").unwrap();
    let found = call!(scene, cuModuleGetFunction(
        &mut none => &mut Handle, module => Handle, name.as_ptr() => *const i8,
    ));
    assert_eq!(found, NOT_FOUND);
    let tile = scene
        .load(&kernel("st.shared.u32 [tile], 0; ret;"))
        .unwrap();
    let tile = scene.function(tile, "one");
    assert_eq!(
        scene.launch(tile, [THREADS, 0], &arguments, stream),
        ILLEGAL_ADDRESS
    );
    scene.seen("its tile takes");
    // What it touched is known of it.
    assert_eq!(scene.launch(one, [THREADS, 0], &arguments, stream), OK);
    assert_eq!(scene.clear(buffer, 4, scene.stream()), ILLEGAL_STATE);
    scene.seen("which one on stream");
    assert_eq!(
        call!(scene, cuModuleUnload(module => Handle)),
        ILLEGAL_STATE
    );
    scene.seen("may still run");
    scene.release();
}

#[test]
fn work_is_counted_as_the_table_weighs_it() {
    let scene = Scene::new();
    let body = "mul.hi.u64 %rd1, %at, %mine; setp.lt.u32 %p, %i, 16; @%p st.shared.u32 [fixed], 1; bar.sync 0;
        @!%p bra $end; ld.shared.u32 %r1, [fixed]; mul.wide.u32 %rd2, %r1, %i; st.global.u32 [%mine], %r1; $end: ret;";
    scene.stand_in.reset();
    let (code, _) = launched(&scene, body);
    assert_eq!(code, OK, "{:?}", scene.stand_in.violations());
    let work = scene.stand_in.work();
    let [one] = &work[..] else {
        panic!("one launch, not {work:?}")
    };
    assert_eq!((&*one.kernel, one.groups, one.threads), ("one", 1, 64));
    // Nine by all, those left out with them, and three by a quarter.
    assert_eq!(one.instructions, 64.0 * 9.0 + 16.0 * 3.0);
    assert_eq!(
        one.issued,
        64.0 * (1.0 + 8.0 + 1.0 + 1.0 + 4.0 + 1.0 + 1.0) + 16.0 * 3.0
    );
    // Of the buffer's address, of 64 bits, and of the thread's value.
    assert_eq!(one.products, 64.0 * (2.0 + 8.0) + 16.0 * 2.0);
    assert_eq!((one.global, one.bytes), (16.0, 64.0));
    assert_eq!(one.shared, 64.0 + 16.0);
    assert_eq!(one.barriers, 1.0);
    scene.nothing_seen();
    scene.release();
}
