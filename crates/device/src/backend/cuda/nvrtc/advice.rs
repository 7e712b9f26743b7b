//! Which of NVIDIA's compilers serve a GPU, and what to install where none is found that does.
//!
//! A driver loads nothing of a compiler with a greater major version than its own, and every major version of the compiler has
//! dropped the oldest GPUs. What is advised is therefore found from both, and from what is there already.

use super::Target;
use super::find::VARIABLE;
use std::path::PathBuf;

/// A major version of the compiler, as it is installed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Release {
    pub major: u32,
    pub wheel: &'static str,
    /// The oldest architecture that its last minor version compiles for.
    pub oldest: u32,
}

/// Those that there are wheels of, the newest first.
static RELEASES: [Release; 3] = [
    Release {
        major: 13,
        wheel: "nvidia-cuda-nvrtc==13.*",
        oldest: 75,
    },
    Release {
        major: 12,
        wheel: "nvidia-cuda-nvrtc-cu12",
        oldest: 50,
    },
    Release {
        major: 11,
        wheel: "nvidia-cuda-nvrtc-cu11",
        oldest: 35,
    },
];

/// What a compiler is wanted for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted<'a> {
    /// The version of CUDA that the driver speaks; `None` where code is compiled for no driver.
    pub driver: Option<(u32, u32)>,
    /// `sm_90`; `None` for any.
    pub architecture: Option<&'a str>,
}

/// Why a compiler that is there does not serve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    /// The driver loads nothing that it makes.
    Newer((u32, u32)),
    /// It makes nothing for the GPU.
    Architecture(String),
    /// It makes nothing at all.
    Broken(String),
    /// It is no such library, or the system does not load it.
    Unloadable(String),
}

/// A compiler that is there and does not serve.
#[derive(Clone, Debug)]
pub(super) struct Refused {
    pub file: PathBuf,
    /// If it was loaded.
    pub version: Option<(u32, u32)>,
    pub problem: Problem,
}

/// What to do.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Advice {
    /// Install this version; by force if it may be there, but broken.
    Install(&'static Release, bool),
    /// The driver is too old for all of them.
    NewerDriver,
    /// There is none for the GPU.
    Nothing,
}

