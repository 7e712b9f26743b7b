//! The page `docs/papers.md`.

use super::registry::{Paper, Registry};

const HEAD: &str = "# The papers

Sunzi implements algorithms of the papers below. For each paper, this page says where its sections and algorithms are in the code, and
how each of its tables and figures is measured here. It is written by `sunzi paper page` from the files in
[tools/bench/papers](../tools/bench/papers), which also hold the papers' numbers; `sunzi paper list` tells the same.

    sunzi paper 2021-table-3.4                  # at the paper's sizes; its numbers beside ours, with machine and date
    sunzi paper 2021-table-3.4 --quick          # few and small sizes, seconds
    sunzi paper 2013-table-9.1 --device cuda    # on a device
    sunzi paper list --json

The program `sunzi-bench` measures (`cargo build --release -p sunzi-bench`; it is built with GMP, which takes a C compiler, unless
`--no-default-features` is given: then GMP's columns are empty). The numbers are saved as `papers/ID.csv`, and as `papers/ID.svg` where they
make a plot; `--out` names another folder. Times of a device are those of the device at hand: an OpenCL that runs on the processor
computes the same, but its times say nothing of a GPU, and the output says so.

*Missing, or different* says what keeps a table from being measured as the paper did. An entry without any command is missing
altogether.
";

/// The page.
pub fn text(registry: &Registry) -> String {
    let mut text = HEAD.to_owned();
    for paper in &registry.papers {
        of_paper(&mut text, paper);
    }
    text.push_str(
        "\n## Errors in print\n\nFound when the tables were compared with each other, and the algorithms implemented:\n\n\
         | paper | place | it says | but |\n|---|---|---|---|\n",
    );
    for paper in &registry.papers {
        for error in &paper.misprints {
            let cells = [&paper.paper.id, &error.place, &error.says, &error.should];
            row(&mut text, &cells.map(String::as_str));
        }
    }
    text
}

fn of_paper(text: &mut String, paper: &Paper) {
    text.push_str(&format!(
        "\n## {}\n\n{}.\n\n",
        paper.paper.id, paper.paper.title
    ));
    text.push_str("| section | what | crate | code | command |\n|---|---|---|---|---|\n");
    for place in &paper.places {
        let command = format!("`{}`", place.command);
        row(
            text,
            &[
                &place.section,
                &place.what,
                &place.crates,
                &place.code,
                &command,
            ],
        );
    }
    text.push_str(
        "\n| table or figure | what | section | how it is measured | missing, or different |\n|---|---|---|---|---|\n",
    );
    for entry in &paper.entries {
        let lacks = match (&entry.lacks, &entry.explains) {
            (Some(lacks), _) => lacks,
            (None, Some(explains)) => explains,
            (None, None) => "",
        };
        row(
            text,
            &[&entry.id, &entry.title, &entry.section, &entry.way(), lacks],
        );
    }
}

fn row(text: &mut String, cells: &[&str]) {
    text.push_str(&format!("| {} |\n", cells.join(" | ")));
}
