//! Ranks of MPI, which this program starts: what they send each other arrives, in pieces of any length.

#![cfg(unix)]

use std::env;
use std::process::Command;
use sunzi_scale::{Mpi, Ranks};

const RANKS: usize = 3;

#[test]
fn what_is_sent_arrives() {
    if env::var_os("OMPI_COMM_WORLD_SIZE").is_some() || env::var_os("PMI_SIZE").is_some() {
        return rank();
    }
    let status = Command::new("mpirun")
        .args(["--oversubscribe", "-n", &RANKS.to_string()])
        .arg(env::current_exe().unwrap())
        .args(["what_is_sent_arrives", "--exact"])
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .status();
    assert!(status.expect("there is no mpirun").success());
}

fn rank() {
    // Calls that move a thousand bytes in all.
    let ranks = Mpi::with_most(1000).unwrap();
    assert_eq!(ranks.size(), RANKS);
    let own = ranks.rank();
    let byte = |from: usize, to: usize, i: usize| (from * 37 + to * 101 + i * 7) as u8;
    for block in [0, 1, 332, 333, 334, 1000, 5001] {
        let send: Vec<u8> = (0..RANKS * block)
            .map(|i| byte(own, i / block, i % block))
            .collect();
        let mut received = vec![0; send.len()];
        ranks.all_to_all(&send, &mut received).unwrap();
        for (from, found) in received.chunks(block.max(1)).enumerate() {
            let expected = (0..block).map(|i| byte(from, own, i));
            assert!(found.iter().copied().eq(expected), "{block} from {from}");
        }
    }
    for length in [0, 5, 100_000] {
        let length_of = |rank: usize| length * rank;
        let gathered = ranks.gather(&vec![own as u8; length_of(own)]).unwrap();
        for (rank, found) in gathered.iter().enumerate() {
            assert_eq!(*found, vec![rank as u8; length_of(rank)]);
        }
    }
    messages(&ranks);
}

/// Each rank sends each other one messages, which come in their order.
fn messages(ranks: &Mpi) {
    const LENGTHS: [usize; 7] = [0, 1, 332, 333, 334, 5001, 0];
    let own = ranks.rank();
    let byte = |from: usize, to: usize, i: usize| (from * 29 + to * 57 + i * 3) as u8;
    let message = |from, to, length| (0..length).map(|i| byte(from, to, i)).collect::<Vec<u8>>();
    // One after the other, as whoever sends may wait for whoever receives.
    for from in 0..RANKS {
        ranks.gather(&[]).unwrap();
        if own == from {
            for to in (0..RANKS).filter(|&to| to != own) {
                for length in LENGTHS {
                    ranks.send(to, &message(own, to, length)).unwrap();
                }
            }
            continue;
        }
        for length in LENGTHS {
            let received = loop {
                if let Some(received) = ranks.receive().unwrap() {
                    break received;
                }
            };
            assert!(
                received == (from, message(from, own, length)),
                "{length} from {from}"
            );
        }
        assert_eq!(ranks.receive(), Ok(None));
    }
}
