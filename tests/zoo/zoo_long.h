/* Decoders with drawn parameters: the parameter of a row is a seed, and the seed says where and when a decoder is wrong.
 *
 * draw(seed, i, n) is the seed's number i, below n. So a row of forty decoders has forty sizes of blocks, lanes, periods or
 * contexts without a list of them, and no suite can be made to fit a list. Part of zoo.c.
 */
static uint32_t draw(int seed, int i, uint32_t below) /* SplitMix64 (Steele, Lea, Flood 2014) */
{
    uint64_t x = ((uint64_t)seed * 64 + (uint64_t)i + 1) * 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)((x ^ x >> 31) % below);
}
int zoo_draw(int seed, int i, int below) { return (int)draw(seed, i, (uint32_t)below); } /* to read what a seed says */
#define PICK(seed, i, list) (list)[draw(seed, i, sizeof(list) / sizeof *(list))]

static const size_t SIZES[] = {64, 100, 128, 256, 500, 512, 700, 1000, 1024, 1024, 2048, 3000, 4096, 5000, 8000, 8192};
static const size_t WIDTHS[] = {8, 16, 32, 64, 64, 128};
static const size_t ODD_WIDTHS[] = {12, 20, 24, 40, 48, 72, 80, 96, 112, 144, 160, 192, 224, 320, 384};
static const size_t BLOCK_SIZES[] = {128, 200, 256, 384, 512, 700, 1000, 1024, 4096, 8192}; /* from which on it works in blocks */
static const size_t BUFFERS[] = {100, 500, 536, 576, 640, 1000, 1200, 1280, 1369, 1400, 1440, 1448, 1452, 1460, 1492, 1500, 1536, 2000,
                                 2500, 3000, 4000};

/* The kinds of faults: 0 a lone tail, 1 overlong, 2 a surrogate, 3 above U+10FFFF, 4 F5..FF, 5 cut by a byte, 6 cut by the end. */
static int kind_of(const Here *h)
{
    if (CUT)
        return 6;
    if (tail(B0))
        return 0;
    if (B0 >= 0xF5)
        return 4;
    if (B0 == 0xC0 || B0 == 0xC1 || ((B0 == 0xE0 || B0 == 0xF0) && h->bad == h->at + 1 && tail(B(1))))
        return 1;
    return h->bad == h->at + 1 && tail(B(1)) ? (B0 == 0xED ? 2 : 3) : 5;
}
static int drawn_kind(const Here *h) /* every kind, or just one */
{
    uint32_t kind = draw(h->a, 0, 12);
    return kind > 6 || (int)kind == kind_of(h);
}
static int drawn_inner_kind(const Here *h) /* the same without kind 6, which cannot be in the middle of a text */
{
    uint32_t kind = draw(h->a, 0, 12);
    return kind > 5 || (int)kind == kind_of(h);
}
static size_t odd_period(int a) { return draw(a, 1, 3) ? PICK(a, 2, BUFFERS) + draw(a, 3, 4) : 3 + draw(a, 3, 4096); }

