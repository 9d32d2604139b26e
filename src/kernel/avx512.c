/* The AVX-512 kernel: 64 bytes at a time, one table of 128 entries for each of two byte roles (needs VBMI).
 *
 * One idea is from Keiser and Lemire, "Validating UTF-8 in less than one instruction per byte" (2021): each kind of error
 * is a bit, the possible errors of two neighbours are looked up for each of the two, and ANDed. The rest is ours:
 *
 * - A lane's verdict depends on its own byte b0 and the three before it, p1 p2 p3, and on nothing else. These are
 *   loaded from memory again, or taken from the other block of the same turn, so that no turn passes a value to the next
 *   and blocks may overlap.
 * - A byte role is one look-up in 128 entries, index max(byte, 7F): all of ASCII falls on the last entry. So does FF,
 *   which is therefore taken for ASCII here; the length test below finds it, two lanes later.
 * - Length: avg(p2, 1F) has bit 7 exactly when p2 is E0..FF, avg(p3, 0F) when p3 is F0..FF. One of the
 *   two must hold exactly where two tail bytes meet (TWO_TAILS); otherwise a character is too short or too long.
 */
#include "compiler.h"
#include "scalar.h"
#include "wide.h"

#if UTF8_X86
#include <immintrin.h>

enum {
    EXIT_EVERY = 8192, /* bytes between two checks of the objections */
    STRETCH = 1024,    /* bytes between two checks for a run of ASCII */
    ALIGN_FROM = 2048, /* from this size on, whole cache lines save more than judging a block twice costs */
    FETCH_FROM = 4 << 20, /* from this size on, prefetch: 45 instead of 22 GB/s at 64 MiB on Zen 5 */
};

#define AVX512 UTF8_TARGET("avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi2")

/* Rows of sixteen: the entries for the bytes ending in 0..F. */
#define ROW(x) x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x

enum { ABOVE = NO_TAIL | TOO_LARGE | BAD_8X };

/* What may be wrong given p1, the byte before. */
static const uint8_t after[128] = {
    ROW(TWO_TAILS),                                                               /* 80..8F  UTF8-tail */
    ROW(TWO_TAILS),                                                               /* 90..9F */
    ROW(TWO_TAILS),                                                               /* A0..AF */
    ROW(TWO_TAILS),                                                               /* B0..BF */
    NO_TAIL | OVERLONG_2, NO_TAIL | OVERLONG_2,                                   /* C0, C1 begin nothing */
    NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL,       /* C2..DF  UTF8-2 */
    NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL,
    ROW(NO_TAIL),
    NO_TAIL | OVERLONG_3,                                                         /* E0      UTF8-3 */
    NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL,       /* E1..EC */
    NO_TAIL, NO_TAIL, NO_TAIL, NO_TAIL,
    NO_TAIL | SURROGATE,                                                          /* ED */
    NO_TAIL, NO_TAIL,                                                             /* EE, EF */
    NO_TAIL | BAD_8X,                                                             /* F0      UTF8-4 */
    NO_TAIL, NO_TAIL, NO_TAIL,                                                    /* F1..F3 */
    NO_TAIL | TOO_LARGE,                                                          /* F4 */
    ABOVE, ABOVE, ABOVE, ABOVE, ABOVE, ABOVE, ABOVE, ABOVE, ABOVE, ABOVE,         /* F5..FE begin nothing */
    LONE_TAIL,                                                                    /* 00..7F  UTF8-1, and FF */
};

/* What may be wrong given b0, the byte itself. */
static const uint8_t at[128] = {
    ROW(AT_8X),                        /* 80..8F  UTF8-tail */
    ROW(AT_9X),                        /* 90..9F */
    ROW(AT_AX_BX),                        /* A0..AF */
    ROW(AT_AX_BX),                        /* B0..BF */
    ROW(NO_TAIL), ROW(NO_TAIL),             /* C0..FE  no tail */
    ROW(NO_TAIL), ROW(NO_TAIL),             /* ... with 00..7F and FF in the last place */
};

