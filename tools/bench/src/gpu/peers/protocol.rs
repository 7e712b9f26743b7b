//! What a peer's program is asked, and what it answers.
//!
//! A program is called with five arguments: `ntt WORD LOG2_POINTS BATCH SECONDS`, or `multiply 32 WORDS BATCH SECONDS`
//! for products of two operands of so many words. Among what it prints, lines that begin with `peer` and a tab are its
//! answer. Their fields are separated by tabs:
//!
//! - `peer time TASK WORD SIZE BATCH MEDIAN QUARTILE1 QUARTILE3 VERDICT DEVICE HOW`, where TASK is `forward`, `inverse` or
//!   `multiply`, SIZE is as it was asked, times are seconds for the whole batch, VERDICT is `checked`, `unchecked` or
//!   `reference` ([`Verdict`]), and HOW says in words what was computed;
//! - `peer cannot REASON`, where it does nothing of that kind.
//!
//! `tools/peers/gpu/README.md` tells it to those who write such programs.

use serde::Serialize;
use std::ops::RangeInclusive;
use sunzi_measure::Timing;

/// The fields of a line with a time.
const FIELDS: usize = 12;
/// The times in seconds that can be; others are nonsense, or in other units.
const POSSIBLE: RangeInclusive<f64> = 1e-12..=1e9;
/// Characters of a text by a peer that are shown at most.
const LONGEST: usize = 200;

/// Characters that break lines or turn the direction of a text, and are no control characters.
const DIRECTING: [char; 13] = [
    '\u{200e}', '\u{200f}', '\u{2028}', '\u{2029}', '\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}',
    '\u{202e}', '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}',
];

/// What is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// Transforms.
    Forward,
    /// Transforms back.
    Inverse,
    /// Products of integers.
    Multiply,
}

impl Task {
    const ALL: [Self; 3] = [Self::Forward, Self::Inverse, Self::Multiply];

    const fn name(self) -> &'static str {
        match self {
            Self::Forward => "forward",
            Self::Inverse => "inverse",
            Self::Multiply => "multiply",
        }
    }

    /// The name by which a program is asked: one call measures both directions.
    const fn question(self) -> &'static str {
        match self {
            Self::Forward | Self::Inverse => "ntt",
            Self::Multiply => "multiply",
        }
    }
}

/// What a time is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The program compared its result with something.
    Checked,
    /// It did not.
    Unchecked,
    /// It does something else, which moves as many bytes.
    Reference,
}

impl Verdict {
    const ALL: [(Self, &str); 3] = [
        (Self::Checked, "checked"),
        (Self::Unchecked, "unchecked"),
        (Self::Reference, "reference"),
    ];
}

/// What a peer is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    pub task: Task,
    /// Bits of a word.
    pub word: u32,
    /// log2 of the points, or words of an operand.
    pub size: u64,
    pub batch: u64,
}

impl Request {
    /// The arguments of the program.
    pub fn arguments(&self, seconds: f64) -> [String; 5] {
        [
            self.task.question().to_owned(),
            self.word.to_string(),
            self.size.to_string(),
            self.batch.to_string(),
            seconds.to_string(),
        ]
    }

    /// Whether one call of a program answers both.
    pub fn is_asked_with(&self, other: &Self) -> bool {
        let question = |request: &Self| {
            (
                request.task.question(),
                request.word,
                request.size,
                request.batch,
            )
        };
        question(self) == question(other)
    }
}

/// What a program measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Time {
    pub task: Task,
    pub timing: Timing,
    pub verdict: Verdict,
    /// What it ran on.
    pub device: String,
    /// What it computed, in words.
    pub how: String,
}

/// What a program says to a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    Times(Vec<Time>),
    /// It does nothing of that kind, for this reason.
    Cannot(String),
}

/// Reads what a program printed; or says what is wrong with it.
pub fn answer(request: &Request, printed: &str) -> Result<Answer, String> {
    let mut times: Vec<Time> = Vec::new();
    for line in printed.lines() {
        let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
        match fields[..] {
            ["peer", "cannot", reason] if times.is_empty() => {
                return Ok(Answer::Cannot(shown(reason)));
            }
            ["peer", "time", ..] => {
                let time = time(request, &fields)
                    .map_err(|problem| format!("{problem} in `{}`", shown(line)))?;
                if times.iter().any(|other| other.task == time.task) {
                    return Err(format!("{} was answered twice", time.task.name()));
                }
                times.push(time);
            }
            ["peer", ..] => return Err(format!("`{}` is no answer", shown(line))),
            // Libraries may talk.
            _ => {}
        }
    }
    if times.is_empty() {
        return Err("no line begins with `peer` and a tab".to_owned());
    }
    Ok(Answer::Times(times))
}

/// The time in a line.
fn time(request: &Request, fields: &[&str]) -> Result<Time, String> {
    let &[
        _,
        _,
        task,
        word,
        size,
        batch,
        median,
        quartile1,
        quartile3,
        verdict,
        device,
        how,
    ] = fields
    else {
        return Err(format!(
            "there are {} fields instead of {FIELDS}",
            fields.len()
        ));
    };
    let known = Task::ALL.into_iter().find(|known| known.name() == task);
    let task = known.ok_or_else(|| format!("`{}` is no task", shown(task)))?;
    let told = Request {
        task,
        word: number(word)?,
        size: number(size)?,
        batch: number(batch)?,
    };
    if !told.is_asked_with(request) {
        return Err("something else was asked".to_owned());
    }
    let seconds = |text: &str| match text.parse::<f64>() {
        Ok(seconds) if POSSIBLE.contains(&seconds) => Ok(seconds),
        _ => Err(format!(
            "`{}` is no time between 1e-12 and 1e9 s",
            shown(text)
        )),
    };
    let timing = Timing {
        median: seconds(median)?,
        quartile1: seconds(quartile1)?,
        quartile3: seconds(quartile3)?,
    };
    if !(timing.quartile1 <= timing.median && timing.median <= timing.quartile3) {
        return Err("the median is not between the quartiles".to_owned());
    }
    let known = Verdict::ALL.iter().find(|(_, name)| *name == verdict);
    let &(verdict, _) = known.ok_or_else(|| format!("`{}` is no verdict", shown(verdict)))?;
    if device.is_empty() {
        return Err("the device has no name".to_owned());
    }
    Ok(Time {
        task,
        timing,
        verdict,
        device: shown(device),
        how: shown(how),
    })
}

