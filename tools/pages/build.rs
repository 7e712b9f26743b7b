//! Makes a test of every block of Rust in the pages, for `tests/snippets.rs`: its statements in a function that may use `?`.
//! Blocks marked `no_run` are compiled only.

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../..");
    let mut tests = String::new();
    for folder in ["", "docs", "examples", "tools/peers"] {
        let folder = root.join(folder);
        println!("cargo::rerun-if-changed={}", folder.display());
        let mut pages: Vec<PathBuf> = fs::read_dir(&folder)?
            .map(|entry| Ok(entry?.path()))
            .collect::<Result<_, std::io::Error>>()?;
        pages.retain(|page| page.extension().is_some_and(|extension| extension == "md"));
        pages.sort();
        for page in pages {
            println!("cargo::rerun-if-changed={}", page.display());
            let name: String = page
                .strip_prefix(&root)?
                .with_extension("")
                .display()
                .to_string();
            add(&mut tests, &name, &fs::read_to_string(&page)?)?;
        }
    }
    fs::write(Path::new(&env::var("OUT_DIR")?).join("snippets.rs"), tests)?;
    Ok(())
}

/// The tests of a page, each with the line of its block in its name.
fn add(tests: &mut String, name: &str, page: &str) -> Result<(), Box<dyn Error>> {
    let mut lines = page.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        let Some(marks) = line.strip_prefix("```rust") else {
            continue;
        };
        let test = match marks {
            "" => "#[test]",
            ",no_run" => "#[expect(dead_code)]",
            _ => {
                return Err(format!(
                    "{name}.md:{}: rust{marks} is neither run nor only compiled",
                    index + 1
                )
                .into());
            }
        };
        let name: String = name
            .chars()
            .map(|c| {
                if c.is_ascii_alphanumeric() {
                    c.to_ascii_lowercase()
                } else {
                    '_'
                }
            })
            .collect();
        writeln!(
            tests,
            "{test}\nfn {name}_line_{}() -> Result<(), Box<dyn std::error::Error>> {{",
            index + 1
        )?;
        for (_, line) in lines.by_ref().take_while(|(_, line)| *line != "```") {
            writeln!(tests, "{line}")?;
        }
        writeln!(tests, "Ok(())\n}}\n")?;
    }
    Ok(())
}
