/* The AVX2 kernel: 32 bytes at a time, three look-ups of sixteen entries, by half bytes as Keiser and Lemire do it.
 *
 * The rest is as in avx512.c: a lane's verdict depends on its own byte b0 and the three before it, p1 p2 p3. These are
 * loaded from memory again, so that no block passes a value to the next and blocks may overlap. The length test uses
 * averages.
 */
#include <string.h>

#include "compiler.h"
#include "half_bytes.h"
#include "scalar.h"
#include "wide.h"

#if UTF8_X86
#include <immintrin.h>

enum {
    EXIT_EVERY = 8192, /* bytes between two checks of the objections */
    STRETCH = 1024,    /* bytes between two checks for a run of ASCII */
    ALIGN_FROM = 2048, /* from this size on, aligned loads save more than judging a block twice costs */
};

#define AVX2 UTF8_TARGET("avx2")

typedef struct {
    __m256i pairs;   /* bits 0..6: p1 and b0 cannot stand together */
    __m256i lengths; /* bit 7: two tail bytes where no long character needs them, or the reverse */
} objections;

AVX2 UTF8_INLINE __m256i load32(const uint8_t *at) { return _mm256_loadu_si256((const __m256i *)(const void *)at); }

AVX2 UTF8_INLINE __m256i look_up(const uint8_t table[16], __m256i index) {
    const __m128i row = _mm_loadu_si128((const __m128i *)(const void *)table);
    return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(row), index);
}

AVX2 UTF8_INLINE __m256i low_half(__m256i bytes) { return _mm256_and_si256(bytes, _mm256_set1_epi8(0x0F)); }

AVX2 UTF8_INLINE __m256i high_half(__m256i bytes) { return low_half(_mm256_srli_epi16(bytes, 4)); }

AVX2 UTF8_INLINE objections judge(__m256i b0, __m256i p1, __m256i p2, __m256i p3) {
    const __m256i pairs = _mm256_and_si256(
        _mm256_and_si256(look_up(after_high, high_half(p1)), look_up(after_low, low_half(p1))), look_up(at_high, high_half(b0)));
    const __m256i third = _mm256_avg_epu8(p2, _mm256_set1_epi8(0x1F));  /* bit 7: b0 must be a third byte */
    const __m256i fourth = _mm256_avg_epu8(p3, _mm256_set1_epi8(0x0F)); /* bit 7: b0 must be a fourth byte */
    const objections found = {pairs, _mm256_xor_si256(pairs, _mm256_or_si256(third, fourth))};
    return found;
}

/* Judge the 32 bytes at `block`. Reads block[-3] .. block[31]. Precondition: 32 readable bytes before `block`. */
AVX2 UTF8_INLINE objections judge_at(const uint8_t *block) {
    __m256i p1 = load32(block - 1);
    UTF8_KEEP(p1);
    return judge(load32(block), p1, load32(block - 2), load32(block - 3));
}

/* Judge 32 bytes that are in a register: `before` holds the 16 bytes before them, then their first 16. */
AVX2 UTF8_INLINE objections judge_after(__m256i b0, __m256i before) {
    return judge(b0, _mm256_alignr_epi8(b0, before, 15), _mm256_alignr_epi8(b0, before, 14),
                 _mm256_alignr_epi8(b0, before, 13));
}

/* No bytes precede a text's first 32 bytes: zeros take their place, and zeros are ASCII. */
AVX2 UTF8_INLINE objections judge_first(__m256i b0) { return judge_after(b0, _mm256_permute2x128_si256(b0, b0, 0x08)); }

/* The `count` (0..31) bytes at `data`, then zeros; no other byte is read. A masked load reads whole words and does not
 * touch the words that its mask leaves out. The last one to three bytes are the upper end of the last four. */
