/* The look for refused characters: table look-ups by half bytes, as in half_bytes.h, 32 or 16 bytes at a time.
 *
 * A bit that all tables of all places have is a group whose ranges hold these bytes. The bytes before are loaded from
 * memory again, so that no block passes a value to the next.
 */
#include "refused.h"

#include "compiler.h"

#if UTF8_X86
#include <immintrin.h>
#elif UTF8_NEON
#include <arm_neon.h>
#endif

/* The groups of characters that may end at `at`. */
static uint8_t groups_at(const utf8_sieve *sieve, const uint8_t *data, size_t at) {
    uint8_t groups = 0xFF;
    for (size_t k = 0; k < sieve->places; k++) {
        if (sieve->before[k] <= at) {
            const uint8_t byte = data[at - sieve->before[k]];
            groups &= sieve->high[k][byte >> 4] & sieve->low[k][byte & 0x0F];
        } else { /* the data begin here: only shorter characters fit, and their bits are in all entries */
            for (size_t entry = 0; entry < 16; entry++) groups &= sieve->high[k][entry] & sieve->low[k][entry];
        }
    }
    return groups;
}

size_t utf8_next_candidate_scalar(const utf8_sieve *sieve, const uint8_t *data, size_t from, size_t size) {
    while (from < size && groups_at(sieve, data, from) == 0) from++;
    return from;
}

/* One set of names for both instruction sets. */
#if UTF8_X86
#define WIDE UTF8_TARGET("avx2")
enum { LANES = 32 };
typedef __m256i lanes;
WIDE UTF8_INLINE lanes load(const uint8_t *at) { return _mm256_loadu_si256((const __m256i *)(const void *)at); }
WIDE UTF8_INLINE lanes row_of(const uint8_t table[16]) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)table));
}
WIDE UTF8_INLINE lanes both(lanes a, lanes b) { return _mm256_and_si256(a, b); }
WIDE UTF8_INLINE lanes either(lanes a, lanes b) { return _mm256_or_si256(a, b); }
WIDE UTF8_INLINE lanes low_half(lanes bytes) { return both(bytes, _mm256_set1_epi8(0x0F)); }
WIDE UTF8_INLINE lanes high_half(lanes bytes) { return low_half(_mm256_srli_epi16(bytes, 4)); }
WIDE UTF8_INLINE lanes look_up(lanes row, lanes index) { return _mm256_shuffle_epi8(row, index); }
WIDE UTF8_INLINE lanes every(uint8_t value) { return _mm256_set1_epi8((char)value); }
WIDE UTF8_INLINE lanes equal(lanes a, lanes b) { return _mm256_cmpeq_epi8(a, b); }
WIDE UTF8_INLINE lanes above(lanes a, lanes b) { return _mm256_subs_epu8(a, b); } /* 0 where a <= b */
WIDE UTF8_INLINE int any(lanes found) { return !_mm256_testz_si256(found, found); }
static int is_wide(void) { /* the names are Intel's, as in dispatch.c */
    uint32_t leaf1[4], leaf7[4];
    utf8_cpuid(1, 0, leaf1);
    utf8_cpuid(7, 0, leaf7);
    enum { OSXSAVE = 1 << 27, AVX = 1 << 28, AVX2 = 1 << 5, YMM = 6 };
    if ((leaf1[2] & (OSXSAVE | AVX)) != (OSXSAVE | AVX)) return 0;
    return ((uint32_t)utf8_xcr0() & YMM) == YMM && (leaf7[1] & AVX2) != 0;
}
#elif UTF8_NEON
#define WIDE
enum { LANES = 16 };
typedef uint8x16_t lanes;
UTF8_INLINE lanes load(const uint8_t *at) { return vld1q_u8(at); }
UTF8_INLINE lanes row_of(const uint8_t table[16]) { return vld1q_u8(table); }
UTF8_INLINE lanes both(lanes a, lanes b) { return vandq_u8(a, b); }
UTF8_INLINE lanes either(lanes a, lanes b) { return vorrq_u8(a, b); }
UTF8_INLINE lanes low_half(lanes bytes) { return vandq_u8(bytes, vdupq_n_u8(0x0F)); }
UTF8_INLINE lanes high_half(lanes bytes) { return vshrq_n_u8(bytes, 4); }
UTF8_INLINE lanes look_up(lanes row, lanes index) { return vqtbl1q_u8(row, index); }
UTF8_INLINE lanes every(uint8_t value) { return vdupq_n_u8(value); }
UTF8_INLINE lanes equal(lanes a, lanes b) { return vceqq_u8(a, b); }
UTF8_INLINE lanes above(lanes a, lanes b) { return vqsubq_u8(a, b); } /* 0 where a <= b */
UTF8_INLINE int any(lanes found) { return vmaxvq_u8(found) != 0; }
static int is_wide(void) { return 1; }
#endif

#if UTF8_X86 || UTF8_NEON
enum { STEP = 4 * LANES }; /* bytes between two tests: one branch for four blocks */

/* The groups that row `k` allows in each lane. */
WIDE UTF8_INLINE lanes row_in(const utf8_sieve *sieve, const uint8_t *block, size_t k) {
    const lanes bytes = load(block - sieve->before[k]);
    return both(look_up(row_of(sieve->high[k]), high_half(bytes)), look_up(row_of(sieve->low[k]), low_half(bytes)));
}

