//! What is found in the folder of a job: whole, cut, damaged, another's.

use crate::support::{Case, Fault, Faulty, folder, paths};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, IoSlice, IoSliceMut};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use sunzi_dft::Direction;
use sunzi_field::AnyField;
use sunzi_machine::memory::Budget;
use sunzi_scale::internals::{Disk, System};
use sunzi_scale::{FileTransform, Order, Plan, Resumed, ScaleError, clean, found};
use xxhash_rust::xxh3::xxh3_64;

/// Bands of the first pass, and of the second.
const BANDS: usize = 4;

/// A job that ended when so many bands were done.
struct Begun {
    case: Case,
    plan: Plan,
    folder: tempfile::TempDir,
}

fn begun(bands: usize) -> Begun {
    let field = AnyField::modulo_word(469_762_049).unwrap();
    let case = Case::new(&field, 8, 16, Direction::Forward, Order::Natural, 4);
    let plan = case.plan(4, 4, 8);
    for call in 0.. {
        let folder = folder();
        let disk = Faulty::new(Fault::Dies(call, ErrorKind::Other));
        let transform = case.in_folder(folder.path()).by(plan).on(disk);
        let ended = transform.start().and_then(|started| started.finish());
        ended.expect_err("the job must not come to its end");
        if fs::read_dir(&paths(folder.path())[2]).unwrap().count() > 0 {
            let journal = fs::read(job(folder.path()).join("journal")).unwrap_or_default();
            if journal.iter().filter(|&&byte| byte == b'\n').count() == bands {
                return Begun { case, plan, folder };
            }
        }
    }
    unreachable!()
}

impl Begun {
    fn again(&self) -> FileTransform {
        self.case.in_folder(self.folder.path()).by(self.plan)
    }

    fn goes_on(&self, case: &str) -> Option<Resumed> {
        let report = self.again().start().unwrap().finish().unwrap();
        self.case.check(self.folder.path(), case);
        report.resumed
    }

    fn refusal(&self) -> ScaleError {
        let error = self
            .again()
            .start()
            .and_then(|started| started.finish())
            .unwrap_err();
        assert!(!paths(self.folder.path())[1].exists(), "{error}");
        error
    }

    fn file(&self, name: &str) -> PathBuf {
        job(self.folder.path()).join(name)
    }
}

fn job(folder: &Path) -> PathBuf {
    let jobs = fs::read_dir(&paths(folder)[2]).unwrap();
    jobs.map(|entry| entry.unwrap().path()).next().unwrap()
}

#[test]
fn a_job_goes_on_where_it_ended() {
    for bands in 0..=2 * BANDS + 1 {
        let begun = begun(bands);
        let started = begun.again().start().unwrap();
        let resumed = started.resumed();
        let at = |bands: usize| {
            let (pass, band) = match bands {
                0 => return None,
                bands if bands < 2 * BANDS => (bands / BANDS, bands % BANDS),
                bands => (2, bands - 2 * BANDS),
            };
            let bands = if pass < 2 { BANDS } else { 2 };
            Some(Resumed {
                pass: pass + 1,
                band: band + 1,
                bands,
            })
        };
        assert_eq!(resumed, at(bands));
        let report = started.finish().unwrap();
        assert_eq!(report.resumed, resumed);
        // No band is written twice; headers and journals besides.
        let left = 6 * BANDS - bands.min(2 * BANDS) * 2 - bands.saturating_sub(2 * BANDS) * 4;
        let most = (left * 256 / 2 / BANDS * 4 + 2 * 4096 + 4000) as u64;
        assert!(report.written <= most, "{report:?} {most}");
        begun
            .case
            .check(begun.folder.path(), &format!("{bands} bands"));
    }
}

