//! Where the bands of a matrix lie in a file.

/// Which bands a pass takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bands {
    Rows,
    Columns,
}

/// How a matrix lies in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Row by row.
    RowMajor,
    /// As tiles, each of the rows of a band of rows and the columns of a band of columns, row by row; the tiles of a band of columns one
    /// after the other. So a band of columns is one run, and a band of rows one run for each band of columns.
    Tiles,
}

/// A matrix in a file, whose bands have lengths that divide its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Matrix {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// Rows of a band of rows, and of a tile.
    pub(crate) band_rows: usize,
    /// Columns of a band of columns, and of a tile.
    pub(crate) band_columns: usize,
    /// Bytes of an element in the file.
    pub(crate) element: usize,
    /// Where the first element lies.
    pub(crate) start: u64,
    pub(crate) layout: Layout,
    /// How many elements the file has, row by row: those behind them are zeros that are not written.
    pub(crate) elements: usize,
}

/// Bytes that lie in a file one after the other, and in memory as pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// Where it begins in the file.
    pub(crate) at: u64,
    /// Where the first piece begins in memory.
    pub(crate) memory: usize,
    /// Bytes of a piece.
    pub(crate) piece: usize,
    /// From one piece to the next in memory.
    pub(crate) stride: usize,
    pub(crate) pieces: usize,
    /// The number of the tile that it is.
    pub(crate) tile: usize,
}

impl Matrix {
    /// How many bands there are.
    pub(crate) fn count(&self, bands: Bands) -> usize {
        match bands {
            Bands::Rows => self.rows / self.band_rows,
            Bands::Columns => self.columns / self.band_columns,
        }
    }

    /// Elements of a band.
    pub(crate) fn band_elements(&self, bands: Bands) -> usize {
        match bands {
            Bands::Rows => self.band_rows * self.columns,
            Bands::Columns => self.rows * self.band_columns,
        }
    }

    /// Bytes of a tile.
    pub(crate) fn tile_bytes(&self) -> usize {
        self.band_rows * self.band_columns * self.element
    }

    /// Bytes of all elements that the file has.
    pub(crate) fn bytes(&self) -> u64 {
        self.elements as u64 * self.element as u64
    }

    /// Whether the file has fewer elements than the matrix.
    pub(crate) fn is_short(&self) -> bool {
        self.elements < self.rows * self.columns
    }

    /// How many tiles there are.
    pub(crate) fn tiles(&self) -> usize {
        self.count(Bands::Rows) * self.count(Bands::Columns)
    }

    /// How many of some bytes, from a place on, the file has.
    fn held(&self, place: usize, bytes: usize) -> usize {
        bytes.min((self.elements * self.element).saturating_sub(place))
    }

    /// The runs of a band, which is in memory row by row.
    pub(crate) fn runs(&self, bands: Bands, band: usize) -> Vec<Run> {
        let element = self.element;
        let (across, down) = (self.count(Bands::Columns), self.count(Bands::Rows));
        let row = self.columns * element;
        let tile_row = self.band_columns * element;
        let tile = self.band_rows * tile_row;
        let at = |bytes: usize| self.start + bytes as u64;
        let whole = |number: usize, at: u64, memory: usize, bytes: usize| Run {
            at,
            memory,
            piece: bytes,
            stride: bytes,
            pieces: 1,
            tile: number,
        };
        match (self.layout, bands) {
            (Layout::RowMajor, Bands::Rows) => {
                let bytes = self.band_rows * row;
                let run = whole(band, at(band * bytes), 0, self.held(band * bytes, bytes));
                Vec::from_iter((run.piece > 0).then_some(run))
            }
            (Layout::RowMajor, Bands::Columns) => (0..self.rows)
                .map(|i| {
                    let place = i * row + band * tile_row;
                    whole(i, at(place), i * tile_row, self.held(place, tile_row))
                })
                .take_while(|run| run.piece > 0)
                .collect(),
            (Layout::Tiles, Bands::Columns) => (0..down)
                .map(|r| {
                    whole(
                        band * down + r,
                        at((band * down + r) * tile),
                        r * tile,
                        tile,
                    )
                })
                .collect(),
            (Layout::Tiles, Bands::Rows) => (0..across)
                .map(|b| Run {
                    at: at((b * down + band) * tile),
                    memory: b * tile_row,
                    piece: tile_row,
                    stride: row,
                    pieces: self.band_rows,
                    tile: b * down + band,
                })
                .collect(),
        }
    }
}

impl Run {
    /// The pieces in memory.
    pub(crate) fn pieces<'a>(&self, memory: &'a [u8]) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let piece = self.piece;
        let strides = memory[self.memory..].chunks(self.stride);
        strides
            .take(self.pieces)
            .map(move |stride| &stride[..piece])
    }

    /// The same, to be changed.
    pub(crate) fn pieces_mut<'a>(
        &self,
        memory: &'a mut [u8],
    ) -> impl Iterator<Item = &'a mut [u8]> + use<'a> {
        let piece = self.piece;
        let strides = memory[self.memory..].chunks_mut(self.stride);
        strides
            .take(self.pieces)
            .map(move |stride| &mut stride[..piece])
    }
}
