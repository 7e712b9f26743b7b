//! Results compressed by gzip, where the name of their file ends in `.gz`.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;

/// Bytes that are compressed at once, so that what comes of them takes little memory.
const AT_ONCE: usize = 1 << 18;

/// Ends of names for compressions that nothing here makes.
const OTHERS: [&str; 9] = ["bz2", "xz", "zst", "lz4", "zip", "lzma", "lz", "br", "7z"];

fn end(path: &Path) -> Option<&str> {
    path.extension().and_then(OsStr::to_str)
}

/// Whether the name of a file promises that gzip reads it.
pub fn is_by_gzip(path: &Path) -> bool {
    end(path).is_some_and(|end| end.eq_ignore_ascii_case("gz"))
}

/// The end of a name that promises a compression which nothing here makes.
pub(super) fn other(path: &Path) -> Option<&str> {
    // A small z stands for a coordinate, too.
    let is_other = |end: &str| end == "Z" || OTHERS.iter().any(|it| it.eq_ignore_ascii_case(end));
    end(path).filter(|end| is_other(end))
}

/// Packs bytes as they come.
///
/// One that is dropped before [`Compressor::finish`] leaves a text that every reader finds cut: what an error ends must not
/// look whole.
pub(super) struct Compressor(GzEncoder<Vec<u8>>);

impl Compressor {
    pub(super) fn new() -> Self {
        Self(GzEncoder::new(Vec::new(), Compression::default()))
    }

    /// Packs more bytes; `write` gets what comes of them.
    pub(super) fn compress(
        &mut self,
        bytes: &[u8],
        mut write: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        bytes.chunks(AT_ONCE).try_for_each(|piece| {
            self.0.write_all(piece)?;
            let compressed = self.0.get_mut();
            write(compressed)?;
            compressed.clear();
            Ok(())
        })
    }

    /// Packs the end.
    pub(super) fn finish(self, write: impl FnOnce(&[u8]) -> io::Result<()>) -> io::Result<()> {
        write(&self.0.finish()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::MultiGzDecoder;
    use std::io::Read;

    #[test]
    fn what_is_compressed_in_pieces_is_decompressed_whole_and_else_is_cut() {
        for length in [0, 1, AT_ONCE, AT_ONCE + 1, 3 * AT_ONCE] {
            let text: Vec<u8> = (0..length).map(|i| (i * i % 251) as u8).collect();
            let mut compressed = Vec::new();
            let mut compressor = Compressor::new();
            for piece in text.chunks(AT_ONCE + 7) {
                compressor
                    .compress(piece, |bytes| compressed.write_all(bytes))
                    .unwrap();
            }
            let mut cut = Vec::new();
            let read = MultiGzDecoder::new(&compressed[..]).read_to_end(&mut cut);
            assert!(read.is_err(), "{length}");
            compressor
                .finish(|bytes| compressed.write_all(bytes))
                .unwrap();
            let mut whole = Vec::new();
            MultiGzDecoder::new(&compressed[..])
                .read_to_end(&mut whole)
                .unwrap();
            assert!(whole == text, "{length}");
        }
    }

    #[test]
    fn ends_of_names_tell_the_compression() {
        for (name, by_gzip, other_end) in [
            ("x.gz", true, None),
            ("a.b/x.mtx.GZ", true, None),
            ("x.gz/y", false, None),
            ("gz", false, None),
            ("x.bz2", false, Some("bz2")),
            ("x.Zst", false, Some("Zst")),
            ("x.Z", false, Some("Z")),
            ("x.z", false, None),
            ("x.7z", false, Some("7z")),
            ("bz2", false, None),
        ] {
            let path = Path::new(name);
            assert_eq!(
                (is_by_gzip(path), other(path)),
                (by_gzip, other_end),
                "{name}"
            );
        }
    }
}
