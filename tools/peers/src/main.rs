//! Measures Sunzi against its peers: `cargo run --release -- --help` tells how.

mod contender;
mod flint;
mod gmp_fft;
mod known_products;
mod machine;
mod options;
mod order_side;
mod parallel;
mod plot;
mod poly_side;
mod programs;
mod report;
mod residues;
mod sample;
mod saved;
mod sections;
mod sort_side;
mod summary;
mod sunzi_side;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::Parser;
use rayon::ThreadPoolBuilder;
use sunzi_measure::{Clock, Work, in_turn};

use contender::{Agreement, Case, Setup, work};
use options::{Command, Invocation, Options};
use report::{Measured, PeerTiming};
use saved::{SUNZI, Saved};

/// FLINT and GMP put scratch space on the stack of whatever thread calls them.
const STACK_BYTES: usize = 64 << 20;

fn main() -> ExitCode {
    let invocation = Invocation::parse();
    let done = match &invocation.command {
        None => measure_all(&invocation.options),
        Some(Command::Plot { csv, out }) => {
            Saved::read(csv).and_then(|saved| plot::draw_all(&saved, out))
        }
        Some(Command::Summary { csv, page }) => {
            Saved::read(csv).and_then(|saved| summary::rewrite(&saved, page))
        }
        Some(Command::Differential(options)) => sections::differential::run(options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("peers: {sentence}");
            ExitCode::FAILURE
        }
    }
}

fn measure_all(options: &Options) -> Result<(), String> {
    let threads = usize::from(options.threads);
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK_BYTES)
        .build()
        .map_err(|error| format!("no pool of {threads} threads: {error}"))?;
    flint::set_threads(threads);

    let cases = sections::cases(options);
    if cases.is_empty() {
        return Err("no case matches".into());
    }
    let mut all = Vec::with_capacity(cases.len());
    let mut failures = 0;
    for case in &cases {
        // A case that fails is told and counted, and does not cost the others.
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            if case.section == "threads" {
                // Its contenders bring their own pools.
                measure_case(case, options, Clock::Wall)
            } else {
                pool.install(|| measure_case(case, options, Clock::for_threads(threads)))
            }
        }));
        match outcome.unwrap_or_else(|_| Err(format!("{case}: panicked"))) {
            Ok(measured) => {
                print!("{}", measured.lines());
                all.push(measured);
            }
            Err(sentence) => {
                eprintln!("peers: {sentence}");
                failures += 1;
            }
        }
    }
    print!("{}", report::size_tables(&all));
    print!("{}", report::count_tables(&all));
    print!("{}", report::mean_lines(&report::means(&all)));

    let facts = machine::facts();
    if let Some(path) = &options.save {
        let command = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
        let page = report::markdown(
            &facts,
            &format!("cargo run --release -- {command}"),
            threads,
            &all,
        );
        report::save(path, &page).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    if let Some(path) = &options.csv {
        saved::text(&facts, threads, &all)
            .map_err(|error| error.to_string())
            .and_then(|text| report::save(path, &text).map_err(|error| error.to_string()))
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    match failures {
        0 => Ok(()),
        _ => Err(format!("{failures} of {} cases failed", cases.len())),
    }
}

/// Builds a case, checks that all agree, and measures them in turn.
fn measure_case(case: &Case, options: &Options, clock: Clock) -> Result<Measured, String> {
    let mut entrants = (case.build)(Setup {
        with_sunzi: !options.peers_only,
        threads: usize::from(options.threads),
    });
    check(case, &mut entrants)?;

    let own = entrants.sunzi.iter().map(|own| (SUNZI, own.counts()));
    let others = entrants.peers.iter();
    let others = others.map(|peer| (peer.name, peer.contender.counts()));
    let counts = own.chain(others).collect();
    let own = entrants.sunzi.iter_mut();
    let peers = entrants.peers.iter_mut().map(|peer| &mut peer.contender);
    let mut works: Vec<Work> = own.chain(peers).map(|who| work(&mut **who)).collect();
    let mut timings = in_turn(&mut works, clock, options.budget).into_iter();
    drop(works);
    let sunzi = entrants.sunzi.is_some().then(|| timings.next()).flatten();
    let peers = entrants
        .peers
        .iter()
        .zip(timings)
        .map(|(peer, timing)| PeerTiming {
            name: peer.name,
            timing,
            counts: peer.agreement != Agreement::Reference,
        })
        .collect();
    Ok(Measured {
        section: case.section,
        group: case.group,
        case: case.name.clone(),
        size: case.size,
        sunzi,
        peers,
        counts,
    })
}

/// Runs everyone once, and compares the results: with Sunzi's, or else among the peers.
fn check(case: &Case, entrants: &mut contender::Entrants) -> Result<(), String> {
    let mut expected: Option<Vec<u64>> = None;
    if let Some(sunzi) = &mut entrants.sunzi {
        sunzi.run(1);
        expected = Some(sunzi.output());
    }
    for peer in &mut entrants.peers {
        peer.contender.run(1);
        if matches!(
            peer.agreement,
            Agreement::Reference | Agreement::CheckedBefore
        ) {
            continue;
        }
        let mut found = peer.contender.output();
        let Some(expected) = &mut expected else {
            expected = Some(found);
            continue;
        };
        if peer.agreement == Agreement::AnyOrder {
            expected.sort_unstable();
            found.sort_unstable();
        }
        if *expected != found {
            return Err(format!(
                "{case}: the result differs from that of {}",
                peer.name
            ));
        }
    }
    Ok(())
}
