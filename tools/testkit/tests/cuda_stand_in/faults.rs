//! Failures that are ordered come as ordered.

use crate::scene::{Handle, LAUNCH_FAILED, OK, OUT_OF_MEMORY, Scene, call};
use std::process::Command;
use sunzi_testkit::CudaStandIn;

#[test]
fn the_nth_call_fails_and_no_other() {
    let scene = Scene::new();
    let mut address = 0u64;
    let mut take = || call!(scene, cuMemAlloc_v2(&mut address => &mut u64, 8 => usize));
    scene.stand_in.fail("cuMemAlloc_v2:2=2");
    assert_eq!([take(), take(), take()], [OK, OUT_OF_MEMORY, OK]);
    assert_eq!(scene.stand_in.calls(), 3);
    scene.stand_in.fail("*:3=999");
    assert_eq!([take(), take(), take(), take()], [OK, OK, 999, OK]);
    scene.nothing_seen();
    scene.stand_in.reset();
    scene.release();
}

#[test]
fn a_lost_device_stays_lost() {
    let scene = Scene::new();
    let stream = scene.stream();
    scene.stand_in.fail("cuStreamSynchronize:1=719");
    assert_eq!(scene.finish(stream), LAUNCH_FAILED);
    assert_eq!(scene.finish(stream), LAUNCH_FAILED);
    assert_eq!(
        call!(scene, cuStreamDestroy_v2(stream => Handle)),
        LAUNCH_FAILED
    );
    // Contexts are left as they were all the same, and what cannot be freed is no leak.
    assert_eq!(scene.release(), OK);
    scene.nothing_seen();
}

#[test]
fn an_old_driver_lacks_what_came_later() {
    let stand_in = CudaStandIn::build().unwrap();
    let names = |folder: &str| {
        let mut command = Command::new("nm");
        let output = command
            .arg("-D")
            .arg(stand_in.folder().join(folder).join("libcuda.so.1"))
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    for name in [
        "cuMemAllocAsync",
        "cuMemFreeAsync",
        "cuMemPoolCreate",
        "cuMemAllocFromPoolAsync",
    ] {
        assert!(
            names("").contains(name) && !names("old").contains(name),
            "{name}"
        );
    }
    assert!(names("old").contains("cuMemAlloc_v2"));
}
