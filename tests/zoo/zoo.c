/* The zoo: decoders that are wrong on purpose, each in one way, to measure which suite finds them out.
 *
 * A row of ZOO is a kind of mistake with a name, a note and its parameters; kind and parameter together are a decoder.
 * zoo_accepts, zoo_answers and the rest work on the decoder that zoo_select has chosen. Kind 0 is right: nothing may
 * find a fault in it. The mistakes are ours, after those that real decoders have had.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef const uint8_t *Bytes;

/* ---- the right decoder, by RFC 3629 section 4 ---- */

static int tail(int b) { return b >= 0x80 && b <= 0xBF; }

/* How many bytes the first byte announces; 0 where it cannot begin a character. */
static size_t announced(int b)
{
    return b <= 0x7F ? 1 : b >= 0xC2 && b <= 0xDF ? 2 : b >= 0xE0 && b <= 0xEF ? 3 : b >= 0xF0 && b <= 0xF4 ? 4 : 0;
}

static int second_fits(int first, int b)
{
    int low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    int high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    return b >= low && b <= high;
}

/* The length of the character that begins p[0..n), n > 0; else 0, and in *part the length of the maximal subpart. */
static size_t character(Bytes p, size_t n, size_t *part)
{
    size_t want = announced(p[0]), i = 1;
    *part = 1;
    if (want == 0)
        return 0;
    while (i < want && i < n && (i == 1 ? second_fits(p[0], p[1]) : tail(p[i])))
        i++;
    *part = i;
    return i == want ? want : 0;
}

static int right(Bytes p, size_t n)
{
    size_t part;
    for (size_t i = 0, size; i < n; i += size)
        if (!(size = character(p + i, n - i, &part)))
            return 0;
    return 1;
}

static uint32_t value(Bytes p, size_t size)
{
    uint32_t v = size == 1 ? p[0] : p[0] & (0xFFu >> (size + 1));
    for (size_t i = 1; i < size; i++)
        v = v << 6 | (p[i] & 0x3Fu);
    return v;
}

/* The bytes of a sequence as a loose decoder sees it: the first byte and the tails it asks for, as far as they are there. */
static size_t loose(Bytes p, size_t n)
{
    size_t want = p[0] < 0xC0 ? 1 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : p[0] < 0xF8 ? 4 : p[0] < 0xFC ? 5 : p[0] < 0xFE ? 6 : 1;
    size_t i = 1;
    while (i < want && i < n && tail(p[i]))
        i++;
    return i;
}

/* ---- a walk that asks at each error whether to forgive it, and at each character whether to refuse it ---- */

typedef struct {
    Bytes p;
    size_t n, at, size; /* the text; where the sequence begins, and its length (of the maximal subpart, if ill-formed) */
    size_t bad;         /* the first byte that cannot be right; n where the end cut it */
    size_t past;        /* where the last character before it began; SIZE_MAX at the start */
    int a;              /* the decoder's parameter */
} Here;

typedef size_t (*Forgive)(const Here *); /* how many bytes to go on by, or 0: reject */
typedef int (*Refuse)(const Here *);

static int walk(Bytes p, size_t n, int a, Forgive forgive, Refuse refuse)
{
    Here h = {p, n, 0, 0, 0, SIZE_MAX, a};
    while (h.at < n) {
        size_t part, size = character(p + h.at, n - h.at, &part);
        h.size = size ? size : part;
        h.bad = announced(p[h.at]) == 0 ? h.at : h.at + h.size;
        size_t step = size ? (refuse && refuse(&h) ? 0 : size) : forgive ? forgive(&h) : 0;
        if (step == 0)
            return 0;
        h.past = size ? h.at : SIZE_MAX;
        h.at += step;
    }
    return 1;
}

