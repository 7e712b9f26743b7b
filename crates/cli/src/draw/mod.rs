//! Pictures of the patterns of sparse matrices, of curves, and of programs.
//!
//! A picture is laid out once, as a list of shapes ([`pattern`], [`curves`], [`flowchart`]), and then written as PNG or as SVG.

pub mod curves;
pub mod flowchart;
pub mod pattern;
mod png;
mod svg;

/// What formats there are, by the ends of file names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Png,
    Svg,
}

/// Red, green and blue.
type Colour = [u8; 3];

/// The colour of letters and frames.
const INK: Colour = [40, 40, 40];

const WHITE: Colour = [255; 3];

/// Room on all sides.
const MARGIN: u32 = 20;

/// Pixels from an axis to the end of its ticks.
const TICK: u32 = 6;

/// Shapes in the order in which they are painted, on white.
#[derive(Debug, Default)]
pub struct Drawing {
    width: u32,
    height: u32,
    shapes: Vec<Shape>,
}

/// Places count in pixels from the left upper corner.
#[derive(Debug)]
enum Shape {
    /// A filled rectangle; a line, if it is thin.
    Bar {
        x: u32,
        y: u32,
        width: u32,
        height: u32,
        colour: Colour,
    },
    /// A picture in a picture, row by row; each of its dots is this many pixels wide and high.
    Bitmap {
        x: u32,
        y: u32,
        columns: u32,
        dots: Vec<Colour>,
        zoom: (u32, u32),
    },
    /// Lines through the places of each chain, with round ends; of one place a dot is left.
    Strokes {
        chains: Vec<Vec<[f64; 2]>>,
        width: f64,
        colour: Colour,
    },
    Disc {
        centre: [f64; 2],
        radius: f64,
        colour: Colour,
    },
    /// A line of text; y is its upper edge.
    Text {
        x: u32,
        y: u32,
        anchor: Anchor,
        font: Font,
        text: String,
    },
}

/// Which part of a text stands at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Anchor {
    Start,
    Middle,
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Font {
    Heading,
    Plain,
}

impl Font {
    /// The height of a line in pixels.
    const fn height(self) -> u32 {
        match self {
            Self::Heading => 20,
            Self::Plain => 16,
        }
    }
}

/// Ends of names of pictures that are not drawn.
const OTHER_PICTURES: [&str; 11] = [
    "pdf", "jpg", "jpeg", "gif", "bmp", "eps", "ps", "tif", "tiff", "webp", "tikz",
];

impl Format {
    /// Whether the name is that of a picture in another format.
    pub fn is_other(path: &std::path::Path) -> bool {
        let end = path.extension().and_then(|end| end.to_str());
        end.is_some_and(|end| {
            OTHER_PICTURES
                .iter()
                .any(|other| end.eq_ignore_ascii_case(other))
        })
    }

    /// The format of a file of this name, if it has one.
    pub fn of(path: &std::path::Path) -> Option<Self> {
        let end = path.extension()?.to_str()?.to_ascii_lowercase();
        match end.as_str() {
            "png" => Some(Self::Png),
            "svg" => Some(Self::Svg),
            _ => None,
        }
    }
}

impl Drawing {
    fn text(&mut self, [x, y]: [u32; 2], anchor: Anchor, font: Font, text: impl Into<String>) {
        self.shapes.push(Shape::Text {
            x,
            y,
            anchor,
            font,
            text: text.into(),
        });
    }

    fn bar(&mut self, [x, y]: [u32; 2], [width, height]: [u32; 2], colour: Colour) {
        self.shapes.push(Shape::Bar {
            x,
            y,
            width,
            height,
            colour,
        });
    }

    fn disc(&mut self, centre: [f64; 2], radius: f64, colour: Colour) {
        self.shapes.push(Shape::Disc {
            centre,
            radius,
            colour,
        });
    }

    /// A frame around a field, not over it.
    fn frame(&mut self, [x, y]: [u32; 2], [width, height]: [u32; 2]) {
        self.bar([x - 1, y - 1], [width + 2, 1], INK);
        self.bar([x - 1, y + height], [width + 2, 1], INK);
        self.bar([x - 1, y - 1], [1, height + 2], INK);
        self.bar([x + width, y - 1], [1, height + 2], INK);
    }

    /// The file's bytes, or why there are none.
    pub fn encode(&self, format: Format) -> Result<Vec<u8>, String> {
        match format {
            Format::Png => png::encode(self),
            Format::Svg => svg::encode(self).map(String::into_bytes),
        }
    }
}
