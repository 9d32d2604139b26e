/* Wrong answers in the modes p (position), r (replacement) and s (stream); zoo_rows.h names them. Part of zoo.c. */

static uint32_t get_u32(Bytes p) { return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24; }
static uint8_t *put_u32(uint8_t *to, size_t n)
{
    for (int i = 0; i < 4; i++)
        *to++ = (uint8_t)(n >> 8 * i);
    return to;
}

/* ---- p: u32 offset, FFFFFFFF if accepted; u8 length ---- */

/* The first ill-formed sequence at or after from; its length in *length, 0 if there is none. */
static size_t error_at(Bytes p, size_t n, size_t from, size_t *length)
{
    size_t part, size;
    for (size_t i = from; i < n; i += size)
        if (!(size = character(p + i, n - i, &part)))
            return *length = part, i;
    return *length = 0, n;
}

typedef struct {
    Bytes p;
    size_t n, at, length;
    int a;
} Error;

static uint8_t *position(Bytes p, size_t n, int a, uint8_t *to, void (*spoil)(Error *))
{
    Error e = {p, n, 0, 0, a};
    e.at = error_at(p, n, 0, &e.length);
    if (e.length && spoil)
        spoil(&e);
    to = put_u32(to, e.length ? e.at : 0xFFFFFFFFu);
    *to++ = (uint8_t)e.length;
    return to;
}

