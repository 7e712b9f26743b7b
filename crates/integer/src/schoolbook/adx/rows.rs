//! The parts that products with `mulx`, `adcx` and `adox` are put together from, as text of assembly.
//!
//! Registers: `rdi` out, `rsi` strip, `rcx` rows' limbs, `rdx` the row's limb, `r8`…`r15` the partial sum,
//! `rax` and `rbx` high halves in turn.

/// After the end of a function: aligns its beginning, as it has a section of its own, so that its speed does not depend
/// on where the linker puts it.
macro_rules! aligned {
    () => {
        ".p2align 5\n"
    };
}

/// One place of a row above the lowest, of the limb at the given place of the strip: low half plus what stands there plus the high half from below.
macro_rules! place {
    ([$($at:literal),+], $to:literal, $from:literal, $high:literal, $below:literal) => {
        concat!(
            "mulx ",
            $high,
            ", ",
            $to,
            ", [rsi + 8*",
            $($at,)+
            "]\n",
            "adcx ",
            $to,
            ", ",
            $from,
            "\n",
            "adox ",
            $to,
            ", ",
            $below,
            "\n",
        )
    };
}

/// The places above the lowest one of a row of a strip of k limbs.
macro_rules! places {
    (1) => {
        ""
    };
    (2) => {
        place!([1], "r8", "r9", "rbx", "rax")
    };
    (3) => {
        concat!(places!(2), place!([2], "r9", "r10", "rax", "rbx"))
    };
    (4) => {
        concat!(places!(3), place!([3], "r10", "r11", "rbx", "rax"))
    };
    (5) => {
        concat!(places!(4), place!([4], "r11", "r12", "rax", "rbx"))
    };
    (6) => {
        concat!(places!(5), place!([5], "r12", "r13", "rbx", "rax"))
    };
    (7) => {
        concat!(places!(6), place!([6], "r13", "r14", "rax", "rbx"))
    };
    (8) => {
        concat!(places!(7), place!([7], "r14", "r15", "rbx", "rax"))
    };
}

/// The highest place of a row: the last high half and both carries.
macro_rules! top {
    (@ $register:literal, $half:literal, $high:literal) => {
        concat!(
            "mov ", $half, ", 0\n",
            "adcx ", $high, ", ", $register, "\n",
            "adox ", $register, ", ", $high, "\n",
        )
    };
    (1) => { top!(@ "r8", "r8d", "rax") };
    (2) => { top!(@ "r9", "r9d", "rbx") };
    (3) => { top!(@ "r10", "r10d", "rax") };
    (4) => { top!(@ "r11", "r11d", "rbx") };
    (5) => { top!(@ "r12", "r12d", "rax") };
    (6) => { top!(@ "r13", "r13d", "rbx") };
    (7) => { top!(@ "r14", "r14d", "rax") };
    (8) => { top!(@ "r15", "r15d", "rbx") };
}

/// Row number j of a strip of k limbs; `add` says whether memory holds an earlier strip's sum.
macro_rules! row {
    ($k:tt, $j:literal, $add:tt) => {
        concat!(
            "mov rdx, [rcx + 8*", $j, "]\n",
            "xor eax, eax\n",
            "mulx rax, rbx, [rsi]\n",
            "adcx rbx, r8\n",
            row!(@ $add, $j),
            "mov [rdi + 8*", $j, "], rbx\n",
            places!($k),
            top!($k),
        )
    };
    (@ fresh, $j:literal) => { "" };
    (@ add, $j:literal) => { concat!("adox rbx, [rdi + 8*", $j, "]\n") };
}

/// The first place of the first row above the lowest one, where nothing stands yet.
macro_rules! first_place {
    ($add:literal, $i:literal, $to:literal, $high:literal, $below:literal) => {
        concat!(
            "mulx ",
            $high,
            ", ",
            $to,
            ", [rsi + 8*",
            $i,
            "]\n",
            $add,
            " ",
            $to,
            ", ",
            $below,
            "\n",
        )
    };
}

