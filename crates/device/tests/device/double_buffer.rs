//! Rows in pieces that take turns come back as they were sent, each in its place.

use sunzi_device::GpuError;
use sunzi_device::double_buffer::{DoubleBuffer, DoubleBufferConfig};
use sunzi_testkit::{Place, on_every_device};

on_every_device![rows_come_back_in_order_whatever_the_pieces];

fn rows_come_back_in_order_whatever_the_pieces(place: Place) {
    let Some(device) = place.device() else { return };
    let none = DoubleBufferConfig {
        slots: 0,
        piece_bytes: 8,
    };
    for (lens, uploaded, config) in [
        (&[][..], 0, DoubleBufferConfig { slots: 1, ..none }),
        (&[1], 2, DoubleBufferConfig { slots: 1, ..none }),
        (&[1], 1, none),
    ] {
        let refused = DoubleBuffer::<u64>::with_config(&device, 1, lens, uploaded, config);
        assert!(matches!(refused, Err(GpuError::Shape(_))));
    }
    let len = 3;
    for rows in [0, 1, 2, 5, 8] {
        for (slots, piece) in [(1, 0), (1, 1), (2, 1), (2, 2), (3, 2), (2, 8), (4, 3)] {
            // Two buffers of 3 words of 4 bytes a row.
            let piece_bytes = piece * 2 * len * 4;
            let config = DoubleBufferConfig { slots, piece_bytes };
            let mut buffered =
                DoubleBuffer::<u32>::with_config(&device, rows, &[len; 2], 2, config).unwrap();
            assert_eq!(buffered.piece(), piece.clamp(1, rows.max(1)));
            let word = |side: usize, row: usize, i: usize| (100 * side + 10 * row + i) as u32;
            let mut found = Vec::new();
            // The second operand's first two words are taken over by the first one's.
            buffered
                .run(
                    |side, rows, words| {
                        for (row, words) in rows.zip(words.chunks_mut(len)) {
                            let values = (0..len).map(|i| word(side, row, i));
                            words
                                .iter_mut()
                                .zip(values)
                                .for_each(|(to, value)| *to = value);
                        }
                    },
                    |stream, buffers, rows| {
                        let [from, to] = buffers else { unreachable!() };
                        (0..rows)
                            .try_for_each(|row| stream.copy((from, row * len), (to, row * len), 2))
                    },
                    |first, words| {
                        assert_eq!(first * len, found.len());
                        found.extend_from_slice(words);
                    },
                )
                .unwrap();
            let expected =
                (0..rows).flat_map(|row| [word(0, row, 0), word(0, row, 1), word(1, row, 2)]);
            assert_eq!(
                found,
                expected.collect::<Vec<_>>(),
                "{rows} rows, {config:?}"
            );
        }
    }
}