#[test]
fn a_journal_may_end_anywhere() {
    let begun = begun(BANDS + 2);
    let names = ["job", "journal", "columns-0-0", "rows-0"];
    let files = names.map(|name| fs::read(begun.file(name)).unwrap());
    let folder = job(begun.folder.path());
    for end in 0..=files[1].len() {
        fs::create_dir_all(&folder).unwrap();
        for (name, bytes) in names.iter().zip(&files) {
            fs::write(folder.join(name), bytes).unwrap();
        }
        fs::write(folder.join("journal"), &files[1][..end]).unwrap();
        let whole = files[1][..end]
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count();
        let resumed = begun.goes_on(&format!("cut at {end}"));
        assert_eq!(resumed.is_some(), whole > 0, "cut at {end}");
    }
    // What was changed is not believed, nor what follows it.
    for at in (0..files[1].len()).step_by(3) {
        fs::remove_file(&paths(begun.folder.path())[1]).unwrap_or_default();
        fs::create_dir_all(&folder).unwrap();
        for (name, bytes) in names.iter().zip(&files) {
            fs::write(folder.join(name), bytes).unwrap();
        }
        let mut journal = files[1].clone();
        journal[at] ^= 1;
        fs::write(folder.join("journal"), journal).unwrap();
        // The last line may have been cut, with what parts it from the one before; before that nothing changes by itself.
        let last = files[1][..files[1].len() - 1]
            .iter()
            .rposition(|&byte| byte == b'\n')
            .unwrap();
        match at >= last {
            true => drop(begun.goes_on(&format!("changed at {at}"))),
            false => assert!(
                matches!(begun.refusal(), ScaleError::Damaged { .. }),
                "changed at {at}"
            ),
        }
    }
}

#[test]
fn a_bit_that_changes_on_the_disk_is_found() {
    for (bands, name) in [
        (BANDS, "columns-0-0"),
        (BANDS + 2, "columns-0-0"),
        (2 * BANDS, "rows-0"),
    ] {
        let begun = begun(bands);
        let whole = fs::read(begun.file(name)).unwrap();
        for at in [0, 700, whole.len() - 1] {
            let mut changed = whole.clone();
            changed[at] ^= 0x10;
            fs::write(begun.file(name), &changed).unwrap();
            match begun.again().start().and_then(|started| started.finish()) {
                Err(error) => assert!(matches!(error, ScaleError::Damaged { .. }), "{error}"),
                // A tile that was read before.
                Ok(_) => {
                    assert_eq!(bands, BANDS + 2);
                    begun.case.check(begun.folder.path(), "not read again");
                    return;
                }
            }
            assert!(!paths(begun.folder.path())[1].exists());
        }
        let fresh = begun.again().fresh(true).start().unwrap();
        assert_eq!(fresh.resumed(), None);
        fresh.finish().unwrap();
        begun.case.check(begun.folder.path(), name);
    }
}

#[test]
fn files_that_are_short_long_or_gone_are_told() {
    let begun = begun(2 * BANDS);
    let rows = begun.file("rows-0");
    let whole = fs::read(&rows).unwrap();
    for change in [&whole[..whole.len() - 1], &[&whole[..], &[0]].concat(), &[]] {
        fs::write(&rows, change).unwrap();
        assert!(matches!(begun.refusal(), ScaleError::Damaged { .. }));
    }
    fs::remove_file(&rows).unwrap();
    assert!(matches!(begun.refusal(), ScaleError::Damaged { .. }));
    fs::write(&rows, &whole).unwrap();
    begun.goes_on("the file is back");
}

#[test]
fn another_job_in_the_folder_is_refused() {
    let begun = begun(BANDS + 1);
    let others = [
        begun.again().direction(Direction::Inverse),
        begun.again().order(Order::Transposed),
        begun.again().by(begun.case.plan(2, 4, 8)),
        // Its plan takes more memory than this.
        begun
            .case
            .in_folder(begun.folder.path())
            .within(Budget::within(Some(1 << 16))),
    ];
    for other in others {
        let error = other.start().map(|_| ()).unwrap_err();
        assert!(
            matches!(
                error,
                ScaleError::OtherJob { .. } | ScaleError::Input { .. }
            ),
            "{error}"
        );
    }
    // With the memory that it was begun with no plan need be named.
    let same = begun
        .case
        .in_folder(begun.folder.path())
        .within(Budget::within(Some(1 << 30)));
    let same = *same.start().unwrap().plan();
    let memory = same.memory;
    assert_eq!(
        same,
        Plan {
            memory,
            ..begun.plan
        }
    );

    let text = fs::read_to_string(begun.file("job")).unwrap();
    let version = text.replace("version ", "version 9");
    let told = &version[..version.rfind("sum ").unwrap()];
    let version = format!("{told}sum {:016x}\n", xxh3_64(told.as_bytes()));
    fs::write(begun.file("job"), version).unwrap();
    let error = begun.refusal().to_string();
    assert!(error.contains("begun with another version: 9"), "{error}");
    fs::write(begun.file("job"), text.replace("form 3", "form 4")).unwrap();
    assert!(
        begun
            .refusal()
            .to_string()
            .contains("another version of the program")
    );
    for end in (0..text.len() - 1).step_by(7) {
        fs::write(begun.file("job"), &text[..end]).unwrap();
        let error = begun.refusal();
        assert!(
            matches!(
                error,
                ScaleError::OtherJob { .. } | ScaleError::Damaged { .. }
            ),
            "{error}"
        );
    }
    fs::write(begun.file("job"), &text).unwrap();
    begun.goes_on("as it was");
}