/* Indices into 128 bytes that move the later 64 up by three lanes; from the second entry on, by two. */
static const uint8_t by_three[65] = {
     61,  62,  63,  64,  65,  66,  67,  68,  69,  70,  71,  72,  73,  74,  75,  76,
     77,  78,  79,  80,  81,  82,  83,  84,  85,  86,  87,  88,  89,  90,  91,  92,
     93,  94,  95,  96,  97,  98,  99, 100, 101, 102, 103, 104, 105, 106, 107, 108,
    109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124,
    125,
};

typedef struct {
    __m512i pairs;   /* bits 0..6: p1 and b0 cannot stand together */
    __m512i lengths; /* bit 7: two tail bytes where no long character needs them, or the reverse */
} objections;

AVX512 UTF8_INLINE __m512i look_up(const uint8_t table[128], __m512i byte) {
    const __m512i index = _mm512_max_epu8(byte, _mm512_set1_epi8(0x7F)); /* only its low seven bits count */
    return _mm512_permutex2var_epi8(_mm512_loadu_si512(table), index, _mm512_loadu_si512(table + 64));
}

AVX512 UTF8_INLINE objections judge(__m512i b0, __m512i p1, __m512i p2, __m512i p3) {
    const __m512i pairs = _mm512_and_si512(look_up(after, p1), look_up(at, b0));
    const __m512i third = _mm512_avg_epu8(p2, _mm512_set1_epi8(0x1F));  /* bit 7: b0 must be a third byte */
    const __m512i fourth = _mm512_avg_epu8(p3, _mm512_set1_epi8(0x0F)); /* bit 7: b0 must be a fourth byte */
    const objections found = {pairs, _mm512_ternarylogic_epi64(pairs, third, fourth, 0x1E)}; /* a ^ (b | c) */
    return found;
}

AVX512 UTF8_INLINE __m512i load(const uint8_t *block) {
    __m512i bytes = _mm512_loadu_si512(block);
    UTF8_KEEP(bytes);
    return bytes;
}

/* Judge the 64 bytes at `block`, which are `b0`. Reads block[-16] .. block[62]. Precondition: 64 readable bytes
 * before `block`. p1 is loaded, p2 and p3 are shifted out of the 16 bytes before: in one cycle Zen 5 reads two whole cache
 * lines or one load that straddles two, and it moves bytes in two of its four units; so loads and shifts run in parallel. */
AVX512 UTF8_INLINE objections judge_at(const uint8_t *block, __m512i b0) {
    const __m512i by16 = load(block - 16);
    return judge(b0, _mm512_loadu_si512(block - 1), _mm512_alignr_epi8(b0, by16, 14), _mm512_alignr_epi8(b0, by16, 13));
}

/* The same where the 64 bytes before are in a register: p2 and p3 are looked up in both vectors, so that one load less
 * may straddle two lines. Used for every second block of the loop it makes 1 KiB 2 to 9 % faster, depending on where the
 * text lies in memory, and 64 KiB 1 to 2 % slower; used for every block it makes 64 KiB 8 % slower. */
AVX512 UTF8_INLINE objections judge_after(__m512i before, const uint8_t *block, __m512i b0) {
    return judge(b0, _mm512_loadu_si512(block - 1),
                 _mm512_permutex2var_epi8(before, _mm512_loadu_si512(by_three + 1), b0),
                 _mm512_permutex2var_epi8(before, _mm512_loadu_si512(by_three), b0));
}

/* Judge a text's first 64 bytes. No bytes precede them: zeros take their place, and zeros are ASCII. */
AVX512 UTF8_INLINE objections judge_first(__m512i b0) {
    const __m512i by16 = _mm512_alignr_epi32(b0, _mm512_setzero_si512(), 12); /* moved up by 16 bytes */
    return judge(b0, _mm512_alignr_epi8(b0, by16, 15), _mm512_alignr_epi8(b0, by16, 14),
                 _mm512_alignr_epi8(b0, by16, 13));
}

/* Judge a text's last `count` (1..63) bytes. Lanes that the mask leaves out are not read and hold zeros: they cause no
 * page fault and no objection. Precondition: 64 readable bytes before `block`. */
