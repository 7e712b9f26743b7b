//! Two equations in two variables.

use super::{SOON, Trap, trap};
use crate::inputs::{self, Input::*};
use crate::right::{self, Right::*};

pub const TRAPS: &[Trap] = &[
    trap(
        "solve-vertical",
        "common curves and vertical lines",
        "solve @f @g --digits 5",
        &[
            ("f", Line("(x-1)*(x-2)*(x-3)*(y^2-x)")),
            ("g", Line("(x-1)*(x-2)*(x+y)")),
        ],
        SOON,
        Holds("points by hand", right::points_beside_lines),
    )
    .quick(),
    trap(
        "solve-multiplicity",
        "one point of multiplicity 800",
        "solve @f @g",
        &[("f", Line("(y-x^2)^20")), ("g", Line("(y+x^2)^20"))],
        SOON,
        Prints("# 1 real solution of 800 (complex, with multiplicity)\n0 0 800\n"),
    )
    .quick(),
    trap(
        "solve-tangent",
        "two curves that touch but for 10^-100",
        "solve @f @g",
        &[
            ("f", Line("y - x^2")),
            ("g", Line("y - x^2 - 1/10^40*(x-1)^2 + 1/10^100")),
        ],
        SOON,
        Holds(
            "two points that agree in 20 digits",
            right::two_points_near_one,
        ),
    )
    .quick(),
    trap(
        "solve-circles",
        "twenty circles, which meet at infinity",
        "solve @f @g",
        &[
            ("f", Made(|| inputs::circles(1))),
            ("g", Made(|| inputs::circles(2))),
        ],
        SOON,
        Holds("pairs that meet", right::circles_meet),
    ),
    trap(
        "solve-dense",
        "two dense curves of degree 20",
        "solve @f @g",
        &[
            ("f", Made(|| inputs::dense_curve(20, 1))),
            ("g", Made(|| inputs::dense_curve(20, 2))),
        ],
        SOON,
        Holds("Bézout's number", right::four_hundred_points),
    ),
    trap(
        "solve-powers",
        "a resultant of two terms, x^3600 − x",
        "solve @f @g",
        &[("f", Line("y^60 - x")), ("g", Line("x^60 - y"))],
        (20, 1024),
        Begins("# 2 real solutions of 3600 (complex, with multiplicity)\n0 0 1\n1 1 1\n"),
    ),
    trap(
        "solve-apart",
        "each equation in a variable of its own, 2500 points",
        "solve @f @g",
        &[("f", Line("x^50 - x - 1")), ("g", Line("y^50 - y - 1"))],
        (30, 1024),
        Begins("# 4 real solutions of 2500 (complex, with multiplicity)\n"),
    ),
];
