//! The order between streams, from what their commands use.
//!
//! Commands of one stream run in order; those of different streams run in any, unless an event stands between them. Three
//! pairs need one (the hazards of pipelines): a read after a write, a write after a read, a write after a write. For each
//! buffer it is noted which command wrote it last and which have read it since; a command is a point, a [`Timeline`] and a
//! place in its order. Before a stream submits a command, it follows the points on other streams that the command must come
//! after ([`Hazards::before`]): an event is recorded on the other stream, unless one is there that is late enough, and
//! waited for on the device. Afterwards the command is noted ([`Hazards::after`]).
//!
//! - What needs no event costs no call of the driver: the same stream, points that are followed already, and points that
//!   the host has seen done.
//! - A point gets its place after the driver has taken the command. An event that is recorded when n commands have a place
//!   is therefore behind all of them, whatever other threads submit.
//! - A failed submission is noted like any other: part of it may be under way, and to wait for nothing does no harm.
//! - A stream that is dropped leaves an event of its end behind, for the buffers that it has used.
//! - Buffers are told apart by the driver's handle, so that arguments of kernels are plain values. A buffer is
//!   [forgotten](Hazards::forget) before its memory is freed, since the next may have its handle.

use crate::backend::{Driver, Raw};
use crate::error::GpuError;
use crate::mark::Mark;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// What a command does with a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Reads,
    Writes,
}

/// What is known of a stream's order. It outlives the stream where a buffer or an event refers to it.
pub(crate) struct Timeline {
    /// Tells it from all others.
    number: u64,
    /// How many commands have a place in it, and how many of these the host has seen done.
    submitted: AtomicU64,
    done: AtomicU64,
    gone: AtomicBool,
    recorded: Mutex<Recorded>,
    /// Which points of others its next command comes after.
    followed: Mutex<Followed>,
}

/// Where events come from.
struct Recorded {
    /// The stream, until it is dropped.
    stream: Option<Raw>,
    /// The last event, and how many commands are before it.
    last: Option<(u64, Arc<Mark>)>,
}

/// For the numbers of other timelines, how many of their commands are followed.
#[derive(Default)]
struct Followed {
    places: HashMap<u64, (Weak<Timeline>, u64)>,
    /// The size from which timelines that are gone for good are looked for.
    enough: usize,
}

/// A command in the order of its stream.
#[derive(Clone)]
pub(crate) struct Point {
    timeline: Arc<Timeline>,
    /// How many commands of the stream it is behind, itself counted.
    place: u64,
}

fn guard<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Timeline {
    fn new(number: u64, stream: Raw) -> Self {
        Self {
            number,
            submitted: AtomicU64::new(0),
            done: AtomicU64::new(0),
            gone: AtomicBool::new(false),
            recorded: Mutex::new(Recorded {
                stream: Some(stream),
                last: None,
            }),
            followed: Mutex::default(),
        }
    }

    /// Tells it from all others.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// The last command that has a place.
    pub(crate) fn now(self: &Arc<Self>) -> Point {
        Point {
            timeline: Arc::clone(self),
            place: self.submitted.load(Ordering::Acquire),
        }
    }

    /// Records an event on its stream, which is alive, behind all commands that have a place.
    pub(crate) fn record(
        self: &Arc<Self>,
        driver: &Arc<dyn Driver>,
        stream: Raw,
        timed: bool,
    ) -> Result<(Point, Arc<Mark>), GpuError> {
        self.record_into(&mut guard(&self.recorded), (driver, stream), timed)
    }

    fn record_into(
        self: &Arc<Self>,
        recorded: &mut Recorded,
        (driver, stream): (&Arc<dyn Driver>, Raw),
        timed: bool,
    ) -> Result<(Point, Arc<Mark>), GpuError> {
        let point = self.now();
        let mark = Arc::new(Mark::record(driver, stream, timed)?);
        recorded.last = Some((point.place, Arc::clone(&mark)));
        Ok((point, mark))
    }

    /// Ends it, when its stream is about to be destroyed: whoever comes after its commands from now on waits for an event
    /// behind all of them.
    pub(crate) fn end(self: &Arc<Self>, driver: &Arc<dyn Driver>) {
        let mut recorded = guard(&self.recorded);
        let Some(stream) = recorded.stream.take() else {
            return;
        };
        let end = self.now();
        let has_event = matches!(&recorded.last, Some((place, _)) if *place >= end.place);
        // Nobody refers to it but its stream, or nothing is left to wait for.
        let is_wanted = Arc::strong_count(&end.timeline) > 2 && !end.is_done();
        if is_wanted
            && !has_event
            && self
                .record_into(&mut recorded, (driver, stream), false)
                .is_err()
        {
            // A device that is lost, as likely as not. The host waits, which fails as well where it is lost.
            // SAFETY: the stream is alive and of this driver.
            let _ = unsafe { driver.finish(stream) };
            end.note_done();
        }
        self.gone.store(true, Ordering::Release);
    }

    fn follows(&self, point: &Point) -> bool {
        let followed = guard(&self.followed);
        let known = followed.places.get(&point.timeline.number);
        known.is_some_and(|&(_, place)| place >= point.place)
    }

    /// Notes that its next command comes after a point of another.
    pub(crate) fn note_followed(&self, point: &Point) {
        if self.number == point.timeline.number {
            return;
        }
        let mut followed = guard(&self.followed);
        let Followed { places, enough } = &mut *followed;
        if places.len() >= *enough {
            places.retain(|_, (timeline, _)| timeline.strong_count() > 0);
            *enough = 2 * places.len() + 8;
        }
        let new = || (Arc::downgrade(&point.timeline), 0);
        let (_, place) = places.entry(point.timeline.number).or_insert_with(new);
        *place = point.place.max(*place);
    }
}