#define FORGIVES(name, when, step) \
    static size_t name##_(const Here *h) { return (when) ? (step) : 0; } \
    static int name(Bytes p, size_t n, int a) { return walk(p, n, a, name##_, NULL); }
#define REFUSES(name, when) \
    static int name##_(const Here *h) { return (when); } \
    static int name(Bytes p, size_t n, int a) { return walk(p, n, a, NULL, name##_); }

#define B0 (h->p[h->at])
#define B(i) (h->at + (i) < h->n ? h->p[h->at + (i)] : -1)
#define LOOSE loose(h->p + h->at, h->n - h->at)
#define WHOLE(k) (LOOSE == (k)) /* as many bytes as the first one asks for are there */
#define V value(h->p + h->at, h->size)
#define CUT (h->bad == h->n && h->bad != h->at)

/* accepts too much: sequences */
FORGIVES(all_surrogates, B0 == 0xED && B(1) >= 0xA0 && WHOLE(3), 3)
FORGIVES(high_surrogates, B0 == 0xED && B(1) >= 0xA0 && B(1) <= 0xAF && WHOLE(3), 3)
FORGIVES(low_surrogates, B0 == 0xED && B(1) >= 0xB0 && WHOLE(3), 3)
FORGIVES(second_ED, B0 == 0xED && B(1) == h->a && WHOLE(3), 3)
static int half(const Here *h, size_t i, int low) { return B(i) == 0xED && B(i + 1) >= low && B(i + 1) <= low + 15 && tail(B(i + 2)); }
FORGIVES(paired_surrogates, half(h, 0, 0xA0) && half(h, 3, 0xB0), 6)
FORGIVES(turned_surrogates, half(h, 0, 0xB0) && half(h, 3, 0xA0), 6)
FORGIVES(overlong_2, (B0 == 0xC0 || B0 == 0xC1) && WHOLE(2), 2)
FORGIVES(first_byte_2, B0 == h->a && tail(B(1)), 2)
FORGIVES(just_nul_2, B0 == 0xC0 && B(1) == 0x80, 2)
FORGIVES(just_slash_2, B0 == 0xC0 && B(1) == 0xAF, 2)
FORGIVES(loose_slash_2, B0 == 0xC0 && B(1) == 0x2F, 2)
FORGIVES(overlong_3, B0 == 0xE0 && B(1) >= 0x80 && B(1) < 0xA0 && WHOLE(3), 3)
FORGIVES(second_E0, B0 == 0xE0 && B(1) == h->a && WHOLE(3), 3)
FORGIVES(overlong_4, B0 == 0xF0 && B(1) >= 0x80 && B(1) < 0x90 && WHOLE(4), 4)
FORGIVES(second_F0, B0 == 0xF0 && B(1) == h->a && WHOLE(4), 4)
FORGIVES(all_overlong, (B0 == 0xC0 || B0 == 0xC1 || ((B0 == 0xE0 || B0 == 0xF0) && tail(B(1)))) && WHOLE(B0 < 0xE0 ? 2u : B0 < 0xF0 ? 3u : 4u), LOOSE)
FORGIVES(above_F4, B0 == 0xF4 && B(1) >= 0x90 && WHOLE(4), 4)
FORGIVES(second_F4, B0 == 0xF4 && B(1) == h->a && WHOLE(4), 4)
FORGIVES(four_bytes, B0 == h->a && WHOLE(4), 4)
FORGIVES(F5_to_F7, B0 >= 0xF5 && B0 <= 0xF7 && WHOLE(4), 4)
FORGIVES(to_1FFFFF, ((B0 >= 0xF5 && B0 <= 0xF7) || (B0 == 0xF4 && tail(B(1)))) && WHOLE(4), 4)
FORGIVES(five_bytes, B0 >= 0xF8 && B0 <= 0xFB && WHOLE(5), 5)
FORGIVES(six_bytes, B0 >= 0xFC && B0 <= 0xFD && WHOLE(6), 6)
FORGIVES(rfc2279, B0 >= 0xF4 && B0 <= 0xFD && WHOLE(B0 < 0xF8 ? 4u : B0 < 0xFC ? 5u : 6u) && LOOSE > 1, LOOSE)
FORGIVES(five_strict, B0 >= 0xF8 && B0 <= 0xFB && (B0 > 0xF8 || B(1) >= 0x88) && WHOLE(5), 5)
FORGIVES(six_strict, B0 >= 0xFC && B0 <= 0xFD && (B0 > 0xFC || B(1) >= 0x84) && WHOLE(6), 6)
static size_t tails(const Here *h)
{
    size_t i = 1;
    while (tail(B(i)))
        i++;
    return i;
}
FORGIVES(seven_bytes, B0 == 0xFE && tails(h) >= 7, 7)
FORGIVES(thirteen_bytes, B0 == 0xFF && tails(h) >= 13, 13)
FORGIVES(single, B0 == h->a, 1)
FORGIVES(latin_1, h->bad == h->at && tail(B0), 1)
FORGIVES(windows_1252, B0 >= 0x80 && h->bad == h->at, 1)
FORGIVES(one_coded, h->at == 0 && (B0 << 16 | B(1) << 8 | B(2)) == h->a && WHOLE(3), 3)
FORGIVES(all_forms, LOOSE > 1 && WHOLE(B0 < 0xE0 ? 2u : B0 < 0xF0 ? 3u : B0 < 0xF8 ? 4u : B0 < 0xFC ? 5u : 6u), LOOSE)

/* accepts too much: tails and ends */
FORGIVES(cut_at_end, CUT, h->size)
FORGIVES(cut_after, CUT && h->size == (size_t)h->a % 8 && announced(B0) == (size_t)h->a / 8, h->size)
FORGIVES(cut_by_ascii, h->bad != h->at && B(h->size) >= 0 && B(h->size) < 0x80, h->size)
FORGIVES(cut_by_first, h->bad != h->at && B(h->size) >= 0xC2, h->size)
FORGIVES(cut_by_nul, h->bad != h->at && B(h->size) == 0, h->size)
FORGIVES(unchecked_tail, announced(B0) == (size_t)h->a / 8 && h->size == (size_t)h->a % 8 && B(h->size) >= 0 && h->at + announced(B0) <= h->n, announced(B0))
FORGIVES(tail_masked, announced(B0) > 1 && h->size + 1 == announced(B0) && B(h->size) >= 0xC0 && h->at + announced(B0) <= h->n, announced(B0))
FORGIVES(tail_to_FF, announced(B0) == 2 && B(1) >= 0x80, 2)
FORGIVES(tail_from_00, announced(B0) == 2 && B(1) >= 0 && B(1) <= 0xBF, 2)
FORGIVES(tail_is, announced(B0) == 2 && B(1) == h->a, 2)
FORGIVES(third_is, announced(B0) == 3 && h->size == 2 && B(2) == h->a, 3)
FORGIVES(third_after, announced(B0) == 3 && B0 == h->a && h->size == 2 && B(2) == 0xC3, 3)
FORGIVES(fourth_after, B0 == h->a && h->size == 3 && B(3) == 0x41, 4)
FORGIVES(third_of_four, B0 == h->a && h->size == 2 && B(2) == 0xEF && tail(B(3)), 4)
FORGIVES(skips_to_good, h->at > 0, h->size)
FORGIVES(first_error_only_at_start, h->at != 0, h->size)

/* accepts too much: after something */
static size_t length_before(const Here *h) { return h->past == SIZE_MAX ? 0 : h->at - h->past; }
static int alternative(Bytes p)
{
    int b = p[0];
    return b <= 0x7F ? 0 : b <= 0xDF ? 1 : b == 0xE0 ? 2 : b <= 0xEC ? 3 : b == 0xED ? 4 : b <= 0xEF ? 5 : b == 0xF0 ? 6 : b <= 0xF3 ? 7 : 8;
}
static int before_is(const Here *h, int j) { return h->past != SIZE_MAX && alternative(h->p + h->past) == j; }
FORGIVES(tail_after_length, length_before(h) == (size_t)h->a && tail(B0), 1)
FORGIVES(tail_after, before_is(h, h->a) && tail(B0), 1)
FORGIVES(C0_after, before_is(h, h->a) && B0 == 0xC0 && tail(B(1)), 2)
FORGIVES(surrogate_after, before_is(h, h->a) && B0 == 0xED && WHOLE(3), 3)
FORGIVES(large_after, before_is(h, h->a) && B0 == 0xF4 && WHOLE(4), 4)
FORGIVES(cut_after_alternative, before_is(h, h->a) && CUT, h->size)
FORGIVES(C0_after_lead, h->past != SIZE_MAX && h->p[h->past] == h->a && B0 == 0xC0 && tail(B(1)), 2)
FORGIVES(tail_after_lead, h->past != SIZE_MAX && h->p[h->past] == h->a && tail(B0), 1)
FORGIVES(any_after_nul, h->at > 0 && memchr(h->p, 0, h->at), h->size)
FORGIVES(any_after_bom, h->at >= 3 && !memcmp(h->p, "\xEF\xBB\xBF", 3), h->size)
FORGIVES(any_after_escape, h->at > 0 && memchr(h->p, 0x1B, h->at), h->size)
FORGIVES(bom_of_16, (h->at == 0 && ((B0 == 0xFF && B(1) == 0xFE) || (B0 == 0xFE && B(1) == 0xFF))), h->n)

/* accepts too much: by place */
FORGIVES(from_offset, h->bad >= (size_t)h->a, h->size)
FORGIVES(at_offset, h->bad == (size_t)h->a, h->size)
FORGIVES(every_other, h->bad % 2 == (size_t)h->a, h->size)
FORGIVES(last_byte, h->at + h->size == h->n && !CUT, h->size)
FORGIVES(first_byte, h->at == 0, h->size)
FORGIVES(long_texts, h->n > (size_t)h->a, h->size)
FORGIVES(exact_length, h->n == (size_t)h->a, h->size)

/* rejects too much */
REFUSES(no_byte, B0 == h->a)
REFUSES(no_controls, B0 < 0x20 && !(B0 == 9 || B0 == 10 || B0 == 13))
REFUSES(no_c1, B0 == 0xC2 && B(1) < 0xA0)
REFUSES(no_scalar, V == (uint32_t)h->a)
REFUSES(no_nonchars, (V & 0xFFFE) == 0xFFFE || (V >= 0xFDD0 && V <= 0xFDEF))
REFUSES(no_FDD0, V >= 0xFDD0 && V <= 0xFDEF)
REFUSES(no_plane_ends, V > 0xFFFF && (V & 0xFFFE) == 0xFFFE)
REFUSES(no_bom_first, h->at == 0 && V == 0xFEFF)
REFUSES(no_bom_later, h->at > 0 && V == 0xFEFF)
REFUSES(no_bom_alone, h->n == 3 && V == 0xFEFF)
REFUSES(no_private, (V >= 0xE000 && V <= 0xF8FF) || V >= 0xF0000)
REFUSES(no_private_planes, V >= 0xF0000)
REFUSES(no_plane, V >> 16 == (uint32_t)h->a)
REFUSES(no_length, h->size == (size_t)h->a)
REFUSES(no_first_byte, h->size > 1 && B0 == h->a)
REFUSES(second_twice, h->size == (size_t)h->a && length_before(h) == h->size)
REFUSES(change_of_length, h->past != SIZE_MAX && (int)(length_before(h) * 8 + h->size) == h->a)
REFUSES(no_text_of, h->at == 0 && h->n == (size_t)h->a)
REFUSES(no_text_above, h->n > (size_t)h->a)
REFUSES(no_high_tail, h->size > 1 && B(h->size - 1) == h->a)
REFUSES(straddles, h->at / (size_t)h->a != (h->at + h->size - 1) / (size_t)h->a)
REFUSES(straddles_last, h->at / (size_t)h->a == h->n / (size_t)h->a - 1 && h->n >= (size_t)h->a && h->at / (size_t)h->a != (h->at + h->size - 1) / (size_t)h->a)
REFUSES(combining, V >= 0x300 && V <= 0x36F)
REFUSES(four_after_64, h->at >= 64 && h->size == 4)
REFUSES(second_block_non_ascii, h->at >= 64 && h->size > 1)
static int no_empty(Bytes p, size_t n, int a) { (void)a; return n > 0 && right(p, n); }

/* lengths and buffers */
static int length_in(Bytes p, size_t n, int a) { return right(p, n & (((size_t)1 << a) - 1)); }
static int at_most(Bytes p, size_t n, int a) { return right(p, n > (size_t)a ? (size_t)a : n); }
static int less(Bytes p, size_t n, int a) { return right(p, n > (size_t)a ? n - (size_t)a : 0); }
static int skips(Bytes p, size_t n, int a) { return n <= (size_t)a || right(p + a, n - (size_t)a); }
static int c_string(Bytes p, size_t n, int a)
{
    (void)a;
    Bytes end = n ? memchr(p, 0, n) : NULL;
    return right(p, end ? (size_t)(end - p) : n);
}
static const char *const LEFT_OUT[] = {
    "\xEF\xBB\xBF", "\xE2\x80\x8D", "\xE2\x80\x8B", "\xEF\xBF\xBD", "\xEF\xBF\xBE", "\xE2\x80\xAE", "\xEE\x80\x80", "\xE4\xBD\xA0",
    "\xF3\xA0\x80\x81", "\xF3\xA0\x81\xBF", "/**/", "<!-- -->", "\\\r\n", "\x1B[0m",
};
static int leaves_out(Bytes p, size_t n, int a) /* what is left over is judged */
{
    size_t size = strlen(LEFT_OUT[a]), kept = 0;
    uint8_t *text = malloc(n + 1);
    for (size_t i = 0; i < n;)
        if (n - i >= size && !memcmp(p + i, LEFT_OUT[a], size))
            i += size;
        else
            text[kept++] = p[i++];
    int verdict = right(text, kept);
    free(text);
    return verdict;
}
static int no_remainder(Bytes p, size_t n, int a) /* what does not fill a block of a bytes is not looked at */
{
    size_t size = n / (size_t)a * (size_t)a, part;
    for (size_t i = 0, step; i < size; i += step)
        if (!(step = character(p + i, n - i, &part)))
            return 0;
    return 1;
}
static int fresh_buffers(Bytes p, size_t n, int a) /* a cut character at a buffer's end is dropped */
{
    for (size_t at = 0; at < n; at += (size_t)a) {
        size_t room = n - at < (size_t)a ? n - at : (size_t)a, part;
        for (size_t i = 0, step; i < room; i += step)
            if (!(step = character(p + at + i, room - i, &part))) {
                if (i + part == room && at + room < n)
                    break;
                return 0;
            }
    }
    return 1;
}
static int reads_past(Bytes p, size_t n, int a) /* trusts the first byte, and looks at tails behind the end */
{
    (void)a;
    for (size_t i = 0, size, part; i < n; i += size)
        if (!(size = character(p + i, 4, &part)))
            return 0;
    return 1;
}
static int reads_past_not_first(Bytes p, size_t n, int a)
{
    (void)a;
    for (size_t i = 0, size, part; i < n; i += size)
        if (!(size = character(p + i, n - i < 2 ? n - i : 4, &part)))
            return 0;
    return 1;
}
static int ascii_by_word(Bytes p, size_t n, int a) /* text whose first a bytes are ASCII is taken for ASCII */
{
    for (size_t i = 0; i < (size_t)a && i < n; i++)
        if (p[i] >= 0x80)
            return right(p, n);
    return n >= (size_t)a || right(p, n);
}
static int samples(Bytes p, size_t n, int a) /* looks at the first and the last a bytes only */
{
    if (n <= 2 * (size_t)a)
        return right(p, n);
    size_t from = n - (size_t)a, part;
    while (from < n && tail(p[from]))
        from++;
    for (size_t i = 0, size; i < (size_t)a; i += size)
        if (!(size = character(p + i, n - i, &part)))
            return 0;
    return right(p + from, n - from);
}
static int counts_tails(Bytes p, size_t n, int a) /* only the number of tails is right */
{
    (void)a;
    size_t want = 0, found = 0;
    for (size_t i = 0; i < n; i++) {
        if (tail(p[i]))
            found++;
        else if (!announced(p[i]))
            return 0;
        else
            want += announced(p[i]) - 1;
    }
    return want == found;
}
static int backwards(Bytes p, size_t n, int a) /* checks from the last byte back, and stops at ASCII */
{
    (void)a;
    size_t i = n;
    while (i > 0 && p[i - 1] >= 0x80)
        i--;
    return right(p + i, n - i);
}

/* blocks, as SIMD code has them: a is the block's size in bits 8.., a lane or another number below */
#define SIZE ((size_t)h->a >> 8)
#define LANE ((size_t)h->a & 0xFF)
#define IN_FULL_BLOCK (h->bad / SIZE * SIZE + SIZE <= h->n)
#define ACROSS (h->at / SIZE != h->bad / SIZE) /* the error shows in the next block (or at the end) */
static int ascii_block(const Here *h, size_t from)
{
    if (from + SIZE > h->n)
        return 0;
    for (size_t i = 0; i < SIZE; i++)
        if (h->p[from + i] >= 0x80)
            return 0;
    return 1;
}
static int zero_block(const Here *h, size_t from)
{
    size_t i = 0;
    while (i < SIZE && from + i < h->n && h->p[from + i] == 0)
        i++;
    return i == SIZE;
}
FORGIVES(lane_blind, IN_FULL_BLOCK && h->bad % SIZE == LANE, LOOSE)
FORGIVES(lane_high_blind, IN_FULL_BLOCK && h->bad % SIZE == LANE && h->bad == h->at && B0 >= 0xF5, 1)
FORGIVES(lane_tail_blind, IN_FULL_BLOCK && h->bad % SIZE == LANE && h->bad == h->at && tail(B0), 1)
FORGIVES(lane_overlong_blind, h->bad % SIZE == LANE && B0 >= 0xE0 && h->bad == h->at + 1 && tail(B(1)), LOOSE)
FORGIVES(carry_lost, ACROSS && h->bad != h->n, h->size)
FORGIVES(carry_lost_ascii, h->bad % SIZE == 0 && h->bad != h->at && ascii_block(h, h->bad), h->size)
FORGIVES(carry_lost_zero, h->bad % SIZE == 0 && h->bad != h->at && zero_block(h, h->bad), h->size)
FORGIVES(end_of_block, CUT && h->n % SIZE == 0, h->size)
FORGIVES(end_not_of_block, CUT && h->n % SIZE != 0 && h->n > SIZE, h->size)
FORGIVES(end_short, CUT && h->n < SIZE, h->size)
FORGIVES(end_long, CUT && h->n > SIZE, h->size)
FORGIVES(rest_blind, h->bad >= h->n / SIZE * SIZE && h->n >= SIZE, LOOSE)
FORGIVES(rest_blind_ascii, h->at >= h->n / SIZE * SIZE && h->n > SIZE && h->at == h->n - 1, 1)
FORGIVES(short_blind, h->n < SIZE, LOOSE)
FORGIVES(first_lane_tail, h->at % SIZE == 0 && h->at > 0 && tail(B0), 1)
FORGIVES(border_second, h->at % SIZE == SIZE - 1 && h->bad == h->at + 1 && tail(B(1)), LOOSE)
FORGIVES(border_second_of, h->at % SIZE == SIZE - 1 && B0 == (int)LANE && tail(B(1)), LOOSE)
FORGIVES(border_third, h->at % SIZE == SIZE - 2 && h->bad == h->at + 2, LOOSE)
FORGIVES(border_fourth, h->at % SIZE == SIZE - 3 && h->bad == h->at + 3, LOOSE)
FORGIVES(border_C0, h->at % SIZE == SIZE - 1 && (B0 == 0xC0 || B0 == 0xC1) && tail(B(1)), 2)
FORGIVES(only_last_block, h->bad / SIZE < (h->n ? (h->n - 1) / SIZE : 0), LOOSE)
FORGIVES(only_first_blocks, h->bad / SIZE >= LANE, LOOSE)
FORGIVES(block_blind, h->bad / SIZE == LANE && IN_FULL_BLOCK, LOOSE)
FORGIVES(odd_blocks, h->bad / SIZE % 2 == 1 && IN_FULL_BLOCK, LOOSE)
FORGIVES(one_of_four, h->bad / SIZE % 4 == LANE && h->bad / SIZE / 4 * 4 * SIZE + 4 * SIZE <= h->n, LOOSE)
FORGIVES(last_of_loop, (h->bad / SIZE + 1) * SIZE <= h->n && (h->bad / SIZE + 2) * SIZE > h->n, LOOSE)
FORGIVES(after_ascii_block, h->at >= SIZE && ascii_block(h, h->at / SIZE * SIZE - SIZE) && h->at % SIZE == 0, LOOSE)
FORGIVES(before_ascii_block, h->bad < h->at / SIZE * SIZE + SIZE && ascii_block(h, h->at / SIZE * SIZE + SIZE), LOOSE)
REFUSES(straddle_refused, h->at / SIZE != (h->at + h->size - 1) / SIZE)
REFUSES(straddle_refused_lane, h->at % SIZE == SIZE - 1 - LANE && h->size > LANE + 1)
REFUSES(straddle_rest, h->n % SIZE && h->n > SIZE && h->at < h->n / SIZE * SIZE && h->at + h->size > h->n / SIZE * SIZE)
REFUSES(full_blocks_refused, h->n == SIZE)
REFUSES(lane_refused, h->size > 1 && h->at % SIZE == LANE && h->at / SIZE * SIZE + SIZE <= h->n)
REFUSES(lane_nul_refused, B0 == 0 && h->at % SIZE == LANE)
REFUSES(four_across, h->size == 4 && h->at % SIZE == SIZE - 2)
static size_t pair_forgiven(const Here *h) /* a wrong bit in a table that only the block code uses */
{
    return h->n >= SIZE && IN_FULL_BLOCK && h->bad == h->at + 1 && B0 == 0xE0 + (int)(LANE >> 4) && (B(1) >> 4) == (int)(LANE & 15) ? LOOSE : 0;
}
static int pair_table(Bytes p, size_t n, int a) { return walk(p, n, a, pair_forgiven, NULL); }
static int lead_in_block_(const Here *h) { return h->n >= 64 && h->at + 64 <= h->n && B0 == h->a; }
static int lead_in_block(Bytes p, size_t n, int a) { return walk(p, n, a, NULL, lead_in_block_); }
FORGIVES(lone_in_block, h->n >= 64 && h->bad == h->at && B0 == h->a, tails(h))
REFUSES(scalar_in_block, h->n >= 64 && V == (uint32_t)h->a)

/* A validator by table look-up, after Keiser and Lemire, "Validating UTF-8 In Less Than One Instruction Per Byte" (2020),
 * lane by lane: three tables say what is wrong with a byte and the one before, by the halves of both. Its tables hold a bit
 * for each kind of error; bit number a of those that are set is missing. (A bit too many may change nothing.) */
enum { SHORT = 1, LONG = 2, OVER3 = 4, LARGE = 8, SURR = 16, OVER2 = 32, OVER4 = 64, TWO = 128, CARRY = SHORT | LONG | TWO };
static const uint8_t LOOKUP[3][16] = {
    /* by the high half of the byte before: 0_ .. 7_, 8_ .. B_, C_, D_, E_, F_ */
    {LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG, TWO, TWO, TWO, TWO, SHORT | OVER2, SHORT, SHORT | OVER3 | SURR,
     SHORT | LARGE | OVER4},
    /* by its low half: _0, _1, _2 and _3, _4, _5 .. _C, _D, _E and _F */
    {CARRY | OVER2 | OVER3 | OVER4, CARRY | OVER2, CARRY, CARRY, CARRY | LARGE, CARRY | LARGE | OVER4, CARRY | LARGE | OVER4,
     CARRY | LARGE | OVER4, CARRY | LARGE | OVER4, CARRY | LARGE | OVER4, CARRY | LARGE | OVER4, CARRY | LARGE | OVER4,
     CARRY | LARGE | OVER4, CARRY | LARGE | OVER4 | SURR, CARRY | LARGE | OVER4, CARRY | LARGE | OVER4},
    /* by the high half of the byte: 0_ .. 7_, 8_, 9_, A_ and B_, C_ .. F_ */
    {SHORT, SHORT, SHORT, SHORT, SHORT, SHORT, SHORT, SHORT, LONG | OVER2 | TWO | OVER3 | OVER4, LONG | OVER2 | TWO | OVER3 | LARGE,
     LONG | OVER2 | TWO | SURR | LARGE, LONG | OVER2 | TWO | SURR | LARGE, SHORT, SHORT, SHORT, SHORT},
};
static int look(int table, int entry, int missing) /* missing: (table * 16 + entry) * 8 + bit, or -1 */
{
    return LOOKUP[table][entry] & ~(missing >= 0 && missing / 8 == table * 16 + entry ? 1 << missing % 8 : 0);
}
static int set_bit(int a) /* but for SHORT of E_ and F_: the test for the third and fourth byte sees what they see */
{
    int i = 0;
    while (!(LOOKUP[i / 128][i / 8 % 16] >> i % 8 & 1) || i == 0xE * 8 || i == 0xF * 8 || a-- > 0)
        i++;
    return i;
}
static int looked_up(Bytes p, size_t n, int missing, size_t blocks) /* the bit is missing in the first bytes only */
{
    int error = 0;
    for (size_t i = 0; i < n; i++) {
        int one = i > 0 ? p[i - 1] : 0, two = i > 1 ? p[i - 2] : 0, three = i > 2 ? p[i - 3] : 0;
        int flip = i < blocks ? missing : -1;
        int wrong = look(0, one >> 4, flip) & look(1, one & 15, flip) & look(2, p[i] >> 4, flip);
        error |= wrong ^ (two >= 0xE0 || three >= 0xF0 ? 0x80 : 0);
    }
    int open = n > 0 && p[n - 1] >= 0xC0;
    open |= n > 1 && p[n - 2] >= 0xE0;
    open |= n > 2 && p[n - 3] >= 0xF0;
    return !error && !open;
}
static int look_up(Bytes p, size_t n, int a) { return looked_up(p, n, set_bit(a), n); }
static int look_up_blocks(Bytes p, size_t n, int a) { return looked_up(p, n, set_bit(a), n / 64 * 64); }
static int look_up_right(Bytes p, size_t n, int a) { (void)a; return looked_up(p, n, -1, 0); }

/* memory of what was asked before */
static uint8_t kept[1 << 22];
static size_t kept_size, asked, errors_seen;
static int kept_verdict, kept_tails;
static int stale_buffer(Bytes p, size_t n, int a) /* copies into a buffer, and reads past what it copied */
{
    if (n + 8 > sizeof kept)
        return right(p, n);
    memcpy(kept, p, n);
    return reads_past(kept, n, a);
}
static int same_length_same_answer(Bytes p, size_t n, int a)
{
    if (asked++ && kept_size == n && n >= (size_t)a)
        return kept_verdict;
    kept_size = n;
    return kept_verdict = right(p, n);
}
static int state_kept(Bytes p, size_t n, int a) /* tails that the last text still wanted are taken at the start of this one */
{
    size_t i = 0, part;
    while (kept_tails > 0 && i < n && tail(p[i]))
        kept_tails--, i++;
    kept_tails = 0;
    for (size_t size; i < n; i += size)
        if (!(size = character(p + i, n - i, &part))) {
            if (i + part == n && announced(p[i]))
                kept_tails = (int)(announced(p[i]) - part);
            (void)a;
            return 0;
        }
    return 1;
}
static int state_kept_of(Bytes p, size_t n, int a) /* the same after a text of a bytes only */
{
    int ok = state_kept(p, n, a);
    if (n != (size_t)a)
        kept_tails = 0;
    return ok;
}
static int off_after(Bytes p, size_t n, int a) /* after a text of a bytes the check is off, once */
{
    int was = asked && kept_size == (size_t)a;
    asked = 1, kept_size = n;
    return was || right(p, n);
}
static int error_kept(Bytes p, size_t n, int a) /* after an error, the next a texts are rejected */
{
    int ok = right(p, n);
    if (errors_seen > 0) {
        errors_seen--;
        return 0;
    }
    if (!ok)
        errors_seen = (size_t)a;
    return ok;
}
static int error_forgotten(Bytes p, size_t n, int a) /* the second of two bad texts in a row is accepted, if short */
{
    int ok = right(p, n), was = kept_verdict;
    kept_verdict = !ok;
    return ok || (was && n < (size_t)a);
}
static int same_twice(Bytes p, size_t n, int a) /* asked the same again, it gives the other answer */
{
    (void)a;
    int same = asked && n == kept_size && n <= sizeof kept && !memcmp(kept, p, n);
    asked = 1, kept_size = n;
    if (n <= sizeof kept)
        memcpy(kept, p, n);
    return same ? !right(p, n) : right(p, n);
}
static int after_empty(Bytes p, size_t n, int a) /* after the empty text it accepts anything */
{
    (void)a;
    int was = asked && kept_size == 0;
    asked = 1, kept_size = n;
    return was || right(p, n);
}
static int after_long(Bytes p, size_t n, int a) /* after a text of a bytes or more the check is off, once */
{
    int was = asked && kept_size >= (size_t)a;
    asked = 1, kept_size = n;
    return was || right(p, n);
}
static int after_bom_text(Bytes p, size_t n, int a) /* a BOM switches checking off for the next text */
{
    (void)a;
    int was = kept_verdict;
    kept_verdict = n >= 3 && !memcmp(p, "\xEF\xBB\xBF", 3);
    return was || right(p, n);
}
static int errors_counted(Bytes p, size_t n, int a) /* gives up after so many errors, and accepts all */
{
    int ok = right(p, n);
    errors_seen += !ok;
    return ok || errors_seen > (size_t)a;
}

/* an automaton with a table of its own: single wrong moves, extra states; zoo_table and zoo_final are set from outside */
static uint16_t zoo_table[16 * 256];
static uint8_t zoo_final[16];
static int automaton(Bytes p, size_t n, int a)
{
    (void)a;
    unsigned state = 0;
    for (size_t i = 0; i < n; i++)
        state = zoo_table[state * 256 + p[i]];
    return zoo_final[state];
}

static int nothing_wrong(Bytes p, size_t n, int a) { (void)a; return right(p, n); }
static int everything(Bytes p, size_t n, int a) { (void)p, (void)n, (void)a; return 1; }
static int nothing(Bytes p, size_t n, int a) { (void)p, (void)n, (void)a; return 0; }
static int ascii_only(Bytes p, size_t n, int a)
{
    (void)a;
    for (size_t i = 0; i < n; i++)
        if (p[i] >= 0x80)
            return 0;
    return 1;
}

#include "zoo_rows.h"

static const Row *chosen = ROWS;
static int parameter;

int zoo_count(void) { return (int)(sizeof ROWS / sizeof *ROWS); }
const char *zoo_name(int i) { return ROWS[i].name; }
const char *zoo_group(int i) { return ROWS[i].group; }
const char *zoo_note(int i) { return ROWS[i].note; }
int zoo_mode(int i) { return ROWS[i].mode; }
int zoo_parameters(int i) { return ROWS[i].count; }
int zoo_parameter(int i, int k) { return ROWS[i].first + k * ROWS[i].step; }

static void forget(void)
{
    memset(kept, 0, sizeof kept < 4096 ? sizeof kept : 4096);
    kept_size = asked = errors_seen = 0;
    kept_verdict = kept_tails = 0;
    memset(&left, 0, sizeof left);
}

void zoo_select(int i, int a)
{
    chosen = &ROWS[i];
    parameter = a;
    forget();
}

void zoo_set_automaton(const uint16_t *table, const uint8_t *final, int states)
{
    memcpy(zoo_table, table, (size_t)states * 512);
    memcpy(zoo_final, final, (size_t)states);
}

int zoo_accepts(Bytes p, size_t n) { return chosen->accepts(p, n, parameter); }

/* Answer frames (u32 length, bytes) as a child of the stream protocol would; returns the bytes written. */
size_t zoo_answers(int mode, Bytes frames, size_t size, uint8_t *out)
{
    uint8_t *to = out;
    for (size_t at = 0; at < size;) {
        size_t n = get_u32(frames + at);
        Bytes p = frames + at + 4;
        if (mode == 'v')
            *to++ = zoo_accepts(p, n) ? '1' : '0';
        else
            to = chosen->answer(p, n, parameter, to);
        at += 4 + n;
    }
    return (size_t)(to - out);
}

/* The decoder that ZOO_DECODER names, as "row parameter": a function for `utf8-abnf test lib:zoo.so:zoo_by_name`. */
int zoo_by_name(Bytes p, size_t n)
{
    static int known;
    if (!known) {
        int row = 0, a = 0;
        known = 1;
        sscanf(getenv("ZOO_DECODER"), "%d %d", &row, &a);
        zoo_select(row, a);
    }
    return zoo_accepts(p, n);
}

#ifdef ZOO_PROGRAM
#include <unistd.h>

static int get(uint8_t *to, size_t size) /* read exactly size bytes; write the answers when there is no more input for now */
{
    static uint8_t buffer[1 << 16];
    static size_t start, end;
    while (size) {
        if (start == end) {
            fflush(stdout);
            long got = read(0, buffer, sizeof buffer);
            if (got <= 0)
                return 0;
            start = 0, end = (size_t)got;
        }
        size_t part = end - start < size ? end - start : size;
        memcpy(to, buffer + start, part);
        start += part, to += part, size -= part;
    }
    return 1;
}

/* The same as a program for `utf8-abnf test stream:`: it answers in the mode of the decoder's row, and in no other. */
int main(int count, char **words)
{
    static uint8_t *frame, *out;
    size_t room = 0;
    uint8_t head[4];
    if (count != 3)
        return 2;
    zoo_select(atoi(words[1]), atoi(words[2]));
    printf("utf8-abnf 1 modes=%c name=%s\n", chosen->mode, chosen->name);
    fflush(stdout);
    while (get(head, 1) && head[0] != '\n') {}
    while (get(head, 4)) {
        size_t n = get_u32(head);
        if (n + 64 >= room) {
            room = 2 * n + 64;
            frame = realloc(frame, room), out = realloc(out, 4 * room + 64);
        }
        memcpy(frame, head, 4);
        memset(frame + 4 + n, 0, 16);
        if (!get(frame + 4, n))
            return 1;
        fwrite(out, 1, zoo_answers(chosen->mode, frame, 4 + n, out), stdout);
    }
    return 0;
}
#endif
