//! The parts that squares are put together from, as text of assembly.
//!
//! First the products of different limbs, each pair once: row i multiplies limb i by those above it and
//! adds to what the rows before have left. Its two lowest limbs are stored for good, the others stay in
//! registers, two places down. Then their sum is doubled by one carry chain while another adds the squares
//! of the limbs.
//!
//! Registers: `rdi` out, `rsi` a, `rdx` the row's limb, `r8`…`r14` the partial sum, `rax` and `rbx` high
//! halves in turn.

/// The places above the lowest one of row i, of k products.
macro_rules! cross_places {
    ($i:literal, 2) => {
        concat!(
            "mulx rbx, rcx, [rsi + 8*",
            $i,
            " + 16]\n",
            "adcx rcx, r9\n",
            "adox rcx, rax\n",
            "mov [rdi + 16*",
            $i,
            " + 16], rcx\n",
        )
    };
    ($i:literal, 3) => {
        concat!(
            cross_places!($i, 2),
            place!([$i, " + 8*", 2, " + 8"], "r8", "r10", "rax", "rbx")
        )
    };
    ($i:literal, 4) => {
        concat!(
            cross_places!($i, 3),
            place!([$i, " + 8*", 3, " + 8"], "r9", "r11", "rbx", "rax")
        )
    };
    ($i:literal, 5) => {
        concat!(
            cross_places!($i, 4),
            place!([$i, " + 8*", 4, " + 8"], "r10", "r12", "rax", "rbx")
        )
    };
    ($i:literal, 6) => {
        concat!(
            cross_places!($i, 5),
            place!([$i, " + 8*", 5, " + 8"], "r11", "r13", "rbx", "rax")
        )
    };
    ($i:literal, 7) => {
        concat!(
            cross_places!($i, 6),
            place!([$i, " + 8*", 6, " + 8"], "r12", "r14", "rax", "rbx")
        )
    };
}

/// Row i, of k products, where k limbs stand already.
macro_rules! cross_row {
    ($i:literal, $k:tt) => {
        concat!(
            "mov rdx, [rsi + 8*", $i, "]\n",
            "xor eax, eax\n",
            "mulx rax, rbx, [rsi + 8*", $i, " + 8]\n",
            "adcx rbx, r8\n",
            "mov [rdi + 16*", $i, " + 8], rbx\n",
            cross_row!(@ $i, $k),
        )
    };
    // The last row: its high half is the highest limb.
    (@ $i:literal, 1) => { concat!("adc rax, 0\n", "mov [rdi + 16*", $i, " + 16], rax\n") };
    (@ $i:literal, 2) => { concat!(cross_places!($i, 2), top!(@ "r8", "r8d", "rbx")) };
    (@ $i:literal, 3) => { concat!(cross_places!($i, 3), top!(@ "r9", "r9d", "rax")) };
    (@ $i:literal, 4) => { concat!(cross_places!($i, 4), top!(@ "r10", "r10d", "rbx")) };
    (@ $i:literal, 5) => { concat!(cross_places!($i, 5), top!(@ "r11", "r11d", "rax")) };
    (@ $i:literal, 6) => { concat!(cross_places!($i, 6), top!(@ "r12", "r12d", "rbx")) };
    (@ $i:literal, 7) => { concat!(cross_places!($i, 7), top!(@ "r13", "r13d", "rax")) };
}

/// The first row, of k products: nothing stands yet, one carry chain is enough.
macro_rules! first_cross_row {
    (1) => { concat!(first_cross_row!(@), "mov [rdi + 16], rax\n") };
    (2) => { concat!(first_cross_row!(@2), first_cross_row!(@ "r8", "r8d", "rbx")) };
    (3) => { concat!(first_cross_row!(@3), first_cross_row!(@ "r9", "r9d", "rax")) };
    (4) => { concat!(first_cross_row!(@4), first_cross_row!(@ "r10", "r10d", "rbx")) };
    (5) => { concat!(first_cross_row!(@5), first_cross_row!(@ "r11", "r11d", "rax")) };
    (6) => { concat!(first_cross_row!(@6), first_cross_row!(@ "r12", "r12d", "rbx")) };
    (7) => { concat!(first_cross_row!(@7), first_cross_row!(@ "r13", "r13d", "rax")) };
    (@) => { "mulx rax, rbx, [rsi + 8]\nmov [rdi + 8], rbx\n" };
    (@2) => {
        concat!(first_cross_row!(@), "mulx rbx, rcx, [rsi + 16]\nadd rcx, rax\nmov [rdi + 16], rcx\n")
    };
    (@3) => { concat!(first_cross_row!(@2), "mulx rax, r8, [rsi + 24]\nadc r8, rbx\n") };
    (@4) => { concat!(first_cross_row!(@3), "mulx rbx, r9, [rsi + 32]\nadc r9, rax\n") };
    (@5) => { concat!(first_cross_row!(@4), "mulx rax, r10, [rsi + 40]\nadc r10, rbx\n") };
    (@6) => { concat!(first_cross_row!(@5), "mulx rbx, r11, [rsi + 48]\nadc r11, rax\n") };
    (@7) => { concat!(first_cross_row!(@6), "mulx rax, r12, [rsi + 56]\nadc r12, rbx\n") };
    (@ $register:literal, $half:literal, $high:literal) => {
        concat!("mov ", $half, ", 0\n", "adc ", $register, ", ", $high, "\n")
    };
}

/// Doubles the limbs 2i − 1 and 2i, and adds the high half of the square of limb i − 1 and the low half of
/// that of limb i.
macro_rules! double_and_add {
    ($i:literal) => {
        concat!(
            "mov rdx, [rsi + 8*",
            $i,
            "]\n",
            "mov rcx, [rdi + 16*",
            $i,
            " - 8]\n",
            "adcx rcx, rcx\n",
            "adox rcx, rbx\n",
            "mov [rdi + 16*",
            $i,
            " - 8], rcx\n",
            "mulx rbx, rax, rdx\n",
            "mov rcx, [rdi + 16*",
            $i,
            "]\n",
            "adcx rcx, rcx\n",
            "adox rcx, rax\n",
            "mov [rdi + 16*",
            $i,
            "], rcx\n",
        )
    };
}

/// Doubles the limbs 1 to 2n − 2, and adds the squares of all limbs: the end of a square.
macro_rules! double_and_add_squares {
    ($n:literal, $($i:literal)+) => {
        concat!(
            "mov rdx, [rsi]\n",
            // No carries yet.
            "xor eax, eax\n",
            "mulx rbx, rax, rdx\n",
            "mov [rdi], rax\n",
            $(double_and_add!($i),)+
            "mov eax, 0\n",
            "adcx rbx, rax\n",
            "adox rbx, rax\n",
            "mov [rdi + 16*", $n, " - 8], rbx\n",
        )
    };
}
