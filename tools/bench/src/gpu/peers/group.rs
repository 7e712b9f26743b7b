//! A program with all the processes that it starts, which end together.
//!
//! On Unix it leads a process group, which is killed while the leader is not yet reaped, so that its number is nobody
//! else's. Ctrl-C of the user does not reach that group. So a shell in a group of its own waits at a pipe that the system
//! closes when we end, in whatever way, and kills the group then. Elsewhere the program alone is ended.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

/// How often it is looked whether the program has ended.
pub const STEP: Duration = Duration::from_millis(5);
/// How long its end is waited for after it was killed.
pub const GRACE: Duration = Duration::from_millis(500);

/// A program that was started; all of it is killed on drop.
pub struct Group {
    pub leader: Child,
    /// Its exit, once it is reaped.
    status: Option<ExitStatus>,
    #[cfg(unix)]
    watcher: Option<Child>,
}

impl Group {
    /// Starts a program.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let leader = command.spawn()?;
        #[cfg_attr(not(unix), expect(unused_mut))]
        let mut group = Self {
            leader,
            status: None,
            #[cfg(unix)]
            watcher: None,
        };
        // Without it the group would outlive us: it is dropped then, and so ended.
        #[cfg(unix)]
        {
            group.watcher = Some(unix::watch(group.leader.id())?);
        }
        Ok(group)
    }

    /// How the program has ended, if it has; what it left behind is killed then.
    pub fn ended(&mut self) -> io::Result<Option<ExitStatus>> {
        if self.status.is_none() && self.has_ended()? {
            self.kill();
            self.status = self.leader.try_wait()?;
        }
        Ok(self.status)
    }

    #[cfg(unix)]
    fn has_ended(&self) -> io::Result<bool> {
        unix::has_ended(self.leader.id())
    }

    #[cfg(not(unix))]
    fn has_ended(&mut self) -> io::Result<bool> {
        self.leader.try_wait().map(|status| status.is_some())
    }

    #[cfg(unix)]
    fn kill(&mut self) {
        // First the watcher, which must not kill a number that may be another's later.
        if let Some(mut watcher) = self.watcher.take() {
            let _ = watcher.kill();
            let _ = watcher.wait();
        }
        unix::kill(self.leader.id());
    }

    #[cfg(not(unix))]
    fn kill(&mut self) {
        let _ = self.leader.kill();
    }
}

impl Drop for Group {
    /// What a driver holds may not end at once: it is waited for a short time only.
    fn drop(&mut self) {
        if self.status.is_some() {
            return;
        }
        self.kill();
        let start = Instant::now();
        while matches!(self.leader.try_wait(), Ok(None)) && start.elapsed() < GRACE {
            thread::sleep(STEP);
        }
    }
}

#[cfg(unix)]
mod unix {
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command, Stdio};

    /// Starts what kills a group when this process is no more.
    pub fn watch(leader: u32) -> io::Result<Child> {
        Command::new("/bin/sh")
            .args(["-c", "read -r _; kill -9 -\"$0\"", &leader.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
    }

    /// Kills a group whose leader is not reaped.
    pub fn kill(leader: u32) {
        if let Ok(leader) = libc::pid_t::try_from(leader) {
            // SAFETY: the call touches no memory; the number is that of a child of ours that is not reaped.
            unsafe { libc::kill(-leader, libc::SIGKILL) };
        }
    }

    /// Whether a child has ended, which leaves it to be reaped.
    pub fn has_ended(child: u32) -> io::Result<bool> {
        // SAFETY: all zeros is a value of this plain structure.
        let mut found: libc::siginfo_t = unsafe { std::mem::zeroed() };
        let how = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        // SAFETY: the call writes what it found to a valid place.
        let status = unsafe { libc::waitid(libc::P_PID, child, &raw mut found, how) };
        if status != 0 {
            return Err(io::Error::last_os_error());
        }
        // It stays 0 as long as nothing has ended.
        Ok(found.si_signo != 0)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;

    #[test]
    fn the_group_ends_when_the_pipe_of_its_watcher_is_closed() {
        let mut group = Group::start(Command::new("sleep").arg("100")).unwrap();
        // As the system does when this process ends.
        drop(group.watcher.as_mut().unwrap().stdin.take());
        let start = Instant::now();
        let status = loop {
            if let Some(status) = group.ended().unwrap() {
                break status;
            }
            assert!(start.elapsed() < Duration::from_secs(10));
            thread::sleep(STEP);
        };
        assert_eq!(status.signal(), Some(libc::SIGKILL));
    }
}
