/* The look-ups of the kernels whose tables have sixteen entries: by half bytes, as Keiser and Lemire do. Include it where
 * KERNEL and the operations on vectors are defined (see stretches.h).
 *
 * after_high and after_low together name the errors that are possible after the byte p1, at_high those that are possible
 * at the byte b0. An error that all three name is there. wide.h explains the names.
 */
#ifndef UTF8_HALF_BYTES_H
#define UTF8_HALF_BYTES_H

#include "wide.h"

/* What may be wrong given the high four bits of p1 ... */
static const uint8_t after_high[32] = {TWICE(
    LONE_TAIL, LONE_TAIL, LONE_TAIL, LONE_TAIL,   /* 00..3F  UTF8-1 */
    LONE_TAIL, LONE_TAIL, LONE_TAIL, LONE_TAIL,   /* 40..7F */
    TWO_TAILS, TWO_TAILS, TWO_TAILS, TWO_TAILS,   /* 80..BF  UTF8-tail */
    NO_TAIL | OVERLONG_2,                         /* C0..CF  UTF8-2 */
    NO_TAIL,                                      /* D0..DF */
    NO_TAIL | OVERLONG_3 | SURROGATE,             /* E0..EF  UTF8-3 */
    NO_TAIL | BAD_8X | TOO_LARGE                  /* F0..FF  UTF8-4 */
)};

/* ... and given its low four bits, which do not matter for some errors. */
enum { ANY = NO_TAIL | LONE_TAIL | TWO_TAILS, ABOVE = ANY | BAD_8X | TOO_LARGE };
static const uint8_t after_low[32] = {TWICE(
    ANY | OVERLONG_2 | OVERLONG_3 | BAD_8X,       /* C0      E0      F0 */
    ANY | OVERLONG_2,                             /* C1 */
    ANY,
    ANY,
    ANY | TOO_LARGE,                              /*                 F4 */
    ABOVE, ABOVE, ABOVE, ABOVE,                   /*                 F5..F8 */
    ABOVE, ABOVE, ABOVE, ABOVE,                   /*                 F9..FC */
    ABOVE | SURROGATE,                            /*         ED      FD */
    ABOVE, ABOVE                                  /*                 FE, FF */
)};

/* What may be wrong given the high four bits of b0, the byte itself. */
static const uint8_t at_high[32] = {TWICE(
    NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL,           /* 00..3F  UTF8-1 */
    NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL,           /* 40..7F */
    AT_8X, AT_9X, AT_AX_BX, AT_AX_BX,             /* 80..BF  UTF8-tail */
    NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL            /* C0..FF  leads */
)};

/* The errors that both p1 and b0 name, a bit for each. */
KERNEL UTF8_INLINE vector wrong_pairs(vector p1, vector b0) {
    const vector low = both(p1, all_lanes(0x0F));
    const vector after = both(look_up(after_high, high_half(p1)), look_up(after_low, low));
    return both(after, look_up(at_high, high_half(b0)));
}

#endif
