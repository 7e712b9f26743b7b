//! Resultants and systems in two variables, against FLINT, PARI, msolve and CGAL.

use sunzi_field::Fp32;
use sunzi_integer::Integer;
use sunzi_poly::{BivariatePoly, BivariateRing, ChainOptions, Poly, resultant_y};
use sunzi_solve::BivariateSystem;

use super::curves::{self, System};
use super::{words, words_of_pari, words_of_signed};
use crate::contender::{Case, Contender, Entrants, Group, Peer, Setup, contender};
use crate::flint::{FmpzBivariate, NmodBivariate, Signed};
use crate::options::Options;
use crate::programs::{CgalSystem, Msolve, Pari, peer, rounded_points};
use crate::sample::Sample;

/// A name, the greatest degree, what makes the system, and whether CGAL solves it in some seconds.
type Kind = (&'static str, u64, fn() -> System, bool);

const KINDS: [Kind; 11] = [
    ("dense 8, 10 bits", 8, || curves::dense(8, 10), true),
    ("dense 12, 10 bits", 12, || curves::dense(12, 10), true),
    ("dense 16, 10 bits", 16, || curves::dense(16, 10), true),
    ("dense 20, 10 bits", 20, || curves::dense(20, 10), false),
    ("dense 30, 10 bits", 30, || curves::dense(30, 10), false),
    ("dense 6, 1000 bits", 6, || curves::dense(6, 1000), true),
    ("ten circles", 20, curves::circles, false),
    (
        "discriminant of a quartic surface",
        12,
        curves::surface,
        true,
    ),
    ("rose of ten petals", 12, curves::rose, true),
    ("T_9(x) = T_8(y)", 9, curves::chebyshevs, true),
    ("solutions in close pairs", 12, curves::close, true),
];

const P: u32 = 469_762_049;

/// Decimals that are asked for.
const DIGITS: usize = 20;

pub fn cases(options: &Options) -> Vec<Case> {
    let group = |name, goal| Group::for_threads(name, options.threads, Some(goal), Some(goal));
    let mut cases = Vec::new();
    for degree in [10, 30, 50] {
        cases.push(Case {
            section: "solve",
            group: group("resultants in y mod 469762049", 0.05),
            name: format!("resultant in y, dense, degree {degree}, mod {P}"),
            size: degree as u64,
            build: Box::new(move |setup| modular(setup, degree)),
        });
    }
    for (name, size, make, _) in KINDS {
        cases.push(Case {
            section: "solve",
            group: group("resultants in x and y over Z", 0.1),
            name: format!("both resultants: {name}"),
            size,
            build: Box::new(move |setup| resultants(setup, make())),
        });
    }
    for (name, size, make, with_cgal) in KINDS {
        cases.push(Case {
            section: "solve",
            group: group("systems over Z", 0.5),
            name: format!("system: {name}"),
            size,
            build: Box::new(move |setup| systems(setup, &make(), with_cgal)),
        });
    }
    cases
}

/// Dense polynomials of a total degree.
fn modular(setup: Setup, degree: usize) -> Entrants {
    let mut sample = Sample::new(degree as u64);
    let [f, g]: [Vec<Vec<u64>>; 2] = [0; 2].map(|_| {
        let rows = (0..=degree).map(|j| sample.residues(degree + 1 - j, P.into()));
        rows.collect()
    });
    let most = degree * degree;
    let flint = contender(
        NmodBivariate::new(P.into(), [&f, &g]),
        NmodBivariate::eliminate_y,
        move |system| system.words(most),
    );
    let sunzi = || -> Option<Box<dyn Contender>> {
        let ring = BivariateRing::new(Fp32::new(P).ok()?);
        let [f, g] = [f, g].map(|rows| {
            let row = |row: &Vec<u64>| Poly::new(row.iter().map(|&x| x as u32).collect());
            BivariatePoly::new(rows.iter().map(row).collect())
        });
        Some(contender(
            Poly::zero(),
            move |out| *out = ring.resultant_y(&f, &g).expect("there are points enough"),
            move |out: &Poly<u32>| {
                let mut words: Vec<u64> = out.coefficients().iter().map(|&x| x.into()).collect();
                words.resize(most + 1, 0);
                words
            },
        ))
    };
    Entrants {
        sunzi: setup.with_sunzi.then(sunzi).flatten(),
        peers: vec![Peer::exact("FLINT nmod_mpoly_resultant", flint)],
    }
}

/// Both resultants, that in y and that in x.
fn resultants(setup: Setup, [f, g]: System) -> Entrants {
    let definitions = format!("f = {};\ng = {};", f.text(), g.text());
    let pari = Pari::new(
        definitions,
        "concat(Vecrev(polresultant(f, g, y)), Vecrev(polresultant(f, g, x)))",
        words_of_pari,
    );
    let polys = [f.poly(), g.poly()];
    let both = |[f, g]: &[BivariatePoly<Integer>; 2]| {
        let in_y = resultant_y(f, g, ChainOptions::new());
        let in_x = resultant_y(&f.swapped(), &g.swapped(), ChainOptions::new());
        [in_y, in_x].map(|known| known.expect("there is memory").value)
    };
    // FLINT's results are read by as many coefficients and limbs as they have.
    let sizes = both(&polys).map(|resultant| {
        let limbs = |c: &Integer| c.magnitude().as_limbs().len();
        let widest = resultant.coefficients().iter().map(limbs).max();
        (resultant.degree().unwrap_or(0), widest.unwrap_or(1))
    });
    let terms = [f.signed(), g.signed()];
    let flint = contender(
        (FmpzBivariate::new([&terms[0], &terms[1]]), Vec::new()),
        move |(system, out): &mut (_, Vec<Signed>)| {
            out.clear();
            for (unknown, (degree, width)) in [1, 0].into_iter().zip(sizes) {
                system.eliminate(unknown);
                out.extend(system.words(unknown, degree, width));
            }
        },
        |(_, out)| words_of_signed(out),
    );
    let sunzi = contender(
        (polys, [Poly::zero(), Poly::zero()]),
        move |(polys, out)| *out = both(polys),
        |(_, out): &(_, [Poly<Integer>; 2])| words(out.iter().flat_map(Poly::coefficients)),
    );
    Entrants {
        sunzi: setup.with_sunzi.then_some(sunzi),
        peers: [
            Some(Peer::exact("FLINT fmpz_mpoly_resultant", flint)),
            peer(pari),
        ]
        .into_iter()
        .flatten()
        .collect(),
    }
}

/// Real solutions.
fn systems(setup: Setup, [f, g]: &System, with_cgal: bool) -> Entrants {
    let system = BivariateSystem::over_integers(f.poly(), g.poly()).digits(DIGITS);
    let sunzi = contender(
        (system, Vec::new()),
        |(system, out)| {
            let solved = system.solve().expect("there is memory");
            let point = |solution: &sunzi_solve::Solution| {
                let middle = |root: &sunzi_solve::RealRoot| root.interval().midpoint().to_f64();
                (middle(solution.x()), middle(solution.y()))
            };
            *out = solved.solutions.iter().map(point).collect();
        },
        |(_, out)| rounded_points(out.clone()),
    );
    let cgal = with_cgal.then(|| CgalSystem::new([&f.decimal(), &g.decimal()]));
    Entrants {
        sunzi: setup.with_sunzi.then_some(sunzi),
        peers: [
            peer(Msolve::new(&f.text(), &g.text(), setup.threads)),
            cgal.and_then(peer),
        ]
        .into_iter()
        .flatten()
        .collect(),
    }
}
