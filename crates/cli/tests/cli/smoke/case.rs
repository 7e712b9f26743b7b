//! The table of cases, read: its head says what the lines mean.

/// Runs of the program in one folder.
#[derive(Debug, Default)]
pub struct Case {
    pub title: String,
    /// What it cannot be run without.
    pub need: String,
    pub steps: Vec<Step>,
}

/// A line of a case, and what belongs to it.
#[derive(Debug)]
pub enum Step {
    Variable(String, String),
    Write(String, String),
    Run(Run),
    Same(String, String),
    Begins(String, String),
    Holds(String, String),
    None(String),
}

/// A run of the program, and what it must do.
#[derive(Debug, Default)]
pub struct Run {
    pub words: Vec<String>,
    pub input: Option<String>,
    pub output: Option<String>,
    pub code: i32,
    /// All lines that it prints, if they are told.
    pub lines: Vec<String>,
    /// Parts of what it prints.
    pub parts: Vec<String>,
    /// Parts of what it says on standard error.
    pub said: Vec<String>,
    /// Whether it may also say nothing.
    pub silent: bool,
    /// Programs that read what it prints.
    pub readers: Vec<Vec<String>>,
}

/// The cases of a table.
pub fn read(table: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    for line in table.lines().map(str::trim) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some((title, need)) = line.strip_prefix('[').and_then(|head| head.split_once(']')) {
            cases.push(Case {
                title: title.to_owned(),
                need: need.trim().to_owned(),
                ..Case::default()
            });
            continue;
        }
        let steps = &mut cases
            .last_mut()
            .expect("a case begins with its title")
            .steps;
        if !belongs_to_run(steps, line) {
            steps.push(step(line));
        }
    }
    cases
}

/// Takes a line that tells more of the last run; whether it does.
fn belongs_to_run(steps: &mut [Step], line: &str) -> bool {
    let (sign, rest) = parted(line);
    if !["=", "~", "|", "says", "may", "fails"].contains(&sign) {
        return false;
    }
    let Some(Step::Run(run)) = steps.last_mut() else {
        panic!("no run before this line: {line}");
    };
    match sign {
        "=" => run.lines.push(rest.to_owned()),
        "~" => run.parts.push(rest.to_owned()),
        "|" => run
            .readers
            .push(rest.split(' ').map(str::to_owned).collect()),
        "says" => run.said.push(rest.to_owned()),
        "may" => {
            run.silent = true;
            run.said.push(rest.to_owned());
        }
        _ => run.code = rest.parse().expect("an exit code"),
    }
    true
}

fn step(line: &str) -> Step {
    let (word, rest) = parted(line);
    let (file, more) = parted(rest);
    let two = || (file.to_owned(), more.to_owned());
    match word {
        "$" => Step::Run(run(rest)),
        "env" => {
            let (name, value) = two();
            Step::Variable(name, value)
        }
        "line" => Step::Write(file.to_owned(), format!("{more}\n")),
        "column" => Step::Write(file.to_owned(), numbers(more, "\n") + "\n"),
        "row" => Step::Write(file.to_owned(), numbers(more, " ") + "\n"),
        "same" => {
            let (one, other) = two();
            Step::Same(one, other)
        }
        "begins" => {
            let (whole, beginning) = two();
            Step::Begins(whole, beginning)
        }
        "holds" => {
            let (place, text) = two();
            Step::Holds(place, text)
        }
        "none" => Step::None(file.to_owned()),
        _ => panic!("what is this line? {line}"),
    }
}

/// The first word of a line, and what follows it.
fn parted(line: &str) -> (&str, &str) {
    line.split_once(' ').unwrap_or((line, ""))
}

fn run(words: &str) -> Run {
    let mut run = Run::default();
    let mut words = words.split(' ').map(str::to_owned);
    while let Some(word) = words.next() {
        match &*word {
            "<" => run.input = words.next(),
            ">" => run.output = words.next(),
            _ => run.words.push(word),
        }
    }
    run
}

/// The numbers `FIRST STEP LAST`.
fn numbers(range: &str, between: &str) -> String {
    let range: Vec<i64> = range
        .split(' ')
        .map(|number| number.parse().expect("a number"))
        .collect();
    let [first, step, last] = range[..] else {
        panic!("FIRST STEP LAST, not {range:?}");
    };
    let inside = |&number: &i64| (last - number) * step.signum() >= 0;
    let all: Vec<_> = std::iter::successors(Some(first), |number| Some(number + step))
        .take_while(inside)
        .map(|number| number.to_string())
        .collect();
    all.join(between)
}