fn number<N: std::str::FromStr>(text: &str) -> Result<N, String> {
    text.parse()
        .map_err(|_| format!("`{}` is no such number", shown(text)))
}

/// A text by others as it can be shown: one line, not too long, nothing that a terminal obeys.
pub fn shown(text: &str) -> String {
    let clean = |c: char| {
        let obeyed = c.is_control() || DIRECTING.contains(&c);
        if obeyed { ' ' } else { c }
    };
    let text: String = text.chars().take(LONGEST).map(clean).collect();
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORWARD: Request = Request {
        task: Task::Forward,
        word: 32,
        size: 10,
        batch: 4,
    };

    fn line(task: &str, rest: &str) -> String {
        format!("peer time {task} 32 10 4 {rest}").replace(' ', "\t")
    }

    #[test]
    fn a_program_is_asked_for_both_directions_at_once() {
        assert_eq!(FORWARD.arguments(0.25), ["ntt", "32", "10", "4", "0.25"]);
        let inverse = Request {
            task: Task::Inverse,
            ..FORWARD
        };
        assert!(FORWARD.is_asked_with(&inverse));
        for other in [
            Request {
                size: 11,
                ..FORWARD
            },
            Request {
                word: 64,
                ..FORWARD
            },
            Request {
                batch: 1,
                ..FORWARD
            },
            Request {
                task: Task::Multiply,
                ..FORWARD
            },
        ] {
            assert!(!FORWARD.is_asked_with(&other), "{other:?}");
        }
    }

    #[test]
    fn times_are_found_among_what_libraries_say() {
        let printed = format!(
            "loading\n{}\npeers are fine\n{}\n",
            line("forward", "2e-6 1e-6 3e-6 checked H100 in-order"),
            line("inverse", "2e-6 2e-6 2e-6 unchecked H100 \u{1b}[31m")
        );
        let Ok(Answer::Times(times)) = answer(&FORWARD, &printed) else {
            panic!("{printed}");
        };
        assert_eq!(times.len(), 2);
        assert_eq!(
            (times[0].task, times[1].task),
            (Task::Forward, Task::Inverse)
        );
        assert_eq!(times[0].timing.quartile3, 3e-6);
        assert_eq!(
            (times[0].device.as_str(), times[0].how.as_str()),
            ("H100", "in-order")
        );
        assert_eq!(
            (times[0].verdict, times[1].verdict),
            (Verdict::Checked, Verdict::Unchecked)
        );
        assert_eq!(times[1].how, "[31m");
        assert_eq!(
            answer(&FORWARD, "peer\tcannot\ttoo long\n"),
            Ok(Answer::Cannot("too long".to_owned()))
        );
    }

    #[test]
    fn texts_neither_break_lines_nor_turn_them() {
        for c in DIRECTING.into_iter().chain(['\n', '\u{1b}']) {
            assert_eq!(shown(&format!("H{c}100{c}")), "H 100", "{c:?}");
        }
        assert_eq!(shown("Größe 算"), "Größe 算");
    }

    #[test]
    fn what_is_no_answer_is_told() {
        let good = line("forward", "2e-6 1e-6 3e-6 checked H100 -");
        assert!(answer(&FORWARD, &good).is_ok());
        for (printed, problem) in [
            (String::new(), "no line begins with `peer`"),
            ("hello\n".to_owned(), "no line begins with `peer`"),
            ("peer\thello".to_owned(), "`peer hello` is no answer"),
            (format!("{good}\n{good}"), "forward was answered twice"),
            (
                line("forward", "1 1 1 checked H100"),
                "11 fields instead of 12",
            ),
            (
                line("square", "1 1 1 checked H100 -"),
                "`square` is no task",
            ),
            (
                line("multiply", "1 1 1 checked H100 -"),
                "something else was asked",
            ),
            (good.replace("\t10\t", "\t11\t"), "something else was asked"),
            (good.replace("\t10\t", "\tten\t"), "`ten` is no such number"),
            (
                line("forward", "1e-300 1e-300 1e-300 checked H100 -"),
                "`1e-300` is no time",
            ),
            (
                line("forward", "1e300 1 1e300 checked H100 -"),
                "`1e300` is no time",
            ),
            (line("forward", "0 0 0 checked H100 -"), "`0` is no time"),
            (
                line("forward", "nan 1 1 checked H100 -"),
                "`nan` is no time",
            ),
            (
                line("forward", "inf 1 1 checked H100 -"),
                "`inf` is no time",
            ),
            (
                line("forward", "1 2 3 checked H100 -"),
                "not between the quartiles",
            ),
            (line("forward", "1 1 1 yes H100 -"), "`yes` is no verdict"),
            (line("forward", "1 1 1 checked  -"), "no name"),
        ] {
            let said = answer(&FORWARD, &printed).unwrap_err();
            assert!(said.contains(problem), "{printed:?}: {said}");
        }
    }
}
