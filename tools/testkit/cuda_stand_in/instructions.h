// The table of PTX's instructions: one row each, as the definition of the language has them.
//
// ROW(name, operands, issued, products, what it does). A dot of the name is `_` here. `issued` is what a processor issues
// for it, in instructions of 32 bits: twice for 64 bits; half for each part of a product with a carry, since two parts are
// one instruction on a GPU; nothing for what only names a value. `products` are multiply-adds of 32 bits, two for a product
// with all 64 bits, or operations on doubles. Both are estimates for counts, and results don't depend on them.
//
// A value takes a slot of 64 bits, extended from its type; GET(type, n) is operand n, and PUT sets the first, operand 0.
#pragma once

#define OF_16_BITS(EACH) EACH(u16, 1) EACH(s16, 1) EACH(b16, 1)
#define OF_32_BITS(EACH) EACH(u32, 1) EACH(s32, 1) EACH(b32, 1)
#define OF_64_BITS(EACH) EACH(u64, 2) EACH(s64, 2) EACH(b64, 2)
#define OF_NUMBERS(EACH) EACH(u16, 1) EACH(s16, 1) EACH(u32, 1) EACH(s32, 1) EACH(u64, 2) EACH(s64, 2)
#define OF_BITS(EACH) EACH(b16, 1) EACH(b32, 1) EACH(b64, 2)

// Values as they are.
#define MOVES(T, issued) ROW(mov_##T, 2, 0, 0, PUT(T, GET(T, 1)))
#define CHOICES(T, issued) ROW(selp_##T, 4, issued, 0, PUT(T, GET(pred, 3) ? GET(T, 1) : GET(T, 2)))

