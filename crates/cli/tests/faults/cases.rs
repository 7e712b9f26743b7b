//! Every command of the program, on inputs for which it has to work a little.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use sunzi_testkit::Random;

/// A command line without its output.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// Arguments; what starts with `@` is a file of [`write_inputs`], and `<` puts one on standard input.
    pub arguments: &'static str,
    pub output: Output,
}

impl Case {
    /// Whether it can be told how much memory it may take: it reads a file, and has not been told yet.
    pub fn takes_limit(&self) -> bool {
        self.arguments.contains(['@', '<']) && !self.arguments.contains("--max-memory")
    }
}

/// How a command tells what it found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// The same each time.
    Same,
    /// With times or figures of the machine in it.
    Varying,
    /// As a picture, which needs `-o`.
    Picture,
    /// With a sentence that says why it cannot be done.
    Refused,
}

const fn same(arguments: &'static str) -> Case {
    Case {
        arguments,
        output: Output::Same,
    }
}

const fn varying(arguments: &'static str) -> Case {
    Case {
        arguments,
        output: Output::Varying,
    }
}

const fn refused(arguments: &'static str) -> Case {
    Case {
        arguments,
        output: Output::Refused,
    }
}

/// Every command.
pub const CASES: [Case; 58] = [
    same("calc 9^200000//7!"),
    same("int mul @integers @integers"),
    same("int mul @long @long"),
    same("int mul @one @integers --threads 3"),
    same("poly mul @polynomials @polynomials"),
    same("poly mul @polynomials @polynomials --pretty"),
    same("poly mul @residues @residues --mod 469762049"),
    same("poly mul @residues @residues --mod P8"),
    same("poly mul @expression @expression --mod P128"),
    same("poly divrem @residues @short --mod 2^60-2^18+1"),
    same("poly gcd @residues @short --mod P8"),
    same("poly xgcd @residues @short --mod 469762049"),
    same("poly resultant @residues @short --mod 469762049"),
    same("poly eval @short @vector --mod 469762049"),
    same("poly interp @points @vector --mod 469762049"),
    same("dft @vector --mod 469762049"),
    same("dft @vector --mod P8 --inverse"),
    same("dft @odd --mod 469762049"),
    same("det @dense"),
    same("det @dense --mod 2^60-2^18+1"),
    same("det @dense --float"),
    same("det @array --mod P8 --algorithm condensation"),
    same("det @array"),
    same("matrix rank @dense"),
    same("matrix solve @dense @dense"),
    same("matrix inverse @array --mod P8"),
    same("matrix nullspace @dense --mod 469762049"),
    same("matrix rref @dense --mod 2^60-2^18+1"),
    same("matrix mul @array @array"),
    same("sparse generate grid2d:300,300"),
    same("sparse generate rmat:13,8 --permuted"),
    same("sparse generate chessboard:8,8,2 --seed 3"),
    same("sparse info @matrix"),
    same("sparse info @compressed.gz"),
    same("sparse reorder @matrix --method gray"),
    same("sparse reorder @matrix --method rcm --symmetric"),
    same("sparse reorder @matrix --method bipartite"),
    same("sparse reorder @matrix --method bordered --threads 2"),
    same("sparse reorder @matrix --method gray --rows rows --columns columns"),
    same("sparse spmv @matrix"),
    same("sparse spmv @compressed.gz --transpose --mod 469762049"),
    same("sparse cache @matrix"),
    Case {
        arguments: "sparse show @matrix --compare gray",
        output: Output::Picture,
    },
    same("sparse solve @matrix --tolerance 1e-2 --threads 2"),
    varying("solve @curves @curve --digits 200"),
    same("solve @curves @curve --mod 469762049"),
    refused("solve @zero @zero"),
    same("sort @numbers"),
    same("sort @integers --reverse --unique"),
    same("sort @positions --bits sparse"),
    same("sort - <numbers"),
    same("sparse info - <compressed.gz"),
    // A row of megabytes, a matrix without end, a stream that is cut off.
    refused("det @row"),
    refused("sparse info @header --max-memory 1000000000"),
    refused("sort @cut.gz"),
    same("prime 2^60-2^18+1"),
    varying("prime search --digits 8 --bits 60 --two-adicity 312 --count 2"),
    varying("info"),
];