AVX512 UTF8_INLINE objections judge_last(const uint8_t *block, size_t count) {
    const __mmask64 mask = _bzhi_u64(~UINT64_C(0), (unsigned)count);
    return judge(_mm512_maskz_loadu_epi8(mask, block), _mm512_maskz_loadu_epi8(mask, block - 1),
                 _mm512_maskz_loadu_epi8(mask, block - 2), _mm512_maskz_loadu_epi8(mask, block - 3));
}

AVX512 UTF8_INLINE void note(objections *found, objections more) {
    found->pairs = _mm512_or_si512(found->pairs, more.pairs);
    found->lengths = _mm512_or_si512(found->lengths, more.lengths);
}

AVX512 UTF8_INLINE void note_two(objections *found, objections one, objections two) {
    found->pairs = _mm512_ternarylogic_epi64(found->pairs, one.pairs, two.pairs, 0xFE); /* a | b | c */
    found->lengths = _mm512_ternarylogic_epi64(found->lengths, one.lengths, two.lengths, 0xFE);
}

/* Judge 128 bytes. */
AVX512 UTF8_INLINE void note_pair(objections *found, const uint8_t *block) {
    const __m512i one = load(block), two = load(block + 64);
    note_two(found, judge_at(block, one), judge_after(one, block + 64, two));
}

/* Bits 0..6 of `pairs` and bit 7 of `lengths`: not zero in the lanes that object. */
AVX512 UTF8_INLINE __m512i verdict(const objections *found) {
    return _mm512_ternarylogic_epi64(_mm512_set1_epi8((char)0x80), found->lengths, found->pairs, 0xCA); /* a ? b : c */
}

AVX512 UTF8_INLINE bool objects(const objections *found) {
    const __m512i lanes = verdict(found);
    return _mm512_test_epi8_mask(lanes, lanes) != 0;
}

/* Up to 64 bytes: one masked load. */
AVX512 UTF8_INLINE bool is_valid_short(const uint8_t *data, size_t size) {
    const __m512i b0 = _mm512_maskz_loadu_epi8(_bzhi_u64(~UINT64_C(0), (unsigned)size), data);
    if (UTF8_LIKELY(_mm512_movepi8_mask(b0) == 0)) return true; /* UTF8-1 throughout */
    const objections found = judge_first(b0);
    /* Up to 62 bytes, the lanes of the zeros after the last byte object to a character that the end cuts; FF needs the
     * second of these lanes. With 63 and 64 bytes there is no room for two. */
    return !objects(&found) && (size <= 62 || !utf8_cut_off(data + size));
}

AVX512 UTF8_INLINE __m512i or64(const uint8_t *one, const uint8_t *two) {
    return _mm512_or_si512(_mm512_loadu_si512(one), _mm512_loadu_si512(two));
}

AVX512 UTF8_INLINE bool is_ascii256(const uint8_t *block) {
    return _mm512_movepi8_mask(_mm512_or_si512(or64(block, block + 64), or64(block + 128, block + 192))) == 0;
}

/* Whether the 128 bytes and the three before them are ASCII: then none of their lanes objects. The three are loaded with
 * the place of the 64 before, so that no load straddles two cache lines where `block` begins one. */
AVX512 UTF8_INLINE bool is_ascii131(const uint8_t *block) {
    const __m512i three = _mm512_maskz_loadu_epi8(UINT64_C(7) << 61, block - 64);
    return _mm512_movepi8_mask(_mm512_or_si512(three, or64(block, block + 64))) == 0;
}

/* 65 to 256 bytes: the loads from the end overlap the loads from the start. */
AVX512 UTF8_INLINE bool is_ascii_up_to_256(const uint8_t *data, size_t size) {
    const uint8_t *const end = data + size;
    __m512i all = or64(data, end - 64);
    if (size > 128) all = _mm512_or_si512(all, or64(data + 64, end - 128));
    return _mm512_movepi8_mask(all) == 0;
}

