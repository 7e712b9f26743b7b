//! Tests of every family once more: with every command as late as OpenCL allows, and on a second runtime.

use sunzi_testkit::{run_late_and_shuffled, run_on_a_second_runtime};

/// Short tests of contexts that are made on one stream and used on another.
const TESTS: [&str; 13] = [
    "big_prime::convolutions_are_products_modulo_x_to_the_n_minus_and_plus_1",
    "carry::many_short_vectors",
    "convolution::operands_in_one_buffer_have_the_same_products",
    "determinant::panels_are_computed_in_pieces_of_what_the_memory_holds",
    "integer::batches_of_all_counts",
    "ntt::several_primes_are_transformed_at_a_time",
    "products::integers_word_by_word_and_by_transforms",
    "products::operands_stay_on_the_device",
    "resident::products_are_used_on_other_streams_without_a_wait",
    "residues::values_are_reduced_modulo_one_more_number",
    "schoolbook::products_in_32_bits_are_the_definition",
    "tree::equal_points_modulo_a_big_prime_are_found",
    "tree::values_are_the_same_each_time",
];

#[test]
fn right_where_commands_are_late_and_shuffled() {
    run_late_and_shuffled(&TESTS);
}

#[test]
fn right_on_a_second_runtime_each_time() {
    run_on_a_second_runtime(&TESTS);
}