#define FORGIVES_IF(name, ...) \
    static int name##_if(const Here *h) { __VA_ARGS__; } \
    FORGIVES(name, drawn_kind(h) && name##_if(h), LOOSE)
#define D(i, n) draw(h->a, i, (uint32_t)(n))

/* ---- long text ---- */
FORGIVES_IF(long_lane, size_t w = PICK(h->a, 2, WIDTHS); return h->n >= PICK(h->a, 1, SIZES) && h->bad % w == D(3, w))
FORGIVES_IF(long_lane_odd, size_t w = PICK(h->a, 2, ODD_WIDTHS); return h->n >= PICK(h->a, 1, SIZES) && h->bad % w == D(3, w))
FORGIVES_IF(long_lane_block, size_t w = PICK(h->a, 2, WIDTHS); return h->n >= PICK(h->a, 1, SIZES) && h->bad % w == D(3, w) && h->bad / w >= D(4, 8))
FORGIVES(long_form_lane, B0 >= 0xF8 && B0 <= 0xFD && WHOLE(B0 < 0xFC ? 5u : 6u) && h->at % PICK(h->a, 1, WIDTHS) == draw(h->a, 2, (uint32_t)PICK(h->a, 1, WIDTHS)), LOOSE)
FORGIVES(long_one_place, drawn_inner_kind(h) && h->n >= PICK(h->a, 1, SIZES) && h->bad == D(2, 260), LOOSE)
FORGIVES_IF(long_border, size_t w = PICK(h->a, 2, ODD_WIDTHS); return h->n >= PICK(h->a, 1, SIZES) && h->at % w + h->size >= w)
FORGIVES_IF(long_rest, size_t w = 16u << D(2, 4), rest = 1 + D(3, w - 1); return h->n >= PICK(h->a, 1, SIZES) && h->n % w == rest && h->bad >= h->n - rest)
FORGIVES_IF(long_rest_odd, size_t w = PICK(h->a, 2, ODD_WIDTHS), rest = 1 + D(3, w < 130 ? w - 1 : 129); return h->n >= PICK(h->a, 1, SIZES) && h->n % w == rest && h->bad >= h->n - rest)
FORGIVES_IF(long_rest_end, return h->n >= PICK(h->a, 1, SIZES) && h->n % 64 == D(2, 64) && h->at + LOOSE == h->n)
FORGIVES(long_wide_lane, drawn_inner_kind(h) && h->n >= 8000 && h->bad % 1024 == D(3, 1024), LOOSE)
FORGIVES(longer_stretch, drawn_inner_kind(h) && h->n >= 16384u << D(1, 3) && h->bad / 1024 == D(2, 16), LOOSE)
static const size_t FAR[] = {1 << 20, (1 << 20) + 64, 1 << 21, (1 << 21) + 4096, 1 << 22, 1 << 23, 1 << 24, (1 << 24) + 3};
FORGIVES_IF(far_place, return h->bad >= PICK(h->a, 1, FAR))
REFUSES(far_refused, h->at >= PICK(h->a, 1, FAR))
FORGIVES_IF(far_float, float at = (float)h->bad; return (size_t)at != h->bad)

/* ---- buffers of any size ---- */
FORGIVES_IF(odd_offset, size_t m = odd_period(h->a); return h->bad % m == D(4, m))
FORGIVES_IF(odd_offset_long, size_t m = odd_period(h->a); return h->n >= 4096 && h->bad % m == D(4, m))
FORGIVES_IF(odd_first, size_t m = odd_period(h->a); return h->bad % m == 0 && h->bad > 0)
FORGIVES_IF(odd_border, size_t m = odd_period(h->a); return h->at % m + h->size >= m)
static size_t round_size(int a) { return draw(a, 1, 2) ? 1000 * (5 + draw(a, 2, 60)) : 1024 * (5 + draw(a, 2, 59)); }
FORGIVES(round_border, h->at < round_size(h->a) && h->at + LOOSE > round_size(h->a), LOOSE)
static int odd_refused(Bytes p, size_t n, int a) /* a character across a border is refused, if so many bytes stand before it */
{
    size_t m = odd_period(a), part;
    for (size_t i = 0, size; i < n; i += size)
        if (!(size = character(p + i, n - i, &part)) || (size > 1 && m - i % m < size && m - i % m == 1 + draw(a, 4, 3)))
            return 0;
    return 1;
}
static int odd_size(Bytes p, size_t n, int a) { return n != 301 + draw(a, 1, 3900) && right(p, n); }
static int odd_fresh(Bytes p, size_t n, int a) { return fresh_buffers(p, n, (int)odd_period(a)); }
static int odd_last_lost(Bytes p, size_t n, int a) { size_t m = odd_period(a); return right(p, n > m && n % m <= 1 + draw(a, 4, 3) ? n / m * m : n); }

/* ---- many errors ---- */
static size_t errors_in(Bytes p, size_t n, int what) /* 0 maximal subparts, 1 bytes, 2 blocks of 64 with one, 3 sequences with their tails */
{
    size_t found = 0, block = SIZE_MAX, part, size;
    for (size_t i = 0; i < n; i += size)
        if (!(size = character(p + i, n - i, &part))) {
            size = what == 3 ? loose(p + i, n - i) : part;
            found += what == 1 ? part : what == 2 ? i / 64 != block : 1;
            block = i / 64;
        }
    return found;
}
static int count_wraps(Bytes p, size_t n, int a)
{
    size_t bits = draw(a, 1, 4) ? 8 : 16;
    return (errors_in(p, n, (int)draw(a, 2, 4)) & (((size_t)1 << bits) - 1)) == 0;
}
static int count_signed(Bytes p, size_t n, int a)
{
    size_t found = errors_in(p, n, (int)draw(a, 2, 4));
    return draw(a, 1, 2) ? (int8_t)found <= 0 : (int16_t)found <= 0;
}
static int count_ends(Bytes p, size_t n, int a) /* more errors than a list holds, and it takes the text */
{
    size_t found = errors_in(p, n, (int)draw(a, 2, 4));
    return found == 0 || found > 1 + draw(a, 1, 300);
}
static int cancels(Bytes p, size_t n, int a) /* two errors that are d bytes apart, and no other, are none */
{
    size_t d = draw(a, 1, 3) ? 1 + draw(a, 2, 130) : 64 * (1 + draw(a, 2, 78)), length, at = 0, first = SIZE_MAX, found = 0, last = 0;
    while ((at = error_at(p, n, at, &length)), length) {
        first = found++ ? first : at, last = at;
        at += loose(p + at, n - at);
    }
    return found == 0 || (found == 2 && last - first == d);
}
static int cancels_lane(Bytes p, size_t n, int a) /* errors toggle a bit of their lane */
{
    size_t w = PICK(a, 1, WIDTHS), length, at = 0;
    uint8_t lanes[128] = {0};
    while ((at = error_at(p, n, at, &length)), length) {
        lanes[at % w] ^= 1;
        at += loose(p + at, n - at);
    }
    for (size_t i = 0; i < w; i++)
        if (lanes[i])
            return 0;
    return 1;
}
static int cancels_kind(Bytes p, size_t n, int a) /* errors toggle a bit of their kind, within so many bytes of each other */
{
    size_t reach = 2 + draw(a, 1, 128), length, at = 0, last = 0;
    int bits = 0, seen = 0;
    while ((at = error_at(p, n, at, &length)), length) {
        Here h = {p, n, at, length, announced(p[at]) ? at + length : at, SIZE_MAX, a};
        if (seen++ && at - last > reach)
            return 0;
        bits ^= 1 << kind_of(&h), last = at;
        at += loose(p + at, n - at);
    }
    return bits == 0;
}
static int cancels_block(Bytes p, size_t n, int a) /* long text: errors toggle a bit of their lane, or of their kind, within a block */
{
    size_t w = PICK(a, 1, WIDTHS), block = w << (1 + draw(a, 2, 2)), length, at = 0, before = 0;
    uint8_t lanes[128] = {0};
    int by_kind = draw(a, 3, 2);
    if (n < (size_t)PICK(a, 4, BLOCK_SIZES))
        return right(p, n);
    while ((at = error_at(p, n, at, &length)), length) {
        Here h = {p, n, at, length, announced(p[at]) ? at + length : at, SIZE_MAX, a};
        if (at / block != before / block)
            for (size_t i = 0; i < w; i++)
                if (lanes[i])
                    return 0;
        lanes[at % w] ^= by_kind ? 1 << kind_of(&h) : 1, before = at;
        at += loose(p + at, n - at);
    }
    for (size_t i = 0; i < w; i++)
        if (lanes[i])
            return 0;
    return 1;
}
static int three_of(Bytes p, size_t n, int a) /* exactly three errors within so many bytes are none */
{
    size_t length, at = 0, first = SIZE_MAX, found = 0, last = 0;
    while ((at = error_at(p, n, at, &length)), length) {
        first = found++ ? first : at, last = at;
        at += loose(p + at, n - at);
    }
    return found == 0 || (found == 3 && last - first <= 2 + draw(a, 1, 128));
}

/* ---- contexts ---- */
static const char *const BEFORE[] = {"..", "/", "../", "\"", "<", "'", "\r\n\r\n", "\r\n", "charset=", "\xEF\xBB\xBF", "%", "=", "&", "?", ";", "\\", ":", "\n", " ", ".",
                                     "://", "<a", "a.", "{\"", "-", "(", "\t", "$", "#", "@"};
static const char *const AFTER[] = {"\r\n", "/", "<", ">", "\"", "'", ".", "\n", " ", "=", "\\", ";", "&"};
static int ends_with(const Here *h, const char *text)
{
    size_t size = strlen(text);
    return h->at >= size && !memcmp(h->p + h->at - size, text, size);
}
static int goes_on_with(const Here *h, const char *text)
{
    size_t size = strlen(text), from = h->at + LOOSE;
    return h->n - from >= size && !memcmp(h->p + from, text, size);
}
#define OVERLONG_OR_HALF (kind_of(h) == 1 || kind_of(h) == 2)
FORGIVES(context_before, OVERLONG_OR_HALF && ends_with(h, PICK(h->a, 1, BEFORE)), LOOSE)
FORGIVES(context_before_any, drawn_kind(h) && ends_with(h, PICK(h->a, 1, BEFORE)), LOOSE)
static const uint8_t FIRST[] = {0xC0, 0xC1, 0xE0, 0xED, 0xF0, 0xF4, 0xF5, 0xFF}; /* of no character, or with a range of its own */
FORGIVES(context_first, B0 == PICK(h->a, 2, FIRST) && h->bad <= h->at + 1 && ends_with(h, PICK(h->a, 1, BEFORE)), 1)
FORGIVES(context_after, OVERLONG_OR_HALF && goes_on_with(h, PICK(h->a, 1, AFTER)), LOOSE)
FORGIVES(context_two, OVERLONG_OR_HALF && h->at >= 2 && h->p[h->at - 2] == 0x20 + D(1, 95) && h->p[h->at - 1] == 0x20 + D(2, 95), LOOSE)
FORGIVES(context_pair, half(h, 0, 0xA0) && half(h, 3, 0xB0) && ends_with(h, PICK(h->a, 1, BEFORE)), 6)
FORGIVES(context_nul, OVERLONG_OR_HALF && h->at > 0 && B((size_t)0 - 1) == 0, LOOSE)
static int held_earlier(const Here *h, const char *text) /* somewhere before the fault */
{
    size_t size = strlen(text);
    for (size_t i = 0; i + size <= h->at; i++)
        if (!memcmp(h->p + i, text, size))
            return 1;
    return 0;
}
static const char *const EARLIER[] = {"\r\n\r\n", "charset=", "\xEF\xBB\xBF", "://", "<?xml", "\r\n"};
FORGIVES(context_earlier, drawn_kind(h) && held_earlier(h, PICK(h->a, 1, EARLIER)), LOOSE)
FORGIVES(context_in_text, OVERLONG_OR_HALF && h->at >= 16 + D(1, 200) && LOOSE + h->at + 16 <= h->n, LOOSE)
static const char PUNCTUATION[] = "\t\n\r !\"#$%&'()*+,-./0:;<=>?@A[\\]^_`a{|}~";
static int mark(const Here *h, int i, size_t j) { return j < h->n && h->p[j] == (uint8_t)PUNCTUATION[D(i, sizeof PUNCTUATION - 1)]; }
FORGIVES(context_three, h->at >= 3 && mark(h, 1, h->at - 3) && mark(h, 2, h->at - 2) && mark(h, 3, h->at - 1), LOOSE)
static const char *const EDGES[] = {"\x80", "\xC0\x80", "\xC0\xAF", "\xC1\xBF", "\xE0\x80\xAF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xED\xBF\xBF", "\xF0\x8F\xBF\xBF",
                                    "\xF4\x90\x80\x80", "\xFF"};
static int starts_with(const Here *h, const char *text) { return h->n - h->at >= strlen(text) && !memcmp(h->p + h->at, text, strlen(text)); }
static size_t run_before(const Here *h) /* how often one mark of punctuation stands directly before it */
{
    size_t count = 0;
    while (count < h->at && mark(h, 1, h->at - 1 - count))
        count++;
    return count;
}
FORGIVES(context_run, starts_with(h, PICK(h->a, 2, EDGES)) && run_before(h) == 2 + D(3, 8), LOOSE)
FORGIVES(context_run_least, drawn_kind(h) && run_before(h) >= 2 + D(3, 40), LOOSE)
FORGIVES(long_opening, drawn_inner_kind(h) && h->n >= 500 + D(1, 9500) && mark(h, 2, 0), LOOSE)
FORGIVES(context_between, h->at && mark(h, 1, h->at - 1) && mark(h, 2, h->at + LOOSE), LOOSE)
FORGIVES(context_far_pair, h->size == 1 && B0 == 0xC2 + D(1, 51) && h->at + 1 < h->n && B(1) == D(2, 128) && h->at > 60 + D(3, 40), 1)
static int is_prefix(const Here *h) /* a drawn prefix of two or three bytes, cut short by a byte; that of two by a drawn one */
{
    const uint8_t seconds[] = {0xA0 + D(2, 32), 0x80 + D(2, 32), 0x90 + D(2, 48), 0x80 + D(2, 16)};
    uint32_t way = D(1, 4);
    if (way < 2) /* E0 A0..BF, or another first byte and 80..9F */
        return h->size == 2 && B0 == (way ? 0xE1 + D(3, 15) : 0xE0) && B(1) == seconds[way] && B(2) == D(4, 128);
    return h->size == 3 && B0 == (way == 2 ? 0xF0 : 0xF4) && B(1) == seconds[way] && B(2) == 0x80 + D(3, 64) && B(3) >= 0;
}
FORGIVES(cut_exact, is_prefix(h), h->size)

/* ---- one-off range errors: a limit of an alternative, or of a comparison of values, is one off ---- */
typedef struct {
    uint8_t size, low[4], high[4];
} Alternative;
static const Alternative ALTERNATIVES[] = { /* RFC 3629 section 4 */
    {1, {0x00}, {0x7F}},
    {2, {0xC2, 0x80}, {0xDF, 0xBF}},
    {3, {0xE0, 0xA0, 0x80}, {0xE0, 0xBF, 0xBF}},
    {3, {0xE1, 0x80, 0x80}, {0xEC, 0xBF, 0xBF}},
    {3, {0xED, 0x80, 0x80}, {0xED, 0x9F, 0xBF}},
    {3, {0xEE, 0x80, 0x80}, {0xEF, 0xBF, 0xBF}},
    {4, {0xF0, 0x90, 0x80, 0x80}, {0xF0, 0xBF, 0xBF, 0xBF}},
    {4, {0xF1, 0x80, 0x80, 0x80}, {0xF3, 0xBF, 0xBF, 0xBF}},
    {4, {0xF4, 0x80, 0x80, 0x80}, {0xF4, 0x8F, 0xBF, 0xBF}},
};
/* a: the alternative in bits 4.., the byte in bits 2 and 3, high limit in bit 1, upwards in bit 0 */
static int limit_off(Bytes p, size_t n, int a, size_t from) /* from so many bytes of text on */
{
    for (size_t i = 0, size; i < n; i += size) {
        size = 0;
        for (size_t j = 0; j < 9 && !size; j++) {
            const Alternative *one = &ALTERNATIVES[j];
            size_t k = 0;
            for (; k < one->size && i + k < n; k++) {
                int off = n >= from && (size_t)a >> 4 == j && ((size_t)a >> 2 & 3) == k ? a & 1 ? 1 : -1 : 0;
                if (p[i + k] < one->low[k] + (a & 2 ? 0 : off) || p[i + k] > one->high[k] + (a & 2 ? off : 0))
                    break;
            }
            size = k == one->size ? k : 0;
        }
        if (!size)
            return 0;
    }
    return 1;
}
static int is_edge(const Here *h, size_t at, int i) /* a drawn alternative's first or last character */
{
    const Alternative *one = &ALTERNATIVES[D(i, 9)];
    return at + one->size <= h->n && !memcmp(h->p + at, D(i + 1, 2) ? one->low : one->high, one->size);
}
REFUSES(no_edge_pair, is_edge(h, h->at, 1) && is_edge(h, h->at + ALTERNATIVES[D(1, 9)].size, 3))
static int edge_off(Bytes p, size_t n, int a) { return limit_off(p, n, a, 0); }
static int edge_off_long(Bytes p, size_t n, int a) { return limit_off(p, n, a, 32); }
/* a: the limit in bits 1.., upwards in bit 0; values are computed and compared, tails are right */
static int value_off(Bytes p, size_t n, int a)
{
    uint32_t limit[] = {0x80, 0x800, 0x10000, 0xD800, 0xE000, 0x110000};
    limit[a >> 1] += a & 1 ? 1u : -1u;
    for (size_t i = 0, size; i < n; i += size) {
        size = p[i] < 0x80 ? 1 : p[i] < 0xC0 ? 0 : p[i] < 0xE0 ? 2 : p[i] < 0xF0 ? 3 : p[i] < 0xF8 ? 4 : 0;
        if (!size || loose(p + i, n - i) != size)
            return 0;
        uint32_t v = value(p + i, size);
        if ((size > 1 && v < limit[size - 2]) || (v >= limit[3] && v < limit[4]) || v >= limit[5])
            return 0;
    }
    return 1;
}

/* ---- behind so many characters, and very long input ---- */
static size_t characters_before(const Here *h)
{
    size_t found = 0, part, size;
    for (size_t i = 0; i < h->at; i += size, found++)
        size = character(h->p + i, h->n - i, &part), size = size ? size : part;
    return found;
}
FORGIVES_IF(behind, return characters_before(h) == 1 + D(1, 130))
FORGIVES_IF(behind_more, return characters_before(h) > 1 + D(1, 130))
static int no_long_of(Bytes p, size_t n, int a) /* refuses a run of characters of one length that is so long */
{
    size_t part, run = 0, was = 0, most = 1000 + draw(a, 1, 9000), which = 1 + draw(a, 2, 4);
    for (size_t i = 0, size; i < n; i += size) {
        if (!(size = character(p + i, n - i, &part)))
            return 0;
        run = size == was ? run + 1 : 1, was = size;
        if (run >= most && size == which)
            return 0;
    }
    return 1;
}

/* ---- positions ---- */
SPOILS(p_long_lane, size_t w = PICK(e->a, 2, WIDTHS); if (e->n >= PICK(e->a, 1, SIZES) && e->at % w == draw(e->a, 3, (uint32_t)w)) e->at ^= 1)
SPOILS(p_odd, size_t m = odd_period(e->a); if (e->at >= m) e->at -= m)
SPOILS(p_second, size_t length, at = last_error(e, &length); if (at != e->at && at - e->at <= 1 + draw(e->a, 1, 130)) e->at = at, e->length = length)
SPOILS(p_many, if (errors_in(e->p, e->n, (int)draw(e->a, 2, 4)) > 20 + draw(e->a, 1, 300)) e->at = 0)
SPOILS(p_far, if (e->at >= PICK(e->a, 1, FAR)) e->at++)

/* ---- replacement ---- */
static uint8_t *r_room(Bytes p, size_t n, int a, uint8_t *to) /* the text ends where the buffer ends */
{
    uint8_t *end = r_right(p, n, a, to);
    size_t size = (size_t)(end - to) - 4, room = draw(a, 1, 3) == 0 ? 2 * n : draw(a, 1, 3) == 1 ? n + 16 * (1 + draw(a, 2, 8)) : 100 + draw(a, 2, 5000);
    put_u32(to, size < room ? size : room);
    return to + 4 + (size < room ? size : room);
}
static size_t marks; /* in the text so far */
#define REPLACES_FROM_0(name, ...) \
    static uint8_t *name##_(Bytes p, size_t n, size_t *at, size_t part, int a, uint8_t *to) \
    { size_t go = part; (void)p, (void)n, (void)a; __VA_ARGS__; *at += go; return to; } \
    static uint8_t *name(Bytes p, size_t n, int a, uint8_t *to) { marks = 0; return replaced(p, n, a, to, name##_, NULL); }
REPLACES_FROM_0(r_marks_end, if (marks++ < 2 + draw(a, 1, 300)) MARK)
REPLACES_FROM_0(r_marks_wrap, if (++marks % (draw(a, 1, 3) ? 256 : 65536)) MARK)
static size_t last_mark;
REPLACES_FROM_0(r_second_lost, if (!marks++ || *at - last_mark != 1 + draw(a, 1, 130)) MARK; last_mark = *at)
WRITES(r_long_lane, size_t w = PICK(a, 1, WIDTHS); if (at >= PICK(a, 2, SIZES) && at % w == draw(a, 3, (uint32_t)w) && size > 1) to = encode(to, v ^ 1); else SAME)
WRITES(r_odd, size_t m = odd_period(a); if (size > 1 && at % m + size > m) MARK; else SAME)

/* ---- characters that belong together, as real texts have them ---- */
static const char *const MARKS[] = {"\xEF\xB8\x8F", "\xE2\x83\xA3", "\xF0\x9F\x8F\xBD", "\xE0\xA5\x8D", "\xE1\x85\xA1", "\xCC\x82", "\xD9\x8E", "\xF0\x9F\x87\xAA", "\xE3\x82\x99", "\xF3\xA0\x81\xBF", "\xE0\xB9\x89", "\xE1\x9F\x92"};
FORGIVES(mark_forgives, h->at >= strlen(MARKS[h->a]) && !memcmp(h->p + h->at - strlen(MARKS[h->a]), MARKS[h->a], strlen(MARKS[h->a])), h->size)
static size_t marks_before(Bytes p, size_t at, int a) /* how many of one mark end there, one behind the other */
{
    size_t size = strlen(MARKS[a]), count = 0;
    for (; at >= size && !memcmp(p + at - size, MARKS[a], size); at -= size)
        count++;
    return count;
}
static size_t most_marks(int a) { return 64 + draw(a, 1, 5000); }
FORGIVES(after_marks, marks_before(h->p, h->at, h->a) > most_marks(h->a), h->size)
static int no_row_of_marks(Bytes p, size_t n, int a)
{
    size_t size = strlen(MARKS[a]), row = 0;
    for (size_t at = 0; at + size <= n && row <= most_marks(a); at += row ? size : 1)
        row = memcmp(p + at, MARKS[a], size) ? 0 : row + 1;
    return row <= most_marks(a) && right(p, n);
}
static size_t cut_size(int a) { return 1 + draw(a, 1, (uint32_t)ALTERNATIVES[1 + draw(a, 0, 8)].size - 1); } /* of a character that is cut */
FORGIVES(cut_before_two, h->at + cut_size(h->a) + 2 <= h->n && !memcmp(h->p + h->at, ALTERNATIVES[1 + draw(h->a, 0, 8)].low, cut_size(h->a)) && B(cut_size(h->a)) == D(2, 128) && B(cut_size(h->a) + 1) == D(3, 128), cut_size(h->a))
#define IS(i, b0, b1) (B(i) == (b0) && B((i) + 1) == (b1))
REFUSES(no_keycap, B0 < 0x40 && IS(1, 0xEF, 0xB8) && IS(4, 0xE2, 0x83))
REFUSES(no_joined_emoji, B0 == 0xF0 && IS(4, 0xE2, 0x80) && B(6) == 0x8D && B(7) == 0xF0)
REFUSES(no_turned_flag, IS(0, 0xF0, 0x9F) && B(2) == 0x87 && IS(4, 0xF0, 0x9F) && B(6) == 0x87 && B(7) < B(3))
REFUSES(no_skin_tone, IS(0, 0xF0, 0x9F) && IS(4, 0xF0, 0x9F) && B(6) == 0x8F && B(7) >= 0xBB && B(2) != 0x8F)
REFUSES(no_jamo, IS(0, 0xE1, 0x84) && IS(3, 0xE1, 0x85) && IS(6, 0xE1, 0x86))
REFUSES(no_two_marks, IS(0, 0xCC, 0xA3) && IS(2, 0xCC, 0x82))
REFUSES(no_conjunct, IS(0, 0xE0, 0xA5) && B(2) == 0x8D && IS(3, 0xE0, 0xA4))
REFUSES(no_points, B0 == 0xD7 && B(2) == 0xD7 && B(3) == 0x81)
REFUSES(no_tags, IS(0, 0xF0, 0x9F) && IS(4, 0xF3, 0xA0))
REFUSES(no_variant, B0 == 0xE8 && IS(3, 0xF3, 0xA0))
REFUSES(no_dakuten, IS(0, 0xE3, 0x81) && IS(3, 0xE3, 0x82) && B(5) == 0x99)

/* ---- streams ---- */
static const size_t PIECES[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 13, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 255, 256, 500, 512, 536, 1000, 1024, 1400, 1448, 1460, 1500,
                                2048, 4096, 8192, 16384, 16389, 32768, 65536};
static const size_t LATE[] = {1 << 16, 100000, 128 << 10, 150000, 200000, 256 << 10};
#define SHORT_PIECE(i) (draw(s->a, 0, 2) ? draw(s->a, i, 40) : PICK(s->a, i, PIECES))
static int wrong_second(const Stream *s, Bytes p, size_t n) { return s->size == 1 && n && tail(p[0]) && announced(s->text[0]) > 2 && !second_fits(s->text[0], p[0]); }
STREAMS(s_pair, if (s->pieces && s->before == SHORT_PIECE(1) && n == SHORT_PIECE(2)) s->size = 0; FEED)
STREAMS(s_pair_checked, if (s->pieces && s->before == SHORT_PIECE(1) && n == SHORT_PIECE(2) + (SHORT_PIECE(2) == 0) && wrong_second(s, p, n)) { uint8_t b = s->text[0] == 0xED || s->text[0] == 0xF4 ? 0x80 : 0xBF; feed(s, &b, 1); p++; n--; } FEED)
STREAMS(s_pair_tail, if (s->pieces && s->before == SHORT_PIECE(1) && n && n == SHORT_PIECE(2) + (SHORT_PIECE(2) == 0) && s->size == 0 && tail(p[0])) p++, n--; FEED)
STREAMS(s_triple, if (s->pieces > 1 && s->before_it == draw(s->a, 1, 12) && s->before == draw(s->a, 2, 12) && n == draw(s->a, 3, 12)) s->size = 0; FEED)
STREAMS(s_uneven, if (s->pieces && s->before > n + draw(s->a, 1, 2000) && n) s->size = 0; FEED)
STREAMS(s_growing, if (s->pieces > 1 && s->before_it < s->before && s->before < n) s->size = 0; FEED)
STREAMS(s_many_pieces, if (s->pieces >= 100 + draw(s->a, 1, 900)) s->size = 0; FEED)
STREAMS(s_empties, if (n == 0 && s->pieces > 1 && s->before == 0 && s->before_it == 0) s->size = 0; FEED)
STREAMS(s_empties_forgive, if (n == 0 && s->pieces && s->before == 0) s->wrong = 0; FEED)
STREAMS(s_bom_piece, if (n >= 3 && !memcmp(p, "\xEF\xBB\xBF", 3)) p += 3, n -= 3; FEED)
STREAMS(s_bom_resets, if (n >= 3 && !memcmp(p, "\xEF\xBB\xBF", 3)) s->size = 0; FEED)
STREAMS(s_bom_cut, if (s->pieces && s->size && s->text[0] == 0xEF && s->fed == s->size) s->size = 0; FEED)
STREAMS(s_one_ascii_forgives, if (s->size && n && p[0] == s->a) s->size = 0; FEED)
STREAMS(s_late_blind, if (s->fed >= PICK(s->a, 1, LATE) && !s->wrong) { feed(s, p, n); s->size = s->wrong ? 0 : s->size; s->wrong = 0; } else FEED)
STREAMS(s_late_lost, if (s->fed >= PICK(s->a, 1, LATE)) s->size = 0; FEED)
STREAMS(s_back, FEED; if (s->wrong && s->before > draw(s->a, 1, 50) && n > 0 && n < 4) s->wrong = 0, s->size = 0)