impl Point {
    fn is_done(&self) -> bool {
        self.place <= self.timeline.done.load(Ordering::Acquire)
    }

    /// Notes that the host has seen it done, and with it all that was submitted to its stream before.
    pub(crate) fn note_done(&self) {
        self.timeline.done.fetch_max(self.place, Ordering::AcqRel);
    }

    fn is_of(&self, timeline: &Arc<Timeline>) -> bool {
        Arc::ptr_eq(&self.timeline, timeline)
    }

    /// Whether the next command of a stream may run before this is done.
    fn is_ahead_of(&self, timeline: &Arc<Timeline>) -> bool {
        !(self.is_of(timeline) || self.is_done() || timeline.follows(self))
    }

    /// The last event that was recorded behind it, or a new one, and the point that it is behind.
    ///
    /// `None` if there is nothing to wait for: its stream is gone and was waited for.
    pub(crate) fn event(
        &self,
        driver: &Arc<dyn Driver>,
    ) -> Result<Option<(Self, Arc<Mark>)>, GpuError> {
        let timeline = &self.timeline;
        let mut recorded = guard(&timeline.recorded);
        if let Some((place, mark)) = &recorded.last
            && *place >= self.place
        {
            let behind = Self {
                timeline: Arc::clone(timeline),
                place: *place,
            };
            return Ok(Some((behind, Arc::clone(mark))));
        }
        let Some(stream) = recorded.stream else {
            return Ok(None);
        };
        let event = timeline.record_into(&mut recorded, (driver, stream), false);
        event.map(Some)
    }
}

/// The last uses of a buffer.
#[derive(Default)]
struct Uses {
    writer: Option<Point>,
    /// Those since then, on each stream the last one.
    readers: Vec<Point>,
}

impl Uses {
    /// What a command must come after.
    fn before(&self, access: Access) -> impl Iterator<Item = &Point> {
        let readers = self.readers.iter().filter(move |reader| match access {
            Access::Writes => true,
            // Streams that are gone read no more: who reads next follows them and stands for them from then on, so that
            // no more of them are kept than there are streams.
            Access::Reads => reader.timeline.gone.load(Ordering::Acquire),
        });
        self.writer.iter().chain(readers)
    }

    /// Notes a command of a stream. What no longer counts is moved to `gone`: events may be freed with it.
    fn after(
        &mut self,
        timeline: &Arc<Timeline>,
        access: Access,
        place: u64,
        gone: &mut Vec<Point>,
    ) {
        let point = || Point {
            timeline: Arc::clone(timeline),
            place,
        };
        match access {
            Access::Writes => {
                gone.extend(self.writer.replace(point()));
                gone.append(&mut self.readers);
            }
            Access::Reads => {
                gone.extend(self.writer.take_if(|writer| writer.is_done()));
                // What the reader itself comes after is behind it.
                let is_behind =
                    |reader: &mut Point| !(reader.is_of(timeline) || reader.is_ahead_of(timeline));
                gone.extend(self.readers.extract_if(.., is_behind));
                match self.readers.iter_mut().find(|one| one.is_of(timeline)) {
                    Some(own) => own.place = place.max(own.place),
                    None => self.readers.push(point()),
                }
            }
        }
    }
}