// Sums, and products of one width.
#define SUMS(T, issued)                                          \
  ROW(add_##T, 3, issued, 0, PUT(T, GET(T, 1) + GET(T, 2)))      \
  ROW(sub_##T, 3, issued, 0, PUT(T, GET(T, 1) - GET(T, 2)))      \
  ROW(min_##T, 3, issued, 0, PUT(T, GET(T, 1) < GET(T, 2) ? GET(T, 1) : GET(T, 2))) \
  ROW(max_##T, 3, issued, 0, PUT(T, GET(T, 1) > GET(T, 2) ? GET(T, 1) : GET(T, 2)))
#define SIGNS(T, issued)                                  \
  ROW(neg_##T, 2, issued, 0, PUT(T, (T)0 - GET(T, 1)))    \
  ROW(abs_##T, 2, issued, 0, PUT(T, GET(T, 1) < 0 ? (T)0 - GET(T, 1) : GET(T, 1)))
// `twice` is the type of twice the width.
#define PRODUCTS(T, twice, bits, low, high, low_products, high_products)                                        \
  ROW(mul_lo_##T, 3, low, low_products, PUT(T, (twice)GET(T, 1) * GET(T, 2)))                                \
  ROW(mul_hi_##T, 3, high, high_products, PUT(T, (twice)GET(T, 1) * GET(T, 2) >> bits))                      \
  ROW(mad_lo_##T, 4, low, low_products, PUT(T, (twice)GET(T, 1) * GET(T, 2) + GET(T, 3)))                    \
  ROW(mad_hi_##T, 4, high, high_products, PUT(T, ((twice)GET(T, 1) * GET(T, 2) >> bits) + GET(T, 3)))
#define WIDE_PRODUCTS(T, twice, products)                                            \
  ROW(mul_wide_##T, 3, 1, products, PUT(twice, (twice)GET(T, 1) * GET(T, 2)))        \
  ROW(mad_wide_##T, 4, 1, products, PUT(twice, (twice)GET(T, 1) * GET(T, 2) + GET(twice, 3)))

// The carry flag holds a borrow after a difference. It is read where a `c` follows the name, and set where `.cc` does.
#define CARRIED(T, twice, bits, sum)                                    \
  do {                                                                  \
    twice all = (twice)(sum);                                           \
    PUT(T, all);                                                        \
    flag = (unsigned)(all >> bits) & 1;                                 \
  } while (0)
#define KEEPING(T, sum) PUT(T, sum)
#define CARRIES(T, twice, bits, issued)                                                                       \
  ROW(add_cc_##T, 3, issued, 0, CARRIED(T, twice, bits, (twice)GET(T, 1) + GET(T, 2)))                         \
  ROW(addc_##T, 3, issued, 0, KEEPING(T, GET(T, 1) + GET(T, 2) + flag))                                        \
  ROW(addc_cc_##T, 3, issued, 0, CARRIED(T, twice, bits, (twice)GET(T, 1) + GET(T, 2) + flag))                 \
  ROW(sub_cc_##T, 3, issued, 0, CARRIED(T, twice, bits, (twice)GET(T, 1) - GET(T, 2)))                         \
  ROW(subc_##T, 3, issued, 0, KEEPING(T, GET(T, 1) - GET(T, 2) - flag))                                        \
  ROW(subc_cc_##T, 3, issued, 0, CARRIED(T, twice, bits, (twice)GET(T, 1) - GET(T, 2) - flag))
#define LOW(T, twice, bits) (twice)(T)((twice)GET(T, 1) * GET(T, 2))
#define HIGH(T, twice, bits) ((twice)GET(T, 1) * GET(T, 2) >> bits)
#define CARRIED_PRODUCTS(T, twice, bits, part, PART, issued, products)                                                        \
  ROW(mad_##part##_cc_##T, 4, issued, products, CARRIED(T, twice, bits, PART(T, twice, bits) + GET(T, 3)))                     \
  ROW(madc_##part##_##T, 4, issued, products, KEEPING(T, PART(T, twice, bits) + GET(T, 3) + flag))                             \
  ROW(madc_##part##_cc_##T, 4, issued, products, CARRIED(T, twice, bits, PART(T, twice, bits) + GET(T, 3) + flag))

// What a division by zero gives is not defined: here a quotient has all bits set, and a remainder is the dividend.
#define QUOTIENTS(T, issued)                                                                  \
  ROW(div_##T, 3, 20 * issued, 0, PUT(T, GET(T, 2) ? GET(T, 1) / GET(T, 2) : (T)-1)) \
  ROW(rem_##T, 3, 20 * issued, 0, PUT(T, GET(T, 2) ? GET(T, 1) % GET(T, 2) : GET(T, 1)))

// Bits. A shift by the width or more leaves nothing, or only the sign.
#define WIDTH(T) (8 * sizeof(T))
#define LOGIC(T, issued)                                          \
  ROW(and_##T, 3, issued, 0, PUT(T, GET(T, 1) & GET(T, 2)))       \
  ROW(or_##T, 3, issued, 0, PUT(T, GET(T, 1) | GET(T, 2)))        \
  ROW(xor_##T, 3, issued, 0, PUT(T, GET(T, 1) ^ GET(T, 2)))       \
  ROW(not_##T, 2, issued, 0, PUT(T, ~GET(T, 1)))                  \
  ROW(shl_##T, 3, issued, 0, PUT(T, GET(u32, 2) < WIDTH(T) ? GET(u64, 1) << GET(u32, 2) : 0))
#define SHIFTS_OF_UNSIGNED(T, issued) ROW(shr_##T, 3, issued, 0, PUT(T, GET(u32, 2) < WIDTH(T) ? GET(T, 1) >> GET(u32, 2) : 0))
#define SHIFTS_OF_SIGNED(T, issued) \
  ROW(shr_##T, 3, issued, 0, PUT(T, GET(T, 1) >> (GET(u32, 2) < WIDTH(T) ? GET(u32, 2) : WIDTH(T) - 1)))
// The bits of operand 1 take those of operand 2 from place 3 on, as many as operand 4 says.
#define ONES(T, count) ((count) < WIDTH(T) ? ((T)1 << (count)) - 1 : (T)-1)
#define INSERTIONS(T, issued)                                                                            \
  ROW(bfi_##T, 5, issued, 0, do {                                                                        \
    u32 place = GET(u32, 3) & 255, count = GET(u32, 4) & 255;                                            \
    T mask = place < WIDTH(T) ? ONES(T, count) << place : 0;                                             \
    T moved = place < WIDTH(T) ? GET(T, 1) << place : 0;                                                 \
    PUT(T, (moved & mask) | (GET(T, 2) & ~mask));                                                        \
  } while (0))

// Comparisons.
#define EQUALITIES(T, issued)                                       \
  ROW(setp_eq_##T, 3, issued, 0, PUT(pred, GET(T, 1) == GET(T, 2))) \
  ROW(setp_ne_##T, 3, issued, 0, PUT(pred, GET(T, 1) != GET(T, 2)))
#define ORDERS(T, issued)                                           \
  ROW(setp_lt_##T, 3, issued, 0, PUT(pred, GET(T, 1) < GET(T, 2)))  \
  ROW(setp_le_##T, 3, issued, 0, PUT(pred, GET(T, 1) <= GET(T, 2))) \
  ROW(setp_gt_##T, 3, issued, 0, PUT(pred, GET(T, 1) > GET(T, 2)))  \
  ROW(setp_ge_##T, 3, issued, 0, PUT(pred, GET(T, 1) >= GET(T, 2)))

// Conversions of integers cut, or extend by the sign of the type they come from.
#define CONVERSION(to, from) ROW(cvt_##to##_##from, 2, 0.5, 0, PUT(to, GET(from, 1)))
#define CONVERSIONS(from, issued) \
  CONVERSION(u16, from) CONVERSION(s16, from) CONVERSION(u32, from) CONVERSION(s32, from) CONVERSION(u64, from) CONVERSION(s64, from)

// Doubles, rounded to the nearest. A comparison whose name ends in u holds for what is no number too, the others never do.
#define DOUBLES                                                                                             \
  ROW(add_rn_f64, 3, 1, 1, PUT(f64, GET(f64, 1) + GET(f64, 2)))                                             \
  ROW(sub_rn_f64, 3, 1, 1, PUT(f64, GET(f64, 1) - GET(f64, 2)))                                             \
  ROW(mul_rn_f64, 3, 1, 1, PUT(f64, GET(f64, 1) * GET(f64, 2)))                                             \
  ROW(div_rn_f64, 3, 20, 10, PUT(f64, GET(f64, 1) / GET(f64, 2)))                                            \
  ROW(fma_rn_f64, 4, 1, 1, PUT(f64, fma(GET(f64, 1), GET(f64, 2), GET(f64, 3))))                            \
  ROW(rcp_rn_f64, 2, 10, 5, PUT(f64, 1 / GET(f64, 1)))                                                      \
  ROW(neg_f64, 2, 1, 0, PUT(f64, -GET(f64, 1)))                                                             \
  ROW(abs_f64, 2, 1, 0, PUT(f64, fabs(GET(f64, 1))))                                                        \
  ROW(cvt_rni_f64_f64, 2, 1, 0, PUT(f64, rint(GET(f64, 1))))                                                \
  ROW(setp_eq_f64, 3, 1, 0, PUT(pred, GET(f64, 1) == GET(f64, 2)))                                          \
  ROW(setp_ne_f64, 3, 1, 0, PUT(pred, GET(f64, 1) < GET(f64, 2) || GET(f64, 1) > GET(f64, 2)))              \
  ROW(setp_equ_f64, 3, 1, 0, PUT(pred, !(GET(f64, 1) < GET(f64, 2) || GET(f64, 1) > GET(f64, 2))))          \
  ROW(setp_neu_f64, 3, 1, 0, PUT(pred, GET(f64, 1) != GET(f64, 2)))                                         \
  ROW(setp_ltu_f64, 3, 1, 0, PUT(pred, !(GET(f64, 1) >= GET(f64, 2))))                                      \
  ROW(setp_leu_f64, 3, 1, 0, PUT(pred, !(GET(f64, 1) > GET(f64, 2))))                                       \
  ROW(setp_gtu_f64, 3, 1, 0, PUT(pred, !(GET(f64, 1) <= GET(f64, 2))))                                      \
  ROW(setp_geu_f64, 3, 1, 0, PUT(pred, !(GET(f64, 1) < GET(f64, 2))))                                       \
  ORDERS(f64, 1)

// Memory, and what is next. Of loads and stores, the reader takes the space, the type and the number of values apart.
#define ORDER_OF_STEPS                                                                      \
  ROW(ld_param, 0, 0, 0, LOAD(values_at))                                                   \
  ROW(ld_global, 0, 1, 0, LOAD(global_at))                                                  \
  ROW(ld_shared, 0, 1, 0, LOAD(shared_at))                                                  \
  ROW(ld_local, 0, 1, 0, LOAD(local_at))                                                    \
  ROW(st_global, 0, 1, 0, STORE(global_at))                                                 \
  ROW(st_shared, 0, 1, 0, STORE(shared_at))                                                 \
  ROW(st_local, 0, 1, 0, STORE(local_at))                                                   \
  ROW(bra, 0, 1, 0, BRANCH)                                                                 \
  ROW(bar_sync, 1, 4, 0, STOP(WAITING))                                                     \
  ROW(ret, 0, 1, 0, STOP(ENDED))

#define INSTRUCTIONS                                                                                                  \
  OF_16_BITS(MOVES) OF_32_BITS(MOVES) OF_64_BITS(MOVES) MOVES(f64, 0) MOVES(pred, 0)                           \
  OF_16_BITS(CHOICES) OF_32_BITS(CHOICES) OF_64_BITS(CHOICES) CHOICES(f64, 2)                                  \
  ROW(mov_b64_from_halves, 3, 0, 0, PUT(u64, GET(u32, 1) | GET(u64, 2) << 32))                                 \
  ROW(mov_b64_to_halves, 3, 0, 0, do { u64 whole = GET(u64, 2); SET(u32, 0, whole); SET(u32, 1, whole >> 32); } while (0)) \
  ROW(cvta_to_global_u64, 2, 0, 0, PUT(u64, GET(u64, 1)))                                                      \
  OF_NUMBERS(SUMS) SIGNS(s16, 1) SIGNS(s32, 1) SIGNS(s64, 2) QUOTIENTS(u16, 1) QUOTIENTS(u32, 1) QUOTIENTS(u64, 2) \
  PRODUCTS(u16, u32, 16, 1, 1, 1, 1) PRODUCTS(s16, s32, 16, 1, 1, 1, 1)                                        \
  PRODUCTS(u32, u64, 32, 1, 1, 1, 1) PRODUCTS(s32, s64, 32, 1, 1, 1, 1)                                        \
  PRODUCTS(u64, u128, 64, 3, 8, 4, 8) PRODUCTS(s64, s128, 64, 3, 8, 4, 8)                                      \
  WIDE_PRODUCTS(u16, u32, 1) WIDE_PRODUCTS(s16, s32, 1) WIDE_PRODUCTS(u32, u64, 2) WIDE_PRODUCTS(s32, s64, 2)  \
  CARRIES(u32, u64, 32, 1) CARRIES(u64, u128, 64, 2)                                                           \
  CARRIED_PRODUCTS(u32, u64, 32, lo, LOW, 0.5, 1) CARRIED_PRODUCTS(u32, u64, 32, hi, HIGH, 0.5, 1)         \
  CARRIED_PRODUCTS(u64, u128, 64, lo, LOW, 3, 4) CARRIED_PRODUCTS(u64, u128, 64, hi, HIGH, 8, 8)               \
  OF_BITS(LOGIC) OF_BITS(INSERTIONS)                                                                           \
  ROW(and_pred, 3, 1, 0, PUT(pred, GET(pred, 1) & GET(pred, 2)))                                               \
  ROW(or_pred, 3, 1, 0, PUT(pred, GET(pred, 1) | GET(pred, 2)))                                                \
  ROW(xor_pred, 3, 1, 0, PUT(pred, GET(pred, 1) ^ GET(pred, 2)))                                               \
  ROW(not_pred, 2, 1, 0, PUT(pred, !GET(pred, 1)))                                                             \
  SHIFTS_OF_UNSIGNED(u16, 1) SHIFTS_OF_UNSIGNED(u32, 1) SHIFTS_OF_UNSIGNED(u64, 2)                             \
  SHIFTS_OF_SIGNED(s16, 1) SHIFTS_OF_SIGNED(s32, 1) SHIFTS_OF_SIGNED(s64, 2)                                   \
  ROW(prmt_b32, 4, 1, 0, PUT(u32, permuted(GET(u32, 1) | GET(u64, 2) << 32, GET(u32, 3))))                     \
  OF_NUMBERS(EQUALITIES) OF_BITS(EQUALITIES) OF_NUMBERS(ORDERS) OF_NUMBERS(CONVERSIONS)                        \
  DOUBLES ORDER_OF_STEPS