/* Prefetch, after reading one byte of each line of the 128 bytes that are judged next: 45 GB/s at 64 MiB with GCC and
 * clang. Where wide loads that straddle two lines come first, the gain of the prefetches depends on the order in which the
 * compiler puts them: we have measured 17 to 46 GB/s. */
AVX512 UTF8_INLINE void fetch_after_touching(const uint8_t *block) {
    for (size_t i = 0; i < 128; i += 64) (void)*(const volatile uint8_t *)(block + i);
    utf8_fetch(block, 128);
}

/* The end of the ASCII that starts at `block`, in whole blocks of 256 bytes. */
AVX512 UTF8_INLINE const uint8_t *skip_ascii(const uint8_t *block, const uint8_t *end, bool far) {
    for (; end - block >= 256 && is_ascii256(block); block += 256)
        if (far) utf8_fetch(block, 256);
    return block;
}

/* Judge the bytes from `block` to `stop`, one pair of blocks or more, without the pairs that are ASCII. But one pair is
 * judged in any case, so that the branch predictor is seldom wrong where a character comes now and then. Returns how many
 * bytes are in pairs of ASCII. */
AVX512 UTF8_INLINE ptrdiff_t judge_mixed(objections *found, const uint8_t *block, const uint8_t *stop, bool far) {
    const uint8_t *list[STRETCH / 128];
    size_t length = 0;
    const ptrdiff_t size = stop - block;
    for (; block < stop; block += 128) {
        if (far) fetch_after_touching(block);
        list[length] = block; /* stays on the list only if it is not ASCII */
        length += !is_ascii131(block);
    }
    for (size_t i = 0; i < length || i == 0; i += 1) note_pair(found, list[i]);
    return size - 128 * (ptrdiff_t)length;
}

/* Judge the last bytes of a text, fewer than 128 from `block` on. Returns whether neither they nor `found` object. */
AVX512 UTF8_INLINE bool ends_well(objections found, const uint8_t *block, const uint8_t *end) {
    if (end - block >= 64) {
        note(&found, judge_at(block, load(block)));
        block += 64;
    }
    if (block < end) note(&found, judge_last(block, (size_t)(end - block)));
    return !objects(&found) && !utf8_cut_off(end);
}

/* The end of the next stretch: whole pairs of blocks. */
UTF8_INLINE const uint8_t *end_of_stretch(const uint8_t *block, const uint8_t *end) {
    return block + ((end - block < STRETCH ? end - block : STRETCH) & -128);
}

/* `checked` from the offset `from` (64 or more) on; all before it is well-formed. Texts that are ASCII in places come here.
 * It is a function of its own because `is_valid`, called from Python on 1 KiB, is 8 % faster with fewer registers to save. */
AVX512 UTF8_ASIDE static size_t checked_from(const uint8_t *data, size_t size, size_t from) {
    const bool far = size >= FETCH_FROM;
    const uint8_t *const end = data + size;
    const uint8_t *good = data + from; /* all before it is well-formed, except that the last character may go on */
    const uint8_t *block = good;
    objections found = {_mm512_setzero_si512(), _mm512_setzero_si512()};
    for (bool mixed = true;;) {
        const uint8_t *const stop = end_of_stretch(block, end);
        if (mixed && block < stop) {
            mixed = judge_mixed(&found, block, stop, far) >= STRETCH / 8 * 5; /* else to judge all takes less time */
            block = stop;
        }
        for (; block < stop; block += 128) {
            if (far) fetch_after_touching(block);
            note_pair(&found, block);
        }
        if (end - block < 128) return ends_well(found, block, end) ? size : (size_t)(good - data);
        const bool ascii = end - block >= 256 && is_ascii256(block);
        if (ascii ? utf8_cut_off(block) || objects(&found) : block - good >= EXIT_EVERY && objects(&found))
            return (size_t)(good - data);
        if (ascii) {
            mixed = true;
            block = skip_ascii(block, end, far);
            if (end - block < 256 && is_ascii256(end - 256)) return size;
        }
        if (ascii || block - good >= EXIT_EVERY) good = block;
    }
}