/// The last uses of a device's buffers.
#[derive(Default)]
pub(crate) struct Hazards {
    buffers: Mutex<HashMap<usize, Uses>>,
    timelines: AtomicU64,
}

impl Hazards {
    /// What is known of a stream that was just made.
    pub(crate) fn timeline(&self, stream: Raw) -> Arc<Timeline> {
        let number = self.timelines.fetch_add(1, Ordering::Relaxed);
        Arc::new(Timeline::new(number, stream))
    }

    /// The points of other streams that a command must come after and may not yet come after.
    pub(crate) fn before(
        &self,
        timeline: &Arc<Timeline>,
        uses: impl Iterator<Item = (Raw, Access)>,
    ) -> Vec<Point> {
        let buffers = guard(&self.buffers);
        let mut points: Vec<Point> = Vec::new();
        for (buffer, access) in uses {
            let before = buffers.get(&buffer.0).into_iter();
            let before = before.flat_map(|uses| uses.before(access));
            for point in before.filter(|point| point.is_ahead_of(timeline)) {
                // An event behind the last of a stream's points is behind the others.
                match points.iter_mut().find(|one| one.is_of(&point.timeline)) {
                    Some(one) => one.place = one.place.max(point.place),
                    None => points.push(point.clone()),
                }
            }
        }
        points
    }

    /// Notes a command that was just submitted, whatever came of it.
    pub(crate) fn after(
        &self,
        timeline: &Arc<Timeline>,
        uses: impl Iterator<Item = (Raw, Access)>,
    ) {
        let place = timeline.submitted.fetch_add(1, Ordering::AcqRel) + 1;
        let mut gone = Vec::new();
        let mut buffers = guard(&self.buffers);
        for (buffer, access) in uses {
            let uses = buffers.entry(buffer.0).or_default();
            uses.after(timeline, access, place, &mut gone);
        }
        // The lock is released before what is gone is freed.
        drop(buffers);
    }

    /// Forgets a buffer.
    pub(crate) fn forget(&self, buffer: Raw) {
        let gone = guard(&self.buffers).remove(&buffer.0);
        // Events may go with it, and are freed outside of the lock.
        drop(gone);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Access::{Reads, Writes};

    /// The numbers of the timelines that a use of a buffer must come after.
    fn before(hazards: &Hazards, on: &Arc<Timeline>, buffer: usize, access: Access) -> Vec<u64> {
        let points = hazards.before(on, [(Raw(buffer), access)].into_iter());
        points.iter().map(|point| point.timeline.number()).collect()
    }

    fn note(hazards: &Hazards, on: &Arc<Timeline>, buffer: usize, access: Access) {
        hazards.after(on, [(Raw(buffer), access)].into_iter());
    }

    #[test]
    fn the_last_writer_and_the_readers_since_then_are_known() {
        let hazards = Hazards::default();
        let lines: Vec<_> = (0..3).map(|number| hazards.timeline(Raw(number))).collect();
        let [a, b, c] = [&lines[0], &lines[1], &lines[2]];
        note(&hazards, a, 7, Writes);
        assert!(before(&hazards, a, 7, Writes).is_empty());
        assert_eq!(before(&hazards, b, 7, Reads), [0]);
        assert!(before(&hazards, b, 8, Writes).is_empty());
        note(&hazards, b, 7, Reads);
        note(&hazards, b, 7, Reads);
        assert_eq!(before(&hazards, c, 7, Reads), [0]);
        assert_eq!(before(&hazards, c, 7, Writes), [0, 1]);
        // Once it is written, readers and writers before that do not count.
        note(&hazards, c, 7, Writes);
        assert_eq!(before(&hazards, a, 7, Writes), [2]);
        assert_eq!(before(&hazards, b, 7, Reads), [2]);
        // What the host has seen done needs no event.
        c.now().note_done();
        assert!(before(&hazards, a, 7, Writes).is_empty());
    }

    #[test]
    fn what_is_forgotten_leaves_nothing_behind() {
        let hazards = Hazards::default();
        let [a, b] = [hazards.timeline(Raw(1)), hazards.timeline(Raw(2))];
        for buffer in 0..100 {
            note(&hazards, &a, buffer, Writes);
            note(&hazards, &b, buffer, Reads);
            hazards.forget(Raw(buffer));
            assert!(before(&hazards, &b, buffer, Writes).is_empty());
        }
        assert!(guard(&hazards.buffers).is_empty());
        assert_eq!((Arc::strong_count(&a), Arc::strong_count(&b)), (1, 1));
    }
}