/// The places above the lowest one of the first row.
macro_rules! first_places {
    (2) => { first_place!("add", 1, "r8", "r9", "rax") };
    (3) => { concat!(first_place!("add", 1, "r8", "rbx", "rax"), first_place!("adc", 2, "r9", "r10", "rbx")) };
    (4) => { concat!(first_place!("add", 1, "r8", "rbx", "rax"), first_place!("adc", 2, "r9", "rax", "rbx"),
        first_place!("adc", 3, "r10", "r11", "rax")) };
    (@5) => { concat!(first_place!("add", 1, "r8", "rbx", "rax"), first_place!("adc", 2, "r9", "rax", "rbx"),
        first_place!("adc", 3, "r10", "rbx", "rax")) };
    (5) => { concat!(first_places!(@5), first_place!("adc", 4, "r11", "r12", "rbx")) };
    (@6) => { concat!(first_places!(@5), first_place!("adc", 4, "r11", "rax", "rbx")) };
    (6) => { concat!(first_places!(@6), first_place!("adc", 5, "r12", "r13", "rax")) };
    (@7) => { concat!(first_places!(@6), first_place!("adc", 5, "r12", "rbx", "rax")) };
    (7) => { concat!(first_places!(@7), first_place!("adc", 6, "r13", "r14", "rbx")) };
    (8) => { concat!(first_places!(@7), first_place!("adc", 6, "r13", "rax", "rbx"),
        first_place!("adc", 7, "r14", "r15", "rax")) };
}

/// The top register of a strip of k limbs.
macro_rules! top_register {
    (2) => {
        "r9"
    };
    (3) => {
        "r10"
    };
    (4) => {
        "r11"
    };
    (5) => {
        "r12"
    };
    (6) => {
        "r13"
    };
    (7) => {
        "r14"
    };
    (8) => {
        "r15"
    };
}

/// Stores the partial sum of k limbs above the rows that were stored.
macro_rules! store {
    (1, $at:literal) => {
        concat!("mov [rdi + 8*", $at, "], r8\n")
    };
    (2, $at:literal) => {
        concat!(store!(1, $at), "mov [rdi + 8*", $at, " + 8], r9\n")
    };
    (3, $at:literal) => {
        concat!(store!(2, $at), "mov [rdi + 8*", $at, " + 16], r10\n")
    };
    (4, $at:literal) => {
        concat!(store!(3, $at), "mov [rdi + 8*", $at, " + 24], r11\n")
    };
    (5, $at:literal) => {
        concat!(store!(4, $at), "mov [rdi + 8*", $at, " + 32], r12\n")
    };
    (6, $at:literal) => {
        concat!(store!(5, $at), "mov [rdi + 8*", $at, " + 40], r13\n")
    };
    (7, $at:literal) => {
        concat!(store!(6, $at), "mov [rdi + 8*", $at, " + 48], r14\n")
    };
    (8, $at:literal) => {
        concat!(store!(7, $at), "mov [rdi + 8*", $at, " + 56], r15\n")
    };
}

/// Saves the registers that a strip of k limbs takes and the calling convention wants back.
macro_rules! save {
    (5) => {
        "push rbx\npush r12\n"
    };
    (6) => {
        concat!(save!(5), "push r13\n")
    };
    (7) => {
        concat!(save!(6), "push r14\n")
    };
    (8) => {
        concat!(save!(7), "push r15\n")
    };
    ($k:literal) => {
        "push rbx\n"
    };
}

/// Restores what [`save`] has saved.
macro_rules! restore {
    (5) => {
        "pop r12\npop rbx\n"
    };
    (6) => {
        concat!("pop r13\n", restore!(5))
    };
    (7) => {
        concat!("pop r14\n", restore!(6))
    };
    (8) => {
        concat!("pop r15\n", restore!(7))
    };
    ($k:literal) => {
        "pop rbx\n"
    };
}

/// A partial sum of k limbs that is zero.
macro_rules! zero {
    (5) => {
        concat!(zero!(4), "xor r12d, r12d\n")
    };
    (6) => {
        concat!(zero!(5), "xor r13d, r13d\n")
    };
    (7) => {
        concat!(zero!(6), "xor r14d, r14d\n")
    };
    (8) => {
        concat!(zero!(7), "xor r15d, r15d\n")
    };
    ($k:literal) => {
        "xor r8d, r8d\nxor r9d, r9d\nxor r10d, r10d\nxor r11d, r11d\n"
    };
}