#define SPOILS(name, ...) \
    static void name##_(Error *e) { __VA_ARGS__; } \
    static uint8_t *name(Bytes p, size_t n, int a, uint8_t *to) { return position(p, n, a, to, name##_); }
#define E0 (e->p[e->at])
static size_t characters(const Error *e, int units) /* characters, or units of UTF-16, before the error */
{
    size_t found = 0, part, size;
    for (size_t i = 0; i < e->at; i += size, found += units && size == 4 ? 2 : 1)
        size = character(e->p + i, e->n - i, &part);
    return found;
}
static size_t last_error(const Error *e, size_t *length)
{
    size_t at = e->at, next, more;
    *length = e->length;
    while ((next = error_at(e->p, e->n, at + *length, &more)), more)
        at = next, *length = more;
    return at;
}

static uint8_t *p_right(Bytes p, size_t n, int a, uint8_t *to) { return position(p, n, a, to, NULL); }
SPOILS(p_plus_one, e->at++)
SPOILS(p_minus_one, e->at -= e->at > 0)
SPOILS(p_zero, e->at = 0)
SPOILS(p_from_one, e->at += e->at > 0)
SPOILS(p_characters, e->at = characters(e, 0))
SPOILS(p_units, e->at = characters(e, 1))
SPOILS(p_block, e->at = e->at / (size_t)e->a * (size_t)e->a)
SPOILS(p_in_block, e->at %= (size_t)e->a)
SPOILS(p_bits, e->at &= ((size_t)1 << e->a) - 1)
SPOILS(p_length_one, e->length = 1)
SPOILS(p_length_loose, e->length = loose(e->p + e->at, e->n - e->at))
SPOILS(p_length_announced, if (announced(E0)) e->length = announced(E0))
SPOILS(p_length_surrogate, if (E0 == 0xED && e->n - e->at >= 3 && !second_fits(0xED, e->p[e->at + 1])) e->length = 3)
SPOILS(p_length_overlong, if ((E0 == 0xE0 || E0 == 0xF0) && e->length == 1) e->length = 2)
SPOILS(p_length_C0, if ((E0 == 0xC0 || E0 == 0xC1) && e->n - e->at >= 2) e->length = 2)
SPOILS(p_length_F5, if (E0 >= 0xF5 && e->n - e->at >= 4) e->length = 4)
SPOILS(p_length_cut, if (e->at + e->length == e->n) e->length = 0xFF)
SPOILS(p_length_cut_one, if (e->at + e->length == e->n && e->length > 1) e->length = 1)
SPOILS(p_length_ascii, if (e->at + e->length < e->n && announced(E0) && e->p[e->at + e->length] < 0x80) e->length++)
SPOILS(p_length_run, while (e->at + e->length < e->n && e->p[e->at + e->length] >= 0x80) e->length++)
SPOILS(p_last, e->at = last_error(e, &e->length))
SPOILS(p_end, if (e->at + e->length == e->n) e->at = e->n)
SPOILS(p_end_of, e->at += e->length)
SPOILS(p_cut_offending, if (e->at + e->length == e->n && announced(E0)) e->at = e->n - 1)
SPOILS(p_mixed, if (e->length == (size_t)e->a) e->at += e->length)
SPOILS(p_after_bom, if (e->at >= 3 && !memcmp(e->p, "\xEF\xBB\xBF", 3)) e->at -= 3)
SPOILS(p_after_nul, if (memchr(e->p, 0, e->at)) e->at = (size_t)((Bytes)memchr(e->p, 0, e->at) - e->p))
SPOILS(p_across, if (e->at / (size_t)e->a != (e->at + e->length) / (size_t)e->a && e->at + e->length < e->n) e->at = (e->at + e->length) / (size_t)e->a * (size_t)e->a)
SPOILS(p_from_offset, if (e->at >= (size_t)e->a) e->at++)
SPOILS(p_lane, if (e->at % 64 == (size_t)e->a) e->at ^= 1)
SPOILS(p_after_four, if (e->at >= 4 && e->p[e->at - 4] >= 0xF0) e->at -= 4)
SPOILS(p_after_lead, if (e->at >= 2 && e->p[e->at - 2] >= 0xC2 && e->p[e->at - 2] <= 0xDF) e->at -= 2)

/* ---- r: u32 length, text ---- */

#define FFFD "\xEF\xBF\xBD"
typedef uint8_t *(*Replace)(Bytes p, size_t n, size_t *at, size_t part, int a, uint8_t *to); /* writes, and moves *at on */
typedef uint8_t *(*Write)(Bytes p, size_t at, size_t size, int a, uint8_t *to);

static uint8_t *copy(uint8_t *to, const void *from, size_t size)
{
    memcpy(to, from, size);
    return to + size;
}
static uint8_t *encode(uint8_t *to, uint32_t v) /* surrogates too: what a decoder lets through must show */
{
    if (v < 0x80)
        *to++ = (uint8_t)v;
    else if (v < 0x800)
        *to++ = (uint8_t)(0xC0 | v >> 6), *to++ = (uint8_t)(0x80 | (v & 63));
    else if (v < 0x10000)
        *to++ = (uint8_t)(0xE0 | v >> 12), *to++ = (uint8_t)(0x80 | (v >> 6 & 63)), *to++ = (uint8_t)(0x80 | (v & 63));
    else
        *to++ = (uint8_t)(0xF0 | v >> 18), *to++ = (uint8_t)(0x80 | (v >> 12 & 63)), *to++ = (uint8_t)(0x80 | (v >> 6 & 63)),
        *to++ = (uint8_t)(0x80 | (v & 63));
    return to;
}
static uint8_t *replaced(Bytes p, size_t n, int a, uint8_t *to, Replace replace, Write write)
{
    uint8_t *text = to + 4;
    uint8_t *end = text;
    for (size_t i = 0, part, size; i < n;) {
        if ((size = character(p + i, n - i, &part))) {
            end = write ? write(p, i, size, a, end) : copy(end, p + i, size);
            i += size;
        } else if (replace)
            end = replace(p, n, &i, part, a, end);
        else
            i += part, end = copy(end, FFFD, 3);
    }
    put_u32(to, (size_t)(end - text));
    return end;
}
#define REPLACES(name, ...) \
    static uint8_t *name##_(Bytes p, size_t n, size_t *at, size_t part, int a, uint8_t *to) \
    { size_t go = part; (void)p, (void)n, (void)a; __VA_ARGS__; *at += go; return to; } \
    static uint8_t *name(Bytes p, size_t n, int a, uint8_t *to) { return replaced(p, n, a, to, name##_, NULL); }
#define WRITES(name, ...) \
    static uint8_t *name##_(Bytes p, size_t at, size_t size, int a, uint8_t *to) \
    { uint32_t v = value(p + at, size); (void)a, (void)v; __VA_ARGS__; return to; } \
    static uint8_t *name(Bytes p, size_t n, int a, uint8_t *to) { return replaced(p, n, a, to, NULL, name##_); }
#define MARK to = copy(to, FFFD, 3)
#define Q (p + *at)
#define LEFT (n - *at)
#define SAME to = copy(to, p + at, size)

static uint8_t *r_right(Bytes p, size_t n, int a, uint8_t *to) { return replaced(p, n, a, to, NULL, NULL); }
REPLACES(r_per_byte, for (size_t i = 0; i < part; i++) MARK)
REPLACES(r_per_sequence, go = loose(Q, LEFT); MARK)
REPLACES(r_per_announced, if (announced(Q[0])) go = announced(Q[0]) < LEFT ? announced(Q[0]) : LEFT; MARK)
REPLACES(r_per_run, while (go < LEFT && character(Q + go, LEFT - go, &part) == 0) go += part; MARK)
REPLACES(r_dropped, (void)0)
REPLACES(r_question, *to++ = '?')
REPLACES(r_stops, MARK; go = LEFT)
REPLACES(r_one_only, if (*at == 0 || LEFT <= part) MARK)
REPLACES(r_eats_ascii, if (announced(Q[0]) > 1 && go < LEFT && Q[go] < 0x80) go++; MARK)
REPLACES(r_eats_next, if (go < LEFT && announced(Q[0]) > 1) go += character(Q + go, LEFT - go, &part); MARK)
REPLACES(r_cut_dropped, if (*at + part < n || announced(Q[0]) == 0) MARK)
REPLACES(r_cut_per_byte, if (*at + part == n) for (size_t i = 1; i < part; i++) MARK; MARK)
REPLACES(r_surrogate_one, if (Q[0] == 0xED && LEFT >= 3 && loose(Q, LEFT) == 3) go = 3; MARK)
REPLACES(r_surrogate_through, if (Q[0] == 0xED && loose(Q, LEFT) == 3) go = 3, to = copy(to, Q, 3); else MARK)
REPLACES(r_pair_joined, if (Q[0] == 0xED && LEFT >= 6 && loose(Q, LEFT) == 3 && Q[1] < 0xB0 && Q[3] == 0xED && Q[4] >= 0xB0 && tail(Q[5])) go = 6, to = encode(to, 0x10000 + ((value(Q, 3) & 0x3FF) << 10 | (value(Q + 3, 3) & 0x3FF))); else MARK)
REPLACES(r_nul_decoded, if (Q[0] == 0xC0 && LEFT > 1 && Q[1] == 0x80) go = 2, *to++ = 0; else MARK)
REPLACES(r_overlong_decoded, if ((Q[0] == 0xC0 || Q[0] == 0xC1) && LEFT > 1 && tail(Q[1])) go = 2, to = encode(to, value(Q, 2)); else MARK)
REPLACES(r_latin_1, if (Q[0] >= 0xA0) to = encode(to, Q[0]), go = 1; else MARK)
REPLACES(r_E0_two, if ((Q[0] == 0xE0 || Q[0] == 0xF0) && part == 1 && LEFT > 1 && tail(Q[1])) go = 2; MARK)
REPLACES(r_F5_all, if (Q[0] >= 0xF5) go = loose(Q, LEFT); MARK)
REPLACES(r_C0_two, if ((Q[0] == 0xC0 || Q[0] == 0xC1) && LEFT > 1 && tail(Q[1])) go = 2; MARK)
REPLACES(r_three_as_one, if (part == 3) MARK; MARK)
REPLACES(r_at_border, if (*at % (size_t)a + part > (size_t)a) MARK; MARK)
REPLACES(r_tails_run, if (tail(Q[0])) while (go < LEFT && tail(Q[go])) go++; MARK)
REPLACES(r_end_twice, if (*at + part == n) MARK; MARK)
WRITES(r_bom_stripped, if (at || v != 0xFEFF) SAME)
WRITES(r_bom_stripped_all, if (v != 0xFEFF) SAME)
WRITES(r_bom_doubled, if (at == 0 && v == 0xFEFF) to = copy(to, p, 3); SAME)
WRITES(r_nul_dropped, if (v) SAME)
WRITES(r_nul_marked, if (v) SAME; else MARK)
WRITES(r_crlf, if (v != '\r') SAME)
WRITES(r_cr_to_lf, if (v == '\r') *to++ = '\n'; else SAME)
WRITES(r_nonchars_marked, if ((v & 0xFFFE) == 0xFFFE || (v >= 0xFDD0 && v <= 0xFDEF)) MARK; else SAME)
WRITES(r_private_marked, if (v >= 0xE000 && v <= 0xF8FF) MARK; else SAME)
WRITES(r_mark_dropped, if (v != 0xFFFD) SAME)
WRITES(r_four_marked, if (v > 0xFFFF) MARK; else SAME)
WRITES(r_four_16_bits, if (v > 0xFFFF) to = encode(to, v & 0xFFFF); else SAME)
WRITES(r_four_20_bits, to = encode(to, v & 0xFFFFF))
WRITES(r_four_pair, if (v > 0xFFFF) to = encode(encode(to, 0xD800 + ((v - 0x10000) >> 10)), 0xDC00 + (v & 0x3FF)); else SAME)
WRITES(r_four_pair_wrong, if (v > 0xFFFF) to = encode(to, v - 0x10000); else SAME)
WRITES(r_bit_lost, if (size == 3) to = encode(to, v & ~(1u << a)); else SAME)
WRITES(r_two_bit_lost, if (size == 2) to = encode(to, v & ~(1u << a)); else SAME)
WRITES(r_tail_6_bits, if (size > 1 && (p[at + size - 1] & 0x20)) to = encode(to, v ^ 0x20); else SAME)
WRITES(r_one_scalar, to = encode(to, v == (uint32_t)a ? v + 1 : v))
WRITES(r_composed, if (v == 0x301 && at && p[at - 1] == 'e') to--, to = encode(to, 0xE9); else SAME)
WRITES(r_lower, if (v == 0x130 || v == 0x1E9E) to = encode(to, 'i'); else SAME)
WRITES(r_late_wrong, if (at >= (size_t)a && size > 1) MARK; else SAME)
WRITES(r_lane_wrong, if (at % 64 == (size_t)a && size == 3) to = encode(to, v ^ 1); else SAME)
WRITES(r_c1_cp1252, if (v >= 0x80 && v < 0xA0) to = encode(to, 0x20AC); else SAME)

/* ---- s: one of 1, 0, ? per chunk, and 1 or 0 at the end ---- */

typedef struct {
    uint8_t text[8]; /* what is left of the last chunks */
    size_t size, fed;
    int wrong, a, late;
    size_t pieces, before, before_it; /* how many pieces came, and the sizes of the last two */
} Stream;

/* Feed n bytes; what is not a whole character yet stays in text. */
static void feed(Stream *s, Bytes p, size_t n)
{
    size_t part, size;
    for (size_t i = 0; i < n; i++) {
        if (s->wrong)
            return;
        s->text[s->size++] = p[i];
        if ((size = character(s->text, s->size, &part)))
            s->size = 0;
        else if (part < s->size || announced(s->text[0]) == 0)
            s->wrong = 1;
    }
    s->fed += n;
}
static uint8_t *streamed(Bytes frame, int a, uint8_t *to, void (*chunk)(Stream *, Bytes, size_t), int (*finish)(Stream *))
{
    Stream s = {.a = a};
    size_t count = get_u32(frame);
    Bytes p = frame + 4 + 4 * count;
    for (size_t i = 0; i < count; i++) {
        size_t n = get_u32(frame + 4 + 4 * i);
        chunk(&s, p, n);
        *to++ = s.wrong && !s.late ? '0' : s.size && !s.wrong ? '?' : '1';
        p += n;
        s.pieces++, s.before_it = s.before, s.before = n;
    }
    *to++ = (finish ? finish(&s) : !s.wrong && s.size == 0) ? '1' : '0';
    return to;
}
static Stream left; /* as the last stream was left */
static uint8_t *stream_kept(Bytes p, size_t n, int a, uint8_t *to, int keeps_error)
{
    size_t count = get_u32(p);
    Bytes data = p + 4 + 4 * count;
    Stream s = {.a = a};
    (void)n;
    if (keeps_error)
        s.wrong = left.wrong;
    else if (left.size && !left.wrong)
        s = left;
    for (size_t i = 0; i < count; i++) {
        size_t size = get_u32(p + 4 + 4 * i);
        feed(&s, data, size);
        *to++ = s.wrong ? '0' : s.size ? '?' : '1';
        data += size;
    }
    *to++ = !s.wrong && s.size == 0 ? '1' : '0';
    left = s;
    if (keeps_error)
        left.wrong = s.wrong && !(count && s.fed == 0);
    return to;
}
static uint8_t *s_left_over(Bytes p, size_t n, int a, uint8_t *to) { return stream_kept(p, n, a, to, 0); }
static uint8_t *s_error_left(Bytes p, size_t n, int a, uint8_t *to) { return stream_kept(p, n, a, to, 1); }
#define STREAMS(name, ...) \
    static void name##_(Stream *s, Bytes p, size_t n) { __VA_ARGS__; } \
    static uint8_t *name(Bytes p, size_t n, int a, uint8_t *to) { (void)n; return streamed(p, a, to, name##_, NULL); }
#define ENDS(name, what) \
    static int name##_(Stream *s) { (void)s; return what; } \
    static uint8_t *name(Bytes p, size_t n, int a, uint8_t *to) { (void)n; return streamed(p, a, to, feed, name##_); }
#define FEED feed(s, p, n)

STREAMS(s_right, FEED)
STREAMS(s_lost, s->size = 0; FEED)
STREAMS(s_lost_wrong, if (s->size) s->wrong = 1; FEED)
STREAMS(s_lost_by_empty, if (n == 0) s->size = 0; FEED)
STREAMS(s_empty_ends, if (n == 0 && s->size) s->wrong = 1; FEED)
STREAMS(s_empty_wrong, if (n == 0) s->wrong = 1; FEED)
STREAMS(s_keeps, size_t had = s->size; if (had > (size_t)s->a) s->size = (size_t)s->a; FEED)
STREAMS(s_lost_of, if (s->size == (size_t)s->a) s->size = 0; FEED)
STREAMS(s_lost_of_four, if (s->size == (size_t)s->a && s->text[0] >= 0xF0) s->size = 0; FEED)
STREAMS(s_lost_short, if (s->size && n == 1) s->size = 0; FEED)
STREAMS(s_forgets_error, s->wrong = 0; FEED; if (s->wrong) s->size = 0)
STREAMS(s_forgets_if_empty, if (n == 0) s->wrong = 0, s->size = 0; FEED)
STREAMS(s_second_unchecked, if (s->size == 1 && n && tail(p[0]) && announced(s->text[0]) > 2 && !second_fits(s->text[0], p[0])) { uint8_t b = s->text[0] == 0xED || s->text[0] == 0xF4 ? 0x80 : 0xBF; feed(s, &b, 1); p++; n--; } FEED)
STREAMS(s_second_of, if (s->size == 1 && n && tail(p[0]) && s->text[0] == s->a && !second_fits(s->text[0], p[0])) { uint8_t b = s->a == 0xED || s->a == 0xF4 ? 0x80 : 0xBF; feed(s, &b, 1); p++; n--; } FEED)
STREAMS(s_tail_taken, if (s->size == 0 && s->fed && n && tail(p[0])) p++, n--; FEED)
STREAMS(s_ascii_forgives, if (s->size && n && p[0] < 0x80) s->size = 0; FEED)
STREAMS(s_first_forgives, if (s->size && n && p[0] >= 0xC2) s->size = 0; FEED)
STREAMS(s_bom_awaited, FEED; if (s->fed == n && n <= 2 && s->size == n && s->text[0] == 0xEF) s->size = 0)
STREAMS(s_late, s->late = 1; FEED)
STREAMS(s_late_short, FEED; s->late = n < (size_t)s->a)
STREAMS(s_limit, FEED; if (s->fed > (size_t)s->a) s->wrong = 1)
STREAMS(s_chunk_limit, if (n > (size_t)s->a) n = (size_t)s->a; FEED)
STREAMS(s_chunk_exact, if (n == (size_t)s->a) s->size = 0; FEED)
STREAMS(s_ascii_chunk, size_t i = 0; while (i < n && p[i] < 0x80) i++; if (i == n) s->size = 0; FEED)
STREAMS(s_ascii_long, size_t i = 0; while (i < n && p[i] < 0x80) i++; if (i == n && n >= 16) s->size = 0; FEED)
STREAMS(s_third_part, if (s->size == 2 && n == 1) s->size = 0; FEED)
STREAMS(s_three_chunks, if (s->size == 3) s->wrong = 1; FEED)
STREAMS(s_hundred_chunks, if (s->late++ > 98) s->wrong = 1; s->late = s->late > 100 ? 100 : s->late; FEED)
ENDS(s_cut_accepted, !s->wrong)
ENDS(s_cut_accepted_of, !s->wrong && (s->size == 0 || s->size == (size_t)s->a))
ENDS(s_end_accepts, 1)
ENDS(s_end_rejects_empty, s->fed && !s->wrong && s->size == 0)
ENDS(s_end_rejects_kept, !s->wrong && s->size == 0 && s->text[0] != (uint8_t)s->a)