/* The groups of the characters that may end in each lane. Reads block[1 - places] .. block[LANES - 1]. */
WIDE UTF8_INLINE lanes groups_in(const utf8_sieve *sieve, const uint8_t *block) {
    lanes groups = row_in(sieve, block, 0);
    for (size_t k = 1; k < sieve->places; k++) groups = both(groups, row_in(sieve, block, k));
    return groups;
}

/* How the rarest bytes are looked at before all are: the rarest one, or two, by their tables or by comparing. */
enum { TABLE_1, TABLE_2, ONE_VALUE, VALUE_AND_LEAST };

/* Not 0 in the lanes whose rarest bytes may be those of a character. */
WIDE UTF8_INLINE lanes rarest_in(const utf8_sieve *sieve, const uint8_t *block, int way) {
    if (way == TABLE_1) return row_in(sieve, block, 0);
    if (way == TABLE_2) return both(row_in(sieve, block, 0), row_in(sieve, block, 1));
    const lanes same = equal(load(block - sieve->before[0]), every(sieve->least[0]));
    if (way == ONE_VALUE) return same;
    /* most[1] would take two steps more and rules out little */
    return both(same, above(load(block - sieve->before[1]), every((uint8_t)(sieve->least[1] - 1))));
}

/* Whether a character may end in the four blocks at `block`, as far as its rarest bytes tell. */
WIDE UTF8_INLINE int may_be_in(const utf8_sieve *sieve, const uint8_t *block, int way) {
    lanes found = rarest_in(sieve, block, way);
    for (size_t at = LANES; at < STEP; at += LANES) found = either(found, rarest_in(sieve, block + at, way));
    return any(found);
}

/* The same, as far as all of its bytes tell. */
WIDE UTF8_ASIDE static int is_in(const utf8_sieve *sieve, const uint8_t *block) {
    lanes found = groups_in(sieve, block);
    for (size_t at = LANES; at < STEP; at += LANES) found = either(found, groups_in(sieve, block + at));
    return any(found);
}

/* An index from which on a candidate may be: none is in data[from .. it - 1]. Precondition: `from` is at least
 * `places` - 1, so that the bytes before each block are in the data. In most text the rarest bytes are not there. */
WIDE UTF8_INLINE size_t clear_until(const utf8_sieve *sieve, const uint8_t *data, size_t from, size_t size, int way) {
    while (size - from >= STEP && !(may_be_in(sieve, data + from, way) && is_in(sieve, data + from))) from += STEP;
    while (size - from >= LANES && !any(groups_in(sieve, data + from))) from += LANES;
    /* The last bytes, and before them some once more: one by one they took 0.1 us, as long as 3 KiB. */
    const int is_last = size - from < LANES && size >= LANES + UTF8_MAX_CHARACTER - 1;
    return is_last && !any(groups_in(sieve, data + size - LANES)) ? size : from;
}

/* The way as a constant, so that its tables or values stay in registers. */
typedef size_t clearer(const utf8_sieve *, const uint8_t *, size_t, size_t);
WIDE static size_t table_1(const utf8_sieve *s, const uint8_t *d, size_t f, size_t n) { return clear_until(s, d, f, n, TABLE_1); }
WIDE static size_t table_2(const utf8_sieve *s, const uint8_t *d, size_t f, size_t n) { return clear_until(s, d, f, n, TABLE_2); }
WIDE static size_t value(const utf8_sieve *s, const uint8_t *d, size_t f, size_t n) { return clear_until(s, d, f, n, ONE_VALUE); }
WIDE static size_t value_and_least(const utf8_sieve *s, const uint8_t *d, size_t f, size_t n) { return clear_until(s, d, f, n, VALUE_AND_LEAST); }

static clearer *way_for(const utf8_sieve *sieve) {
    if (sieve->least[0] == sieve->most[0]) return sieve->places == 1 || sieve->least[1] == 0 ? value : value_and_least;
    return sieve->places == 1 ? table_1 : table_2;
}

/* Whether the wide loop runs here. cpuid is slow under a hypervisor, so the answer is kept; two threads that both find
 * it missing store the same one. */
static int has_lanes(void) {
    static const char *kept = NULL;
    const char *answer = UTF8_LOAD(kept);
    if (answer == NULL) {
        answer = is_wide() ? "yes" : "no";
        UTF8_STORE(kept, answer);
    }
    return *answer == 'y';
}

size_t utf8_next_candidate(const utf8_sieve *sieve, const uint8_t *data, size_t from, size_t size) {
    const size_t places = sieve->places;
    if (size < LANES || from > size - LANES || !has_lanes()) return utf8_next_candidate_scalar(sieve, data, from, size);
    for (; from < places - 1; from++) {
        if (groups_at(sieve, data, from)) return from;
    }
    clearer *const clear_to = way_for(sieve);
    while (from < size) {
        from = clear_to(sieve, data, from, size);
        const size_t end = size - from < STEP ? size : from + STEP;
        from = utf8_next_candidate_scalar(sieve, data, from, end);
        if (from < end) return from;
    }
    return size;
}
#else
size_t utf8_next_candidate(const utf8_sieve *sieve, const uint8_t *data, size_t from, size_t size) {
    return utf8_next_candidate_scalar(sieve, data, from, size);
}
#endif