#[test]
fn an_input_that_changes_is_refused() {
    let begun = begun(2);
    let x = &paths(begun.folder.path())[0];
    let mut bytes = fs::read(x).unwrap();
    let last = bytes.len() - 4;
    bytes[last] ^= 1;
    fs::write(x, bytes).unwrap();
    let error = begun.refusal().to_string();
    assert!(
        error.contains("begun with inputs that have changed since"),
        "{error}"
    );
}

#[test]
fn a_second_process_is_refused() {
    let begun = begun(1);
    let first = begun.again().start().unwrap();
    let error = begun.again().start().map(|_| ()).unwrap_err().to_string();
    assert!(
        error.contains(&format!("process {} on ", std::process::id())),
        "{error}"
    );
    let jobs = found(&paths(begun.folder.path())[2]).unwrap();
    assert!(jobs[0].holder.is_some());
    assert_eq!(clean(&paths(begun.folder.path())[2]).unwrap(), []);
    first.finish().unwrap();
    begun.case.check(begun.folder.path(), "the first one");
}

#[test]
fn jobs_are_found_and_cleaned() {
    let begun = begun(2 * BANDS + 1);
    let scratch = &paths(begun.folder.path())[2];
    fs::write(scratch.join("else"), "of somebody else").unwrap();
    let jobs = found(scratch).unwrap();
    assert_eq!(
        (jobs.len(), jobs[0].bands, &jobs[0].holder),
        (1, 2 * BANDS + 1, &None)
    );
    assert!(jobs[0].bytes >= 1024 && jobs[0].facts.contains("modulus 469762049\n"));
    assert_eq!(clean(scratch).unwrap(), jobs);
    assert_eq!(fs::read_dir(scratch).unwrap().count(), 1);
    // The beginning of the result, too.
    let mut left: Vec<_> = fs::read_dir(begun.folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    left.sort();
    assert_eq!(left, ["scratch", "x.npy"]);
    assert_eq!(found(scratch).unwrap(), []);
    assert!(matches!(
        found(&scratch.join("none")),
        Err(ScaleError::Disk { .. })
    ));
}

#[test]
fn another_folder_is_another_job() {
    let first = begun(2 * BANDS + 1);
    let [x, y, _] = paths(first.folder.path());
    // The same from another folder, to its end and not.
    let elsewhere = folder();
    let other = || {
        let transform = FileTransform::new(&first.case.field, &x, &y, elsewhere.path());
        transform.by(first.plan).direction(Direction::Inverse)
    };
    let disk = Faulty::new(Fault::Dies(100, ErrorKind::Other));
    other()
        .on(disk)
        .start()
        .and_then(|started| started.finish())
        .unwrap_err();
    other().start().unwrap().finish().unwrap();
    assert!(fs::read(&y).unwrap() != first.case.expected);
    assert_eq!(
        first.goes_on("the first one").map(|resumed| resumed.pass),
        Some(3)
    );
}

#[test]
fn a_result_that_changes_before_it_is_complete_is_found() {
    for bands in [2 * BANDS + 1, 2 * BANDS + 2] {
        let begun = begun(bands);
        let unfinished = unfinished(&begun);
        let mut bytes = fs::read(&unfinished).unwrap();
        bytes[4096 + 100] ^= 4;
        fs::write(&unfinished, &bytes).unwrap();
        let error = begun.refusal().to_string();
        assert!(error.contains("band 1 is not as it was written"), "{error}");
        fs::remove_file(&unfinished).unwrap();
        assert!(
            begun
                .refusal()
                .to_string()
                .contains("it has 0 bytes and should have 5120")
        );
    }
}

#[test]
fn the_header_of_a_result_is_written_again() {
    let begun = begun(2 * BANDS + 1);
    let unfinished = unfinished(&begun);
    let mut bytes = fs::read(&unfinished).unwrap();
    bytes[..128].fill(b'X');
    fs::write(&unfinished, bytes).unwrap();
    begun.goes_on("a damaged header");
}

/// The name of the result until it is complete.
fn unfinished(begun: &Begun) -> PathBuf {
    let name = job(begun.folder.path())
        .file_name()
        .unwrap()
        .to_string_lossy()
        .into_owned();
    let digits = name.strip_prefix("sunzi-job-").unwrap();
    begun
        .folder
        .path()
        .join(format!(".sunzi-{digits}.unfinished"))
}

#[test]
fn links_that_were_planted_are_not_followed() {
    use std::os::unix::fs::symlink;
    let begun = begun(1);
    let victim = begun.folder.path().join("victim");
    fs::write(&victim, "precious").unwrap();
    let (unfinished, folder) = (unfinished(&begun), job(begun.folder.path()));
    fs::remove_file(&unfinished).unwrap();
    symlink(&victim, &unfinished).unwrap();
    assert!(
        begun
            .again()
            .start()
            .and_then(|started| started.finish())
            .is_err()
    );
    fs::remove_file(&unfinished).unwrap();
    // A folder in the place of one that is to be removed.
    let others = begun.folder.path().join("others");
    fs::create_dir(&others).unwrap();
    fs::write(others.join("journal"), "precious").unwrap();
    let removed = PathBuf::from(format!("{}.removed", folder.display()));
    symlink(&others, &removed).unwrap();
    let report = begun.again().start().unwrap().finish().unwrap();
    assert!(report.left.unwrap().contains("it is no folder"));
    assert!(fs::read(&paths(begun.folder.path())[1]).unwrap() == begun.case.expected);
    for path in [&victim, &others.join("journal")] {
        assert_eq!(fs::read_to_string(path).unwrap(), "precious");
    }
    // In the place of the folder itself.
    fs::remove_file(removed).unwrap();
    fs::remove_dir_all(&folder).unwrap();
    symlink(&others, &folder).unwrap();
    let error = begun.again().start().map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("it is no folder of this user"), "{error}");
    assert_eq!(
        fs::read_to_string(others.join("journal")).unwrap(),
        "precious"
    );
}

