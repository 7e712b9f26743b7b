use super::*;

const SOURCE: &str = "
#define WITH(i) \\
  get_group_id(i)
#ifndef SIDE
#define SIDE 4
#endif
#define real float
#define TWICE(x) (2 * (x))
// get_local_id
/* printf */
typedef struct { uint low; uint high; } pair;
__constant uint table[SIDE] = {1, 2, 3, 4};
uint twice(uint x) { return TWICE(x); }
uint third(uint x) { return twice(x) + get_local_size(0); }
__kernel void plain(__global uint *a) { if (a) { a[get_global_id(0)] = twice(3); } }
__kernel __attribute__((vec_type_hint(int))) void deep(__global uint *a) { a[0] = third(1); }
__kernel void by_macro(__global uint *a) __attribute__((work)) { a[0] = WITH(0); }
__kernel void says(__global uint *a) { for (;;) printf(\"%u\", a[0]); }
__kernel void in_order(__global uint *a) { a[atomic_inc(a)] = 0; }
__kernel void of_vendor(__global uint *a) { a[0] = lane_of_vendor(); }
__kernel void by_name(__global uint *a) { a[0] = (lane_of_vendor)(); }
real root(const real x) { return native_sqrt(fabs(x)); }
__kernel void rich(__global float4 *to, global const real *from, const pair p, int n) {
  for (int i = 0, j = n - 1; i < j; i++, j--) {
    float4 both = (float4)(from[i], root(from[j]), 1.0f, 2e-5f), *at = to + i;
    both.xy += vload2(i, from).yx * convert_float2_rte((int2)(i, j));
    at->w = p.low ? as_float(table[i % SIDE]) : (real)(M_PI_F);
    to[get_global_id(0)] = both;
  }
}
";

#[test]
fn kernels_tell_by_all_that_they_reach() {
    let told_of = |kernel| told(SOURCE, "", kernel);
    let group = |name: &str| Told::Group(name.to_owned());
    assert_eq!(told_of("plain"), Told::Nothing);
    assert_eq!(told_of("rich"), Told::Nothing);
    assert_eq!(told_of("deep"), group("get_local_size"));
    assert_eq!(told_of("by_macro"), group("get_group_id"));
    assert_eq!(told_of("says"), Told::Once("printf".to_owned()));
    assert_eq!(told_of("in_order"), Told::Order("atomic_inc".to_owned()));
    for unseen in ["another", "of_vendor", "by_name"] {
        assert_eq!(told_of(unseen), Told::Unseen, "{unseen}");
    }
    for unseen in ["#include \"more.h\"\n", "#define JOINED(a, b) a ## b\n"] {
        let source = unseen.to_owned() + SOURCE;
        assert_eq!(told(&source, "", "plain"), Told::Unseen);
    }
}

#[test]
fn options_are_part_of_the_text() {
    for (options, is_harmless) in [
        ("-cl-fast-relaxed-math -I /folder -D SIDE=3 -DX", true),
        ("-Dtwice=third", false),
        ("-D uint=get_local_id(0)", false),
        ("-DX=\"1 2\"", false),
        ("-cl-std=CLC++", false),
        ("-include more.h", false),
    ] {
        let told = told(SOURCE, options, "plain");
        assert_eq!(told == Told::Nothing, is_harmless, "{options}");
    }
}

/// Texts that hide from a reader what they ask of their group, each with a kernel `k` that reaches it.
#[test]
fn what_is_hidden_is_not_passed_over() {
    let calls = "__kernel void k(__global uint *a) { if (a[0]) a[1] += h(); }";
    for hidden in [
        "#define HELPER(name) uint name(void)\nHELPER(h) { return get_local_size(0) > 64; }",
        "#define F(x) x\nuint F(h)(uint q) { return get_local_size(0) > 64; }",
        "#define HEAD uint h\nHEAD (void) { return get_local_size(0) > 64; }",
        "#define HEAD uint max\nHEAD (void) { return get_local_size(0) > 64; }\nuint h(void) { return max(); }",
        "uint (h)(void) { return get_local_size(0) > 64; }",
        "uint h(void) { return get_lo\\\ncal_size(0) > 64; }",
        "uint h(void) { return get_lo\\ \r\ncal_size(0) > 64; }",
        "__constant char m[] = \"/*\"; uint h(void) { return get_local_size(0); } __constant char z[] = \"*/\";",
        "__constant char m[] = \"\\\"/*\"; uint h(void) { return get_local_size(0); } //*/",
        "%:define G get_local_size\nuint h(void) { return G(0); }",
        "??=define G get_local_size\nuint h(void) { return G(0); }",
        "#define J(a, b) a##b\nuint h(void) { return J(get_local, _size)(0); }",
        "#define J(a, b) a%:%:b\nuint h(void) { return J(get_local, _size)(0); }",
        "#define h() get_local_id(0)",
        "#define return return get_local_id(0) +\nuint h(void) { return 0; }",
        "#define END }\nuint h(void) { return 0; END uint max(void) { return get_local_id(0); }",
        "#ifdef NEVER\nuint h(void) { return 0; }\n#endif",
        "uint h(void) {\n#ifdef NEVER\n} uint other(void) {\n#endif\nreturn get_local_size(0); }",
        "uint h(void) __attribute__((alias(\"get_local_size\")));",
        "#pragma redefine_extname h get_local_size\nuint h(void);",
        "#define CALL (lane)\nuint h(void) { return CALL(0); }",
        "#define CALL(f, x) f x\nuint h(void) { return CALL(lane, (0)); }",
        "uint h(void) { return atom_inc(0); }",
        "uint h(void) { return atomic_fetch_add(0, 1); }",
        "uint h(void) { return get_lo\\u0063al_size(0); }",
        "uint h(q) uint q; { return get_local_size(0); }",
    ] {
        let told = told(&format!("{hidden}\n{calls}"), "", "k");
        assert_ne!(told, Told::Nothing, "{hidden}");
    }
    let named = "#define KERNEL(n) __kernel void n(__global uint *a)\nKERNEL(k) { a[0] = get_local_size(0); }";
    assert_eq!(
        told(named, "", "k"),
        Told::Group("get_local_size".to_owned())
    );
    assert_eq!(
        told(&format!("uint h(void) {{ return 1; }}\n{calls}"), "", "k"),
        Told::Nothing
    );
}

#[test]
fn variables_are_told_from_constants() {
    for (source, expected) in [
        (SOURCE, true),
        ("__constant int pyopencl_defeat_cache_1 = 0;", false),
        (
            "typedef uint word; struct s { word a; }; uint f(word a); __constant uint m[] = {1};",
            false,
        ),
        ("__global uint m = 1;", true),
        (
            "uint f(void) { static __global uint m = 1; return m; }",
            true,
        ),
        ("#include \"more.h\"", true),
    ] {
        assert_eq!(may_have_variables(source, ""), expected, "{source}");
    }
}

#[test]
fn broken_texts_tell_nothing_certain() {
    for broken in [
        "",
        "(",
        "f(",
        "f() {",
        "f() }",
        "#",
        "#define",
        "#define (",
        "#endif",
        "#else",
        "/*",
        "/*/",
        "\"",
        "'\\",
        "\\\n",
        "\\",
        "é f() { ü }",
        "\"é\\ü\"",
        "}{)(",
        "f(((((((((",
        "typedef;",
        "typedef struct;",
        "enum {",
        "struct",
    ] {
        assert_eq!(told(broken, broken, "g"), Told::Unseen, "{broken}");
        may_have_variables(broken, broken);
    }
}

#[test]
fn kernels_beside_others_are_told_apart() {
    let source = "
__kernel void adds(__global uint *sums, __global const uint *of, uint n, ulong times) {
  size_t i = get_global_id(0);
  uint x = of[i];
  for (ulong k = 0; k < times; k++) x = x * 1664525u + 1013904223u;
  if (i < n) sums[i] += x;
}
__kernel void counts_groups(__global uint *groups, uint n) {
  if (get_global_id(0) < n) groups[get_global_id(0)] = get_group_id(0);
}
__kernel void adds_in_groups(__global uint *sums, __global const uint *of, __local uint *own) {
  own[get_local_id(0)] = of[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  sums[get_global_id(0)] += own[get_local_size(0) - 1 - get_local_id(0)];
}
__kernel __attribute__((reqd_work_group_size(2, 1, 1))) void fixed(__global uint *sums, uint n) {
  if (get_global_id(0) < n) sums[get_global_id(0)] += 1;
}
__kernel void plane(__global uint *sums, uint width) {
  sums[get_global_id(1) * width + get_global_id(0)] += get_global_id(0) ^ get_global_id(1);
}
";
    for name in ["adds", "plane"] {
        assert_eq!(told(source, "", name), Told::Nothing, "{name}");
    }
}