AVX2 UTF8_INLINE __m256i load_short(const uint8_t *data, size_t count) {
    uint32_t rest = 0;
    if (count >= 4) {
        memcpy(&rest, data + count - 4, 4);
        rest = (uint32_t)((uint64_t)rest >> (8 * (4 - (count & 3))));
    } else if (count > 0) { /* first, middle and last of one to three bytes */
        const size_t middle = count / 2, last = count - 1;
        rest = data[0] | (uint32_t)data[middle] << (8 * middle) | (uint32_t)data[last] << (8 * last);
    }
    const __m256i place = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i words = _mm256_set1_epi32((int)(count / 4));
    const __m256i whole = _mm256_maskload_epi32((const int *)(const void *)data, _mm256_cmpgt_epi32(words, place));
    return _mm256_or_si256(whole, _mm256_and_si256(_mm256_cmpeq_epi32(words, place), _mm256_set1_epi32((int)rest)));
}

/* Judge a text's last `count` (1..31) bytes. Precondition: 32 readable bytes before `block`. */
AVX2 UTF8_INLINE objections judge_last(const uint8_t *block, size_t count) {
    const __m256i b0 = load_short(block, count);
    const __m128i before = _mm_loadu_si128((const __m128i *)(const void *)(block - 16));
    return judge_after(b0, _mm256_inserti128_si256(_mm256_castsi128_si256(before), _mm256_castsi256_si128(b0), 1));
}

AVX2 UTF8_INLINE void note(objections *found, objections more) {
    found->pairs = _mm256_or_si256(found->pairs, more.pairs);
    found->lengths = _mm256_or_si256(found->lengths, more.lengths);
}

/* Judge 64 bytes. */
AVX2 UTF8_INLINE void note_pair(objections *found, const uint8_t *block) {
    note(found, judge_at(block));
    note(found, judge_at(block + 32));
}

/* Bits 0..6 of `pairs` and bit 7 of `lengths`: not zero in the lanes that object. */
AVX2 UTF8_INLINE __m256i verdict(const objections *found) {
    const __m256i bit7 = _mm256_set1_epi8((char)0x80);
    return _mm256_or_si256(_mm256_andnot_si256(bit7, found->pairs), _mm256_and_si256(bit7, found->lengths));
}

AVX2 UTF8_INLINE bool objects(const objections *found) {
    const __m256i lanes = verdict(found);
    return !_mm256_testz_si256(lanes, lanes);
}

/* Up to 31 bytes: the lane of the zero after the last byte objects to a character that the end cuts. */
AVX2 UTF8_INLINE bool is_valid_short(const uint8_t *data, size_t size) {
    const __m256i b0 = load_short(data, size);
    if (_mm256_movemask_epi8(b0) == 0) return true; /* UTF8-1 throughout */
    const objections found = judge_first(b0);
    return !objects(&found);
}

AVX2 UTF8_INLINE __m256i or32(const uint8_t *one, const uint8_t *two) {
    return _mm256_or_si256(load32(one), load32(two));
}

AVX2 UTF8_INLINE bool is_ascii128(const uint8_t *block) {
    return _mm256_movemask_epi8(_mm256_or_si256(or32(block, block + 32), or32(block + 64, block + 96))) == 0;
}

/* Whether the 64 bytes and the three before them are ASCII: then none of their lanes objects. */
AVX2 UTF8_INLINE bool is_ascii67(const uint8_t *block) {
    return _mm256_movemask_epi8(_mm256_or_si256(or32(block - 3, block), load32(block + 32))) == 0;
}

/* 32 to 128 bytes: the loads from the end overlap the loads from the start. */
AVX2 UTF8_INLINE bool is_ascii_up_to_128(const uint8_t *data, size_t size) {
    const uint8_t *const end = data + size;
    __m256i all = or32(data, end - 32);
    if (size > 64) all = _mm256_or_si256(all, or32(data + 32, end - 64));
    return _mm256_movemask_epi8(all) == 0;
}

