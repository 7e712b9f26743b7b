//! Names that OpenCL C has by itself.

/// Parts of the names by which a kernel learns something of its group, or waits for it.
const GROUPS: [&str; 16] = [
    "get_local_",
    "get_group_",
    "get_num_groups",
    "get_enqueued_",
    "get_sub_group",
    "get_num_sub_groups",
    "get_max_sub_group",
    "sub_group",
    "work_group",
    "wait_group",
    "async_",
    "barrier",
    // What compilers have of their own.
    "workgroup",
    "workitem",
    "__builtin_",
    "__asm",
];
/// A part of those that tell in what order others came.
const ORDER: &str = "atom";
/// Parts of those by which it does what is not to be done twice, or reaches more than buffers.
const ONCE: [&str; 4] = ["printf", "enqueue_kernel", "read_pipe", "write_pipe"];

const SCALARS: &str = "char uchar short ushort int uint long ulong float double half";
const OTHER_TYPES: &str =
    "void bool _Bool size_t ptrdiff_t intptr_t uintptr_t signed unsigned struct union enum";
const QUALIFIERS: &str = "const volatile restrict __restrict __restrict__ inline __inline __inline__ static extern kernel __kernel \
    global __global constant __constant private __private local __local generic __generic";
/// With what may come before a parenthesis in attributes.
const KEYWORDS: &str = "if else for while do switch case default break continue return sizeof vec_step typedef true false \
    __attribute__ aligned ext_vector_type vector_size vec_type_hint opencl_unroll_hint \
    always_inline __always_inline__ noinline __noinline__ packed overloadable unused __unused__ may_alias pure";
const PLACES: &str =
    "get_global_id get_global_size get_global_offset get_global_linear_id get_work_dim prefetch";
const MATH: &str = "acos acosh acospi asin asinh asinpi atan atan2 atanh atanpi atan2pi cbrt ceil copysign cos cosh cospi erf erfc \
    exp exp2 exp10 expm1 fabs fdim floor fma fmax fmin fmod fract frexp hypot ilogb ldexp lgamma lgamma_r log log2 log10 log1p \
    logb mad maxmag minmag modf nan nextafter pow pown powr remainder remquo rint rootn round rsqrt sin sincos sinh sinpi sqrt \
    tan tanh tanpi tgamma trunc divide recip";
const INTEGER: &str = "abs abs_diff add_sat hadd rhadd clamp clz ctz mad_hi mad_sat mad24 max min mul_hi mul24 rotate sub_sat \
    upsample popcount";
const COMMON: &str = "degrees mix radians step smoothstep sign cross dot distance length normalize fast_distance fast_length \
    fast_normalize";
const RELATIONAL: &str = "isequal isnotequal isgreater isgreaterequal isless islessequal islessgreater isfinite isinf isnan \
    isnormal isordered isunordered signbit any all bitselect select shuffle shuffle2";

fn has(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == name)
}

pub fn is_once(name: &str) -> bool {
    ONCE.iter().any(|part| name.contains(part))
}

pub fn is_of_group(name: &str) -> bool {
    name == "asm" || GROUPS.iter().any(|part| name.contains(part))
}

pub fn is_of_order(name: &str) -> bool {
    name.contains(ORDER)
}

pub fn is_type(name: &str) -> bool {
    let scalar = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_vector = has("2 3 4 8 16", &name[scalar.len()..]) && has(SCALARS, scalar);
    is_vector || has(SCALARS, name) || has(OTHER_TYPES, name)
}

pub fn is_qualifier(name: &str) -> bool {
    has(QUALIFIERS, name)
}

pub fn is_keyword(name: &str) -> bool {
    has(KEYWORDS, name)
}

/// A function whose result, and what it writes, depends on nothing but what it is given, and the place of the thread among all.
pub fn is_harmless(name: &str) -> bool {
    let plain = ["native_", "half_"]
        .iter()
        .find_map(|prefix| name.strip_prefix(prefix));
    let converted = ["as_", "convert_"]
        .iter()
        .find_map(|prefix| name.strip_prefix(prefix)?.split('_').next());
    let lists = [PLACES, MATH, INTEGER, COMMON, RELATIONAL];
    lists.iter().any(|list| has(list, name))
        || plain.is_some_and(|plain| has(MATH, plain))
        || converted.is_some_and(is_type)
        || name.starts_with("vload")
        || name.starts_with("vstore")
}

/// A constant of the language's, as far as its letters tell: functions have others.
pub fn is_constant(name: &str) -> bool {
    !name.contains(|c: char| c.is_ascii_lowercase())
}