/// Commands that take long, for long runs only.
pub const LONG: [Case; 9] = [
    varying("bench gfp --primes P4 --seconds 0.0001 --out plots"),
    same("int mul @huge @huge"),
    same("poly mul @wide @wide"),
    same("poly mul @wide @wide --mod 2^60-2^18+1"),
    same("dft @many --mod P8"),
    same("sort @many"),
    same("sort @many --order gray --threads 7"),
    same("sparse generate grid3d:80,80,80 --permuted"),
    same("poly eval @wide @odd --mod 2^60-2^18+1"),
];

/// Writes the files of the cases, of the long ones too if they are wanted; the same ones each time.
pub fn write_inputs(folder: &Path, long: bool) {
    let mut random = Random::new(23);
    let mut digits = |count: usize| -> String {
        let digit = |_| char::from(b'1' + (random.word() % 9) as u8);
        (0..count).map(digit).collect()
    };
    let mut lines =
        |counts: &[usize]| -> String { counts.iter().map(|&count| digits(count) + "\n").collect() };
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    let lengths: Vec<usize> = (0..20_000).map(|i| 1 + i % 60).collect();
    write("integers", &lines(&lengths));
    write("long", &lines(&[2_000_000, 300_000]));
    write("one", &lines(&[500]));
    write("vector", &lines(&[8; 1 << 14]));
    write("odd", &lines(&[8; 7 << 9]));
    let points: String = (1..=1 << 14).map(|i| format!("{i}\n")).collect();
    write("points", &points);
    write("expression", "(x+1)^40*(x^2000-3)\n");
    write(
        "curves",
        &"x^5 + 3*x*y^3 - y^4 + 1/2*x - 7\nx^2*y - 5\n".repeat(20),
    );
    write("curve", "(x^2 + y^2)^2 - x^3 + 3*x*y^2 - 1\n");
    write("zero", "x - x\n");
    write("numbers", &lines(&[15; 300_000]));
    let rows = |lines: String, columns: usize| -> String {
        let words: Vec<&str> = lines.lines().collect();
        words
            .chunks(columns)
            .map(|row| row.join(" ") + "\n")
            .collect()
    };
    write("polynomials", &rows(lines(&[30; 12_000]), 3000));
    write("residues", &rows(lines(&[8; 9000]), 3000));
    write("short", &rows(lines(&[8; 3600]), 1200));
    if long {
        write("huge", &lines(&[6_000_000]));
        write("wide", &rows(lines(&[17; 1 << 17]), 1 << 17));
        write("many", &lines(&[15; 1 << 18]));
    }
    write("dense", &rows(lines(&[4; 60 * 60]), 60));
    write("row", &rows(lines(&[3; 1 << 20]), 1 << 20));
    write(
        "header",
        "%%MatrixMarket matrix coordinate real general\n1200000000 1 1\n1 1 1\n",
    );
    write("positions", &rows(positions(), 4));
    let array = "%%MatrixMarket matrix array integer general\n80 80\n";
    write("array", &(array.to_owned() + &lines(&[5; 80 * 80])));
    let (matrix, entries) = grid(250);
    write("matrix", &format!("{matrix}{entries}"));
    let header = matrix.replace("real symmetric", "integer general");
    let whole = entries.replace(".5", "");
    let compressed = compressed(&format!("{header}{whole}"));
    fs::write(folder.join("compressed.gz"), compressed).unwrap();
    let mut cut = self::compressed(&lines(&[15; 100_000]));
    cut.truncate(cut.len() - 1);
    fs::write(folder.join("cut.gz"), cut).unwrap();
}

/// A text, compressed.
fn compressed(text: &str) -> Vec<u8> {
    let mut compressed = GzEncoder::new(Vec::new(), Compression::fast());
    compressed.write_all(text.as_bytes()).unwrap();
    compressed.finish().unwrap()
}

/// Positions of ones, none twice in four of them.
fn positions() -> String {
    let mut random = Random::new(29);
    let mut position = |i: u64| format!("{}\n", (random.word() % 10_000) * 4 + i % 4);
    (0..80_000).map(&mut position).collect()
}

/// Finite differences on a square grid: positive definite. The header, and the entries on and below the diagonal.
fn grid(side: usize) -> (String, String) {
    let mut entries = String::new();
    let mut count = 0;
    for row in 1..=side * side {
        let mut entry = |column: usize, value: &str| {
            entries.push_str(&format!("{row} {column} {value}\n"));
            count += 1;
        };
        entry(row, "4.5");
        if row % side != 1 {
            entry(row - 1, "-1");
        }
        if row > side {
            entry(row - side, "-1");
        }
    }
    let size = side * side;
    let header =
        format!("%%MatrixMarket matrix coordinate real symmetric\n{size} {size} {count}\n");
    (header, entries)
}
