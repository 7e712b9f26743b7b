//! Where polynomials on the device lie.

use std::sync::Arc;
use sunzi_device::{Buffer, GpuError, Stream};

/// First coefficient and number of coefficients of each polynomial.
#[derive(Clone, Debug)]
pub(super) struct Spans {
    pub on_host: Arc<[[usize; 2]]>,
    pub on_device: Arc<Buffer<u32>>,
}

impl Spans {
    /// Copies them to the device.
    pub(super) fn new(stream: &Stream, spans: Vec<[usize; 2]>) -> Result<Self, GpuError> {
        let words = span_words(&spans)?;
        Ok(Self {
            on_device: Arc::new(stream.device().filled(stream, &words)?),
            on_host: spans.into(),
        })
    }
}

/// Spans as kernels are given them, in words of 32 bits.
fn span_words(spans: &[[usize; 2]]) -> Result<Vec<u32>, GpuError> {
    let reach = spans.iter().map(|[start, terms]| start + terms).max();
    let reach = reach.unwrap_or(0);
    if u32::try_from(reach).is_err() {
        return Err(GpuError::Shape(format!(
            "{reach} coefficients are too many: there can be fewer than 2^32 at a time"
        )));
    }
    Ok(spans.iter().flatten().map(|&count| count as u32).collect())
}

#[cfg(test)]
mod tests {
    use super::span_words;

    #[test]
    fn spans_end_below_what_words_can_count() {
        let most = u32::MAX as usize;
        assert_eq!(
            span_words(&[[0, 5], [5, most - 5]]).unwrap()[3],
            u32::MAX - 5
        );
        assert!(span_words(&[]).unwrap().is_empty());
        for beyond in [most + 1, most + 2] {
            let refused = span_words(&[[0, 5], [5, beyond - 5]]).unwrap_err();
            let said = refused.to_string();
            assert!(
                said.contains(&beyond.to_string()) && said.contains("fewer than 2^32"),
                "{said}"
            );
        }
    }
}
