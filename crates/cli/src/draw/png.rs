//! Pictures as PNG, painted pixel by pixel.

use super::curves::distance;
use super::{Anchor, Colour, Drawing, Font, INK, Shape};
use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster, get_raster_width};
use std::ops::Range;

const WHITE: u8 = 255;

/// Letters of a font.
const fn letters(font: Font) -> (FontWeight, RasterHeight) {
    match font {
        Font::Heading => (FontWeight::Bold, RasterHeight::Size20),
        Font::Plain => (FontWeight::Regular, RasterHeight::Size16),
    }
}

/// The width of a text in pixels.
pub fn text_width(text: &str, font: Font) -> u32 {
    let (weight, height) = letters(font);
    (text.chars().count() * get_raster_width(weight, height)) as u32
}

/// The bytes of the file.
pub fn encode(drawing: &Drawing) -> Result<Vec<u8>, String> {
    let mut pixels = Pixels::new(drawing.width, drawing.height);
    for shape in &drawing.shapes {
        pixels.paint(shape);
    }
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, drawing.width, drawing.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(&pixels.bytes)?;
        writer.finish()
    });
    written.map_err(|error| error.to_string())?;
    Ok(bytes)
}

/// A picture of dots alone, for others to scale.
pub fn encode_dots(columns: u32, dots: &[Colour]) -> Result<Vec<u8>, String> {
    let bitmap = Shape::Bitmap {
        x: 0,
        y: 0,
        columns,
        dots: dots.to_vec(),
        zoom: (1, 1),
    };
    encode(&Drawing {
        width: columns,
        height: dots.len() as u32 / columns.max(1),
        shapes: vec![bitmap],
    })
}

struct Pixels {
    width: u32,
    height: u32,
    bytes: Vec<u8>,
}

impl Pixels {
    fn new(width: u32, height: u32) -> Self {
        Self {
            width,
            height,
            bytes: vec![WHITE; 3 * width as usize * height as usize],
        }
    }

    /// Paints a pixel; those outside are left out.
    fn set(&mut self, x: u32, y: u32, colour: Colour) {
        if x < self.width && y < self.height {
            let at = 3 * (y as usize * self.width as usize + x as usize);
            self.bytes[at..at + 3].copy_from_slice(&colour);
        }
    }

    fn fill(&mut self, (x, y): (u32, u32), (width, height): (u32, u32), colour: Colour) {
        for row in y..y + height {
            for column in x..x + width {
                self.set(column, row, colour);
            }
        }
    }

    fn paint(&mut self, shape: &Shape) {
        match shape {
            &Shape::Bar {
                x,
                y,
                width,
                height,
                colour,
            } => self.fill((x, y), (width, height), colour),
            Shape::Bitmap {
                x,
                y,
                columns,
                dots,
                zoom,
            } => {
                for (row, line) in (0..).zip(dots.chunks_exact(*columns as usize)) {
                    for (column, &dot) in (0..).zip(line) {
                        let place = (x + column * zoom.0, y + row * zoom.1);
                        self.fill(place, *zoom, dot);
                    }
                }
            }
            Shape::Strokes {
                chains,
                width,
                colour,
            } => self.strokes(chains, *width, *colour),
            &Shape::Disc {
                centre,
                radius,
                colour,
            } => self.strokes(&[vec![centre]], 2.0 * radius, colour),
            Shape::Text {
                x,
                y,
                anchor,
                font,
                text,
            } => self.text((*x, *y), *anchor, *font, text),
        }
    }

    /// Lines whose edges are as dark as the part of a pixel that they cover; where they meet, nothing is painted twice.
    fn strokes(&mut self, chains: &[Vec<[f64; 2]>], width: f64, colour: Colour) {
        let reach = width / 2.0 + 1.0;
        // The part of the picture that they reach.
        let [columns, rows] = [(0, self.width), (1, self.height)].map(|(axis, end)| {
            let parts = chains.iter().flatten().map(|place| place[axis]);
            let (low, high) = parts.fold((f64::MAX, 0.0), |(low, high): (f64, f64), part| {
                (low.min(part), high.max(part))
            });
            let low = ((low - reach).max(0.0) as u32).min(end);
            low..((high + reach) as u32 + 1).clamp(low, end)
        });
        let across = columns.len();
        let mut cover = vec![0.0f32; across * rows.len()];
        for chain in chains {
            let single = (chain.len() == 1).then(|| [chain[0]; 2]);
            let pairs = chain.windows(2).map(|pair| [pair[0], pair[1]]);
            for [from, to] in pairs.chain(single) {
                let span = |axis: usize, whole: &Range<u32>| {
                    let (low, high) = (from[axis].min(to[axis]), from[axis].max(to[axis]));
                    let low = ((low - reach).max(0.0) as u32).clamp(whole.start, whole.end);
                    low..((high + reach).max(0.0) as u32 + 1).clamp(low, whole.end)
                };
                for y in span(1, &rows) {
                    for x in span(0, &columns) {
                        let middle = [f64::from(x) + 0.5, f64::from(y) + 0.5];
                        let off = distance(middle, from, to);
                        let part = (width / 2.0 + 0.5 - off).clamp(0.0, 1.0) as f32;
                        let (x, y) = ((x - columns.start) as usize, (y - rows.start) as usize);
                        let place = &mut cover[y * across + x];
                        *place = place.max(part);
                    }
                }
            }
        }
        for (y, line) in rows.zip(cover.chunks_exact(across.max(1))) {
            let start = 3 * (y as usize * self.width as usize + columns.start as usize);
            let pixels = self.bytes[start..].chunks_exact_mut(3);
            for (pixel, part) in pixels.zip(line) {
                for (byte, ink) in pixel.iter_mut().zip(colour) {
                    let mixed = f32::from(*byte) + (f32::from(ink) - f32::from(*byte)) * part;
                    *byte = mixed.round() as u8;
                }
            }
        }
    }

    fn text(&mut self, (x, y): (u32, u32), anchor: Anchor, font: Font, text: &str) {
        let width = text_width(text, font);
        let mut left = match anchor {
            Anchor::Start => x,
            Anchor::Middle => x.saturating_sub(width / 2),
            Anchor::End => x.saturating_sub(width),
        };
        let (weight, height) = letters(font);
        for letter in text.chars() {
            // A file may be called anything, and the font has the letters of Western Europe.
            let raster =
                get_raster(letter, weight, height).or_else(|| get_raster('?', weight, height));
            if let Some(raster) = raster {
                for (row, line) in (y..).zip(raster.rows()) {
                    for (column, &shade) in (left..).zip(line).filter(|(_, shade)| **shade > 0) {
                        self.set(column, row, shaded(shade));
                    }
                }
            }
            left += get_raster_width(weight, height) as u32;
        }
    }
}

/// A letter's colour where it covers so much of a pixel.
fn shaded(shade: u8) -> Colour {
    let mix = |ink: u8| {
        let (ink, shade) = (u32::from(ink), u32::from(shade));
        ((ink * shade + u32::from(WHITE) * (255 - shade)) / 255) as u8
    };
    INK.map(mix)
}
