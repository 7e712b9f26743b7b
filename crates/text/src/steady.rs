//! A reader whose errors and end stay.

use std::io::{self, Read};

/// Passes bytes on, counts them, and answers with its first error for good. What was only interrupted is tried again.
///
/// Readers need not say twice that they failed: a wrong checksum is told once, and then the end. Nor do terminals that they ended: whoever
/// asks once more waits for a line.
#[derive(Debug)]
pub(crate) struct Steady<R> {
    inner: R,
    error: Option<io::Error>,
    ended: bool,
    taken: u64,
}

impl<R> Steady<R> {
    pub(crate) fn new(inner: R) -> Self {
        Self {
            inner,
            error: None,
            ended: false,
            taken: 0,
        }
    }

    /// Bytes that have been passed on.
    pub(crate) fn taken(&self) -> u64 {
        self.taken
    }

    pub(crate) fn get_ref(&self) -> &R {
        &self.inner
    }
}

impl<R: Read> Read for Steady<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if let Some(error) = &self.error {
            return Err(again(error));
        }
        if self.ended {
            return Ok(0);
        }
        loop {
            match self.inner.read(bytes) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.error = Some(again(&error));
                    return Err(error);
                }
                Ok(count) => {
                    self.taken += count as u64;
                    self.ended = count == 0 && !bytes.is_empty();
                    return Ok(count);
                }
            }
        }
    }
}

/// The same error once more: `io::Error` has no copies.
fn again(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => io::Error::new(error.kind(), error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers in turn: an error of a kind, or a number of zeros.
    struct Script(Vec<Result<usize, io::ErrorKind>>);

    impl Read for Script {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            let answer = if self.0.is_empty() {
                Ok(0)
            } else {
                self.0.remove(0)
            };
            let count = answer?;
            bytes[..count].fill(0);
            Ok(count)
        }
    }

    #[test]
    fn an_error_is_said_again_and_an_interruption_is_not_said() {
        use io::ErrorKind::{Interrupted, InvalidData};
        let script = vec![
            Ok(2),
            Err(Interrupted),
            Err(Interrupted),
            Ok(1),
            Err(InvalidData),
            Ok(3),
        ];
        let mut reader = Steady::new(Script(script));
        let mut bytes = [1; 8];
        assert_eq!(reader.read(&mut bytes).unwrap(), 2);
        assert_eq!(reader.read(&mut bytes).unwrap(), 1);
        let first = reader.read(&mut bytes).unwrap_err();
        for _ in 0..3 {
            let later = reader.read(&mut bytes).unwrap_err();
            assert_eq!(
                (later.kind(), later.to_string()),
                (first.kind(), first.to_string())
            );
        }
        assert_eq!(reader.taken(), 3);
    }

    #[test]
    fn the_end_is_asked_for_once() {
        let mut bytes = [1; 8];
        // A read of no bytes is no end.
        let mut reader = Steady::new(Script(vec![Ok(0), Ok(3)]));
        assert_eq!(reader.read(&mut []).unwrap(), 0);
        assert_eq!(reader.read(&mut bytes).unwrap(), 3);
        let mut reader = Steady::new(Script(vec![Ok(2), Ok(0), Ok(3)]));
        assert_eq!(reader.read(&mut bytes).unwrap(), 2);
        for _ in 0..2 {
            assert_eq!(reader.read(&mut bytes).unwrap(), 0);
        }
    }

    #[test]
    fn errors_of_the_system_keep_their_numbers() {
        struct Full;
        impl Read for Full {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::from_raw_os_error(5))
            }
        }
        let mut reader = Steady::new(Full);
        for _ in 0..2 {
            assert_eq!(reader.read(&mut [0]).unwrap_err().raw_os_error(), Some(5));
        }
    }
}