impl Wanted<'_> {
    /// Whether a compiler of this version, which knows these architectures, serves, as far as it says itself. Who names a
    /// compiler knows why: then its version is right.
    pub(super) fn problem(
        &self,
        version: (u32, u32),
        supported: &[u32],
        is_named: bool,
    ) -> Option<Problem> {
        match self.driver {
            Some(driver) if version.0 > driver.0 && !is_named => Some(Problem::Newer(driver)),
            _ => {
                let chosen = Target::choose(self.architecture?, supported, true);
                chosen.err().map(Problem::Architecture)
            }
        }
    }

    /// The newest version that serves, and is not known from what is there to lack the GPU.
    fn release(&self, refused: &[Refused]) -> Option<&'static Release> {
        let lacks = |release: &Release| {
            refused.iter().any(|refused| {
                let is_same = refused
                    .version
                    .is_some_and(|version| version.0 == release.major);
                is_same && matches!(refused.problem, Problem::Architecture(_))
            })
        };
        let number = self.architecture.map(super::number);
        RELEASES.iter().find(|release| {
            let is_loaded = self.driver.is_none_or(|driver| release.major <= driver.0);
            let compiles = match number {
                Some(Ok(number)) => release.oldest <= number,
                _ => true,
            };
            is_loaded && compiles && !lacks(release)
        })
    }

    /// What to do where these were refused, and there are no others.
    pub(super) fn advice(&self, refused: &[Refused]) -> Advice {
        let may_be = |release: &Release| {
            refused.iter().any(|refused| match refused.problem {
                Problem::Broken(_) => refused
                    .version
                    .is_some_and(|version| version.0 == release.major),
                Problem::Unloadable(_) => true,
                Problem::Newer(_) | Problem::Architecture(_) => false,
            })
        };
        let of_any_driver = Self {
            driver: None,
            ..*self
        };
        match (self.release(refused), of_any_driver.release(refused)) {
            (Some(release), _) => Advice::Install(release, may_be(release)),
            (None, Some(_)) => Advice::NewerDriver,
            (None, None) => Advice::Nothing,
        }
    }

    /// That there is no compiler, what there is instead, and what to do.
    pub(super) fn missing(&self, refused: &[Refused], is_named: bool) -> String {
        let named = match is_named {
            true => format!(": {VARIABLE} names nothing that can be used"),
            false => String::new(),
        };
        let refusals: String = refused
            .iter()
            .map(|refused| format!(": {refused}"))
            .collect();
        let first = match is_named {
            true => format!("unset {VARIABLE}, and if nothing is found then, "),
            false => String::new(),
        };
        let what = match self.advice(refused) {
            Advice::Install(Release { wheel, major, .. }, false) => format!(
                "install the Python wheel {wheel} or CUDA toolkit {major}; if it lies in no usual place, name its folder in {VARIABLE}"
            ),
            Advice::Install(Release { wheel, major, .. }, true) => format!(
                "install it anew, by `pip install --force-reinstall '{wheel}'` or as a part of CUDA toolkit {major}"
            ),
            Advice::NewerDriver => {
                let least = RELEASES
                    .iter()
                    .map(|release| release.major)
                    .min()
                    .unwrap_or(0);
                format!(
                    "update NVIDIA's driver: NVRTC {least} is the oldest that is of use here, and takes a driver of CUDA {least}"
                )
            }
            Advice::Nothing => format!(
                "no NVRTC that is of use here compiles for {}",
                self.architecture.unwrap_or("it")
            ),
        };
        format!("NVIDIA's compiler library NVRTC is missing{named}{refusals}; {first}{what}")
    }
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let file = self.file.display();
        match self.version {
            Some((major, minor)) => write!(f, "NVRTC {major}.{minor} is there ({file}), but ")?,
            None => write!(f, "{file} cannot be used: ")?,
        }
        match &self.problem {
            Problem::Newer((major, minor)) => {
                write!(
                    f,
                    "it is newer than the driver, which speaks CUDA {major}.{minor}"
                )
            }
            Problem::Architecture(why) => f.write_str(why),
            Problem::Broken(log) => write!(f, "it compiles nothing: {log}"),
            Problem::Unloadable(why) => f.write_str(why),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A compiler on a machine.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Made {
        version: (u32, u32),
        supported: &'static [u32],
        works: bool,
    }

    const fn made(version: (u32, u32), supported: &'static [u32]) -> Made {
        Made {
            version,
            supported,
            works: true,
        }
    }

    /// What the newest of each major version compiles for, as it says itself.
    const NEWEST: [Made; 3] = [
        made(
            (13, 0),
            &[75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121],
        ),
        made(
            (12, 9),
            &[
                50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90, 100, 101, 103, 120, 121,
            ],
        ),
        made(
            (11, 8),
            &[
                35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90,
            ],
        ),
    ];

    /// Those that do not serve, if none does.
    fn refused(wanted: &Wanted<'_>, there: &[Made], is_named: bool) -> Option<Vec<Refused>> {
        let problem = |made: &Made| {
            let broken = || (!made.works).then(|| Problem::Broken("no log".to_owned()));
            let problem = wanted.problem(made.version, made.supported, is_named);
            let problem = problem.or_else(broken)?;
            Some(Refused {
                file: PathBuf::from("libnvrtc.so"),
                version: Some(made.version),
                problem,
            })
        };
        there.iter().map(problem).collect()
    }

    /// Follows the advice, if there is some, and says what was advised first.
    fn followed(
        architecture: &str,
        driver: (u32, u32),
        there: &[Made],
        is_named: bool,
    ) -> Option<Advice> {
        let wanted = Wanted {
            driver: Some(driver),
            architecture: Some(architecture),
        };
        let case = format!("{architecture} {driver:?} {there:?} named {is_named}");
        let refused_ones = refused(&wanted, there, is_named)?;
        let advice = wanted.advice(&refused_ones);
        let said = wanted.missing(&refused_ones, is_named);
        match advice {
            Advice::Install(release, by_force) => {
                let is_there = there.iter().find(|made| made.version.0 == release.major);
                assert_eq!(by_force, is_there.is_some(), "{case}: {said}");
                assert!(is_there.is_none_or(|made| !made.works), "{case}: {said}");
                assert!(said.contains(release.wheel), "{case}: {said}");
                assert!(
                    said.contains(&format!("CUDA toolkit {}", release.major)),
                    "{case}: {said}"
                );
                let installed = NEWEST.iter().find(|made| made.version.0 == release.major);
                // A named one is looked at no more.
                let kept = there
                    .iter()
                    .filter(|made| !is_named && made.version.0 != release.major);
                let now: Vec<_> = kept.chain(installed).copied().collect();
                assert!(refused(&wanted, &now, false).is_none(), "{case}: {said}");
            }
            Advice::NewerDriver => {
                assert!(
                    driver.0 < 11 && said.contains("update NVIDIA's driver"),
                    "{case}: {said}"
                );
                let then = followed(architecture, (11, 4), there, is_named);
                assert!(
                    matches!(then, None | Some(Advice::Install(_, _))),
                    "{case}: {then:?}"
                );
            }
            Advice::Nothing => assert!(
                said.ends_with(&format!("compiles for {architecture}")),
                "{case}: {said}"
            ),
        }
        assert_eq!(
            said.contains("unset SUNZI_NVRTC"),
            is_named,
            "{case}: {said}"
        );
        Some(advice)
    }

    #[test]
    fn what_is_advised_is_not_there_and_works() {
        let broken = NEWEST.map(|made| Made {
            works: false,
            ..made
        });
        // Every set of up to three that may be there, working or not.
        let mut sets: Vec<Vec<Made>> = vec![Vec::new()];
        for (made, broken) in NEWEST.into_iter().zip(broken) {
            let more: Vec<_> = sets
                .iter()
                .flat_map(|set| [made, broken].map(|one| [&set[..], &[one]].concat()))
                .collect();
            sets.extend(more);
        }
        assert_eq!(sets.len(), 27);
        for architecture in [
            "sm_20", "sm_30", "sm_35", "sm_37", "sm_52", "sm_61", "sm_70", "sm_75", "sm_90",
            "sm_120", "sm_999",
        ] {
            for driver in [
                (9, 1),
                (10, 2),
                (11, 0),
                (11, 4),
                (12, 0),
                (12, 9),
                (13, 0),
                (14, 1),
            ] {
                for there in &sets {
                    followed(architecture, driver, there, false);
                    // One is named at a time.
                    if there.len() == 1 {
                        followed(architecture, driver, there, true);
                    }
                }
            }
        }
    }

    #[test]
    fn gpus_get_the_last_compiler_that_knows_them() {
        let advised =
            |architecture, driver, there: &[Made]| followed(architecture, driver, there, false);
        let [newest, last_for_volta, oldest] = &RELEASES;
        let install = |release| Some(Advice::Install(release, false));
        assert_eq!(
            advised("sm_70", (13, 0), &NEWEST[..1]),
            install(last_for_volta)
        );
        assert_eq!(advised("sm_70", (13, 0), &[]), install(last_for_volta));
        assert_eq!(advised("sm_70", (13, 0), &NEWEST), None);
        assert_eq!(advised("sm_90", (13, 0), &[]), install(newest));
        assert_eq!(
            advised("sm_90", (12, 4), &NEWEST[..1]),
            install(last_for_volta)
        );
        assert_eq!(advised("sm_37", (11, 4), &NEWEST[1..2]), install(oldest));
        assert_eq!(advised("sm_61", (10, 2), &[]), Some(Advice::NewerDriver));
        assert_eq!(advised("sm_30", (11, 4), &[]), Some(Advice::Nothing));
    }

    #[test]
    fn what_a_library_says_counts_for_more_than_the_table() {
        // One of version 12 that has dropped what others of 12 compile for.
        let wanted = Wanted {
            driver: Some((13, 0)),
            architecture: Some("sm_52"),
        };
        let there = [made((12, 10), &[75, 80])];
        let refused = refused(&wanted, &there, false).unwrap();
        assert_eq!(
            wanted.advice(&refused),
            Advice::Install(&RELEASES[2], false)
        );
    }

    #[test]
    fn what_is_no_library_may_be_a_broken_one() {
        let wanted = Wanted {
            driver: None,
            architecture: None,
        };
        let refused = [Refused {
            file: PathBuf::from("libnvrtc.so.13"),
            version: None,
            problem: Problem::Unloadable("it is too short".to_owned()),
        }];
        assert_eq!(wanted.advice(&refused), Advice::Install(&RELEASES[0], true));
        let said = wanted.missing(&refused, false);
        let expected = "libnvrtc.so.13 cannot be used: it is too short; install it anew, by `pip install --force-reinstall";
        assert!(said.contains(expected), "{said}");
    }
}