#[test]
fn a_journal_that_is_gone_is_told() {
    let begun = begun(BANDS + 2);
    let journal = begun.file("journal");
    let text = fs::read_to_string(&journal).unwrap();
    fs::remove_file(&journal).unwrap();
    assert!(begun.refusal().to_string().contains("journal: it is gone"));
    // Several lines at the end.
    let third = text
        .split_inclusive('\n')
        .take(2)
        .map(str::len)
        .sum::<usize>();
    let damaged: String = text[third..]
        .chars()
        .map(|c| if c == 'b' { 'c' } else { c })
        .collect();
    fs::write(&journal, format!("{}{damaged}", &text[..third])).unwrap();
    assert!(
        begun
            .refusal()
            .to_string()
            .contains("lines of it have changed")
    );
    fs::write(&journal, text).unwrap();
    begun.goes_on("as it was");
}

#[test]
fn a_plan_is_that_of_the_job_that_was_begun() {
    let begun = begun(1);
    let any = || begun.case.in_folder(begun.folder.path());
    let plan = any().plan().unwrap();
    assert_eq!(
        plan,
        Plan {
            memory: plan.memory,
            ..begun.plan
        }
    );
    assert_eq!(any().fresh(true).plan().unwrap().passes(), 1);
    assert!(matches!(
        any().direction(Direction::Inverse).plan(),
        Err(ScaleError::OtherJob { .. })
    ));
}