typedef struct {
    size_t good; /* what `checked` returns, if `rest` is 0 */
    size_t rest; /* otherwise all before this offset is well-formed, and `checked_from` has to go on there */
} progress;

/* `checked`, but only up to the end of the first run of ASCII that other text follows. */
AVX512 UTF8_INLINE progress checked_to(const uint8_t *data, size_t size) {
    if (UTF8_LIKELY(size <= 64)) return (progress){is_valid_short(data, size) ? size : 0, 0}; /* a jump is a tenth of it */
    const uint8_t *const end = data + size;
    const bool far = size >= FETCH_FROM;
    const __m512i start = _mm512_loadu_si512(data);
    if (UTF8_LIKELY(_mm512_movepi8_mask(start) == 0)) { /* heuristic: text that starts as ASCII usually stays ASCII */
        if (UTF8_LIKELY(size <= 256)) {
            if (is_ascii_up_to_256(data, size)) return (progress){size, 0};
        } else if (is_ascii256(data)) {
            const uint8_t *block = data + 256;
            block -= (uintptr_t)block & 63; /* reads some of that ASCII again, and whole lines from here on */
            block = skip_ascii(block, end, far);
            if (end - block < 256 && is_ascii256(end - 256)) return (progress){size, 0};
            return (progress){0, (size_t)(block - data)};
        }
    }
    const uint8_t *good = data, *block = data + 64;
    objections found = judge_first(start);
    if (size >= 128) {
        note(&found, judge_after(start, block, load(block)));
        block = data + 128;
        if (size >= ALIGN_FROM) block -= (uintptr_t)block & 63; /* reads some bytes again, and whole lines from here on */
    }
    for (;;) {
        /* Heuristic: a text that is not ASCII usually stays so. Checking every block for ASCII costs 10 %. */
        for (const uint8_t *const stop = end_of_stretch(block, end); block < stop; block += 128) {
            if (far) fetch_after_touching(block);
            note_pair(&found, block);
        }
        if (end - block < 128) return (progress){ends_well(found, block, end) ? size : (size_t)(good - data), 0};
        const bool ascii = end - block >= 256 && is_ascii256(block);
        if (ascii ? utf8_cut_off(block) || objects(&found) : block - good >= EXIT_EVERY && objects(&found))
            return (progress){(size_t)(good - data), 0};
        if (ascii) return (progress){0, (size_t)(block - data)};
        if (block - good >= EXIT_EVERY) good = block;
    }
}

/* How far `data` is known to be well-formed: `size` when all of it is. Otherwise an offset before `size`: the first error
 * starts at most three bytes before it and at most EXIT_EVERY + STRETCH bytes after it. */
AVX512 UTF8_INLINE size_t checked(const uint8_t *data, size_t size) {
    const progress to = checked_to(data, size);
    return to.rest ? checked_from(data, size, to.rest) : to.good;
}

AVX512 UTF8_ASIDE static bool is_valid_from(const uint8_t *data, size_t size, size_t from) {
    return checked_from(data, size, from) == size;
}

/* The same as `checked(data, size) == size`; written like this, it has no registers to save. */
AVX512 UTF8_ALIGNED static bool is_valid_avx512(const uint8_t *data, size_t size) {
    const progress to = checked_to(data, size);
    return to.rest ? is_valid_from(data, size, to.rest) : to.good == size;
}

AVX512 static size_t first_error_avx512(const uint8_t *data, size_t size) {
    const size_t good = checked(data, size);
    if (good == size) return size;
    return utf8_first_error_from(data, size, good < 2 ? 0 : good - 2); /* the next block objects to an FF there */
}

AVX512 static void lanes_avx512(const uint8_t *block, uint8_t *flags) {
    const __m512i before = load(block);
    const objections one = judge_at(block, before), two = judge_after(before, block + 64, load(block + 64));
    _mm512_storeu_si512(flags, verdict(&one));
    _mm512_storeu_si512(flags + 64, verdict(&two));
}

const utf8_kernel utf8_avx512 = {"avx512", is_valid_avx512, first_error_avx512, lanes_avx512, 128};

#endif