/* The end of the ASCII that starts at `block`, in whole blocks of 128 bytes. */
AVX2 UTF8_INLINE const uint8_t *skip_ascii(const uint8_t *block, const uint8_t *end) {
    while (end - block >= 128 && is_ascii128(block)) block += 128;
    return block;
}

/* Judge the bytes from `block` to `stop`, whole pairs of blocks, without the pairs that are ASCII. Returns how many bytes
 * were left out. */
AVX2 UTF8_INLINE ptrdiff_t judge_mixed(objections *found, const uint8_t *block, const uint8_t *stop) {
    ptrdiff_t left_out = 0;
    for (; block < stop; block += 64) {
        if (is_ascii67(block)) {
            left_out += 64;
        } else {
            note_pair(found, block);
        }
    }
    return left_out;
}

/* How far `data` is known to be well-formed: `size` when all of it is. Otherwise an offset before `size`: the first error
 * starts at most three bytes before it and at most EXIT_EVERY + STRETCH bytes after it. */
AVX2 UTF8_INLINE size_t checked(const uint8_t *data, size_t size) {
    if (size < 32) return is_valid_short(data, size) ? size : 0;
    const __m256i start = load32(data);
    bool ascii = _mm256_movemask_epi8(start) == 0; /* heuristic: text that starts as ASCII usually stays ASCII */
    if (ascii && size <= 128 && is_ascii_up_to_128(data, size)) return size;
    ascii = ascii && size > 128 && is_ascii128(data);
    const uint8_t *const end = data + size;
    const uint8_t *good = data; /* all before it is well-formed, except that the last character may go on */
    const uint8_t *block = data;
    objections found = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    if (!ascii) {
        found = judge_first(start);
        block = data + 32;
        if (size >= ALIGN_FROM) { /* judge some bytes twice, so that all loads from here on are aligned */
            note(&found, judge_at(block));
            block = data + 64 - ((uintptr_t)data & 31);
        }
    }
    bool mixed = ascii; /* ASCII with other characters in places */
    for (;;) {
        if (ascii) {
            block += 128;
            if (size >= ALIGN_FROM) block -= (uintptr_t)block & 31; /* reads some of that ASCII again */
            block = skip_ascii(block, end);
            if (end - block < 128 && is_ascii128(end - 128)) return size;
            good = block;
        }
        const uint8_t *const stop = block + ((end - block < STRETCH ? end - block : STRETCH) & -64);
        if (mixed) {
            mixed = judge_mixed(&found, block, stop) >= STRETCH / 4;
            block = stop;
        }
        /* Heuristic: a text that is not ASCII usually stays so. Checking every block for ASCII costs 10 %. */
        for (; block < stop; block += 64) note_pair(&found, block);
        if (end - block < 64) break;
        ascii = end - block >= 128 && is_ascii128(block);
        mixed |= ascii;
        if (ascii ? utf8_cut_off(block) || objects(&found) : block - good >= EXIT_EVERY && objects(&found))
            return (size_t)(good - data);
        if (block - good >= EXIT_EVERY) good = block;
    }
    if (end - block >= 32) {
        note(&found, judge_at(block));
        block += 32;
    }
    if (block < end) note(&found, judge_last(block, (size_t)(end - block)));
    if (!objects(&found) && !utf8_cut_off(end)) return size;
    return (size_t)(good - data);
}

AVX2 static bool is_valid_avx2(const uint8_t *data, size_t size) { return checked(data, size) == size; }

AVX2 static size_t first_error_avx2(const uint8_t *data, size_t size) {
    const size_t good = checked(data, size);
    return good == size ? size : utf8_first_error_from(data, size, good);
}

AVX2 static void lanes_avx2(const uint8_t *block, uint8_t *flags) {
    const objections found = judge_at(block);
    _mm256_storeu_si256((__m256i *)(void *)flags, verdict(&found));
}

const utf8_kernel utf8_avx2 = {"avx2", is_valid_avx2, first_error_avx2, lanes_avx2, 32};

#endif