#[test]
fn what_is_of_others_stays() {
    let begun = begun(1);
    let scratch = paths(begun.folder.path())[2].clone();
    let make = |name: &str, file: &str| {
        fs::create_dir_all(scratch.join(name)).unwrap();
        fs::write(scratch.join(name).join(file), "precious").unwrap();
    };
    make("sunzi-job-results", "data");
    make("sunzi-job-0123456789abcdef", "data");
    // A folder that tells of another's file.
    make("sunzi-job-00000000000000aa", "job");
    let victim = begun.folder.path().join("victim");
    fs::write(&victim, "precious").unwrap();
    fs::write(
        scratch.join("sunzi-job-00000000000000aa/job"),
        format!(
            "sunzi job through files, form 3\nunfinished {}\n",
            victim.display()
        ),
    )
    .unwrap();
    // A lock that is a link.
    fs::create_dir(scratch.join("sunzi-job-00000000000000bb")).unwrap();
    std::os::unix::fs::symlink(&victim, scratch.join("sunzi-job-00000000000000bb/lock")).unwrap();
    assert_eq!(found(&scratch).unwrap().len(), 2);
    assert_eq!(clean(&scratch).unwrap().len(), 2);
    assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
    let mut left: Vec<_> = fs::read_dir(&scratch)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    left.sort();
    let kept = [
        "sunzi-job-00000000000000bb",
        "sunzi-job-0123456789abcdef",
        "sunzi-job-results",
    ];
    assert_eq!(left, kept);
}

/// Changes a file when something is written for the first time.
#[derive(Debug)]
struct Meddling(PathBuf, AtomicBool);

impl Disk for Meddling {
    fn open(&self, path: &Path, options: &OpenOptions) -> io::Result<File> {
        System.open(path, options)
    }

    fn read(&self, file: &File, parts: &mut [IoSliceMut<'_>], at: u64) -> io::Result<usize> {
        System.read(file, parts, at)
    }

    fn write(&self, file: &File, parts: &[IoSlice<'_>], at: u64) -> io::Result<usize> {
        // A band, not a line.
        if parts[0].len().is_multiple_of(64) && !self.1.swap(true, Relaxed) {
            let mut bytes = fs::read(&self.0)?;
            bytes[4096 + 500] ^= 1;
            fs::write(&self.0, bytes)?;
        }
        System.write(file, parts, at)
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        System.sync(file)
    }

    fn reserve(&self, file: &File, bytes: u64) -> io::Result<()> {
        System.reserve(file, bytes)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        System.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        System.remove(path)
    }
}

#[test]
fn an_input_that_changes_while_it_is_read_is_refused() {
    let begun = begun(0);
    let [x, y, scratch] = paths(begun.folder.path());
    let disk = Meddling(x, AtomicBool::new(false));
    let meddled = begun.again().on(Arc::new(disk)).start().unwrap().finish();
    let error = meddled.unwrap_err().to_string();
    assert!(
        error.contains("it has changed while it was read"),
        "{error}"
    );
    // Nothing is left of it.
    assert!(!y.exists());
    assert_eq!(fs::read_dir(scratch).unwrap().count(), 0);
}

/// Puts down that the result is complete, in a file that is not there.
fn tell_complete(begun: &Begun) {
    let mut journal = fs::read(begun.file("journal")).unwrap();
    let text = "complete 1 2";
    journal.extend(format!("{text} {:016x}\n", xxh3_64(text.as_bytes())).bytes());
    fs::write(begun.file("journal"), journal).unwrap();
}

#[test]
fn a_result_that_is_gone_is_told() {
    let begun = begun(2 * BANDS + 2);
    tell_complete(&begun);
    fs::remove_file(unfinished(&begun)).unwrap();
    let error = begun.refusal().to_string();
    assert!(
        error.contains("the result was complete, and is gone"),
        "{error}"
    );
    let fresh = begun.again().fresh(true).start().unwrap();
    fresh.finish().unwrap();
    begun.case.check(begun.folder.path(), "fresh");
}

#[test]
fn a_copy_of_a_complete_result_is_as_good() {
    let begun = begun(2 * BANDS + 2);
    tell_complete(&begun);
    // With another inode than was told; damaged first.
    let path = unfinished(&begun);
    let whole = fs::read(&path).unwrap();
    let mut damaged = whole.clone();
    damaged[5000] ^= 1;
    fs::write(&path, damaged).unwrap();
    assert!(
        begun
            .refusal()
            .to_string()
            .contains("is not as it was written")
    );
    fs::write(&path, whole).unwrap();
    begun.goes_on("a copy");
}

#[test]
fn a_result_that_was_complete_gets_its_name() {
    let begun = begun(2 * BANDS + 2);
    // Ended before the last line of the journal: the check is done again.
    assert_eq!(
        begun.goes_on("complete").map(|resumed| resumed.band),
        Some(3)
    );
}
