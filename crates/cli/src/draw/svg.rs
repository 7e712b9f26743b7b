//! Pictures as SVG: lines and letters as such, patterns as pictures within.

use super::{Anchor, Drawing, Font, Shape, png};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;

/// The text of the file.
pub fn encode(drawing: &Drawing) -> Result<String, String> {
    let (width, height) = (drawing.width, drawing.height);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for shape in &drawing.shapes {
        let line = element(shape)?;
        text.push_str(&line);
        text.push('\n');
    }
    text.push_str("</svg>\n");
    Ok(text)
}

fn element(shape: &Shape) -> Result<String, String> {
    Ok(match shape {
        Shape::Bar {
            x,
            y,
            width,
            height,
            colour: [red, green, blue],
        } => format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" \
             fill=\"#{red:02x}{green:02x}{blue:02x}\"/>"
        ),
        Shape::Bitmap {
            x,
            y,
            columns,
            dots,
            zoom,
        } => {
            let rows = dots.len() as u32 / (*columns).max(1);
            let data = BASE64_STANDARD.encode(png::encode_dots(*columns, dots)?);
            format!(
                "<image x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" \
                 style=\"image-rendering:pixelated\" href=\"data:image/png;base64,{data}\"/>",
                columns * zoom.0,
                rows * zoom.1,
            )
        }
        Shape::Strokes {
            chains,
            width,
            colour: [red, green, blue],
        } => format!(
            "<path d=\"{}\" fill=\"none\" stroke=\"#{red:02x}{green:02x}{blue:02x}\" stroke-width=\"{width}\" \
             stroke-linecap=\"round\" stroke-linejoin=\"round\"/>",
            chains.iter().map(|chain| path(chain)).collect::<String>()
        ),
        Shape::Disc {
            centre: [x, y],
            radius,
            colour: [red, green, blue],
        } => format!(
            "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{radius}\" fill=\"#{red:02x}{green:02x}{blue:02x}\"/>"
        ),
        Shape::Text {
            x,
            y,
            anchor,
            font,
            text,
        } => {
            let anchor = match anchor {
                Anchor::Start => "start",
                Anchor::Middle => "middle",
                Anchor::End => "end",
            };
            let weight = match font {
                Font::Heading => " font-weight=\"bold\"",
                Font::Plain => "",
            };
            // Letters stand on their line, a little above the lower edge.
            let line = y + font.height() * 4 / 5;
            let size = font.height() - 3;
            format!(
                "<text x=\"{x}\" y=\"{line}\" text-anchor=\"{anchor}\" font-family=\"sans-serif\" \
                 font-size=\"{size}\" fill=\"#282828\"{weight}>{}</text>",
                escaped(text)
            )
        }
    })
}

/// A line through places.
fn path(chain: &[[f64; 2]]) -> String {
    let place = |(index, [x, y]): (usize, &[f64; 2])| {
        format!("{}{x:.2} {y:.2}", if index == 0 { "M" } else { "L" })
    };
    let mut path: String = chain.iter().enumerate().map(place).collect();
    if chain.len() == 1 {
        // A line without length has round ends, too.
        path.push_str("h0");
    }
    path
}

/// Text in which nothing is taken for markup.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            // What XML has no room for.
            letter if letter.is_control() => escaped.push('?'),
            letter => escaped.push(letter),
        }
    }
    escaped
}
