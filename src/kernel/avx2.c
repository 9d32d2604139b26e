/* The AVX2 kernel: 32 bytes at a time, three look-ups of sixteen entries, by half bytes as Keiser and Lemire do it.
 *
 * The rest is as in avx512.c: a lane's verdict depends on its own byte b0 and the three before it, p1 p2 p3. These are
 * loaded from memory again, so that no block passes a value to the next and blocks may overlap. The length test uses
 * averages.
 *
 * Most texts are mostly ASCII. What costs time there is guessing wrong at a branch (about as much as judging 128 bytes),
 * so a stretch of such text is gone through twice: first each block of 64 bytes that is not ASCII is put on a list,
 * without a branch; then the blocks on the list are judged. Only the length of the list has to be guessed.
 */
#include <string.h>

#include "compiler.h"
#include "half_bytes.h"
#include "scalar.h"
#include "wide.h"

#if UTF8_X86
#include <immintrin.h>

enum {
    WHOLE = 256,       /* up to this size a text is ASCII, or all of it is judged: looking for its ASCII costs more */
    FIRST = 1024,      /* so many bytes are tested for ASCII at once when a text begins with it */
    STRETCH = 4096,    /* bytes between two checks of the objections, and between two looks for ASCII */
    SAMPLE = 480,      /* bytes between two samples of a stretch; not 512, so that they meet each part of a period */
    ROW = 8,           /* blocks of 64 bytes that are tested for ASCII at once; as many vectors stay in registers */
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

AVX2 UTF8_INLINE bool is_ascii(__m256i bytes) { return _mm256_movemask_epi8(bytes) == 0; }

/* The `count` bytes, a multiple of 32 that the compiler knows, ORed together. */
AVX2 UTF8_INLINE __m256i or_all(const uint8_t *at, size_t count) {
    __m256i all = load32(at);
    for (size_t i = 32; i < count; i += 32) all = _mm256_or_si256(all, load32(at + i));
    return all;
}

/* Whether `count` bytes from the start and `count` bytes up to the end are ASCII. They may overlap. */
AVX2 UTF8_INLINE bool is_ascii_from_both(const uint8_t *data, const uint8_t *end, size_t count) {
    return is_ascii(_mm256_or_si256(or_all(data, count), or_all(end - count, count)));
}

/* Whether a text of 32 to FIRST bytes is ASCII: one answer, so that there is one branch to guess. */
AVX2 UTF8_INLINE bool is_ascii_throughout(const uint8_t *data, size_t size) {
    const uint8_t *const end = data + size;
    if (size <= 64) return is_ascii_from_both(data, end, 32);
    if (size <= 128) return is_ascii_from_both(data, end, 64);
    if (size <= 256) return is_ascii_from_both(data, end, 128);
    if (size <= 512) return is_ascii_from_both(data, end, 256);
    return is_ascii_from_both(data, end, FIRST / 2);
}

/* The end of the ASCII that starts at `block`, in whole blocks of 512 bytes. */
AVX2 UTF8_INLINE const uint8_t *skip_ascii(const uint8_t *block, const uint8_t *end) {
    while (end - block >= 512 && is_ascii_from_both(block, block + 512, 256)) block += 512;
    return block;
}

/* Put the 64 bytes at `block` on the list, unless they and the three before them are ASCII: then none of their lanes
 * objects. `ored` is the OR of the 64 bytes. Returns the list's new length. */
AVX2 UTF8_INLINE size_t list_block(const uint8_t *list[], size_t length, const uint8_t *block, __m256i ored) {
    list[length] = block;
    return length + !is_ascii(_mm256_or_si256(load32(block - 3), ored));
}

/* Judge what is not ASCII from `block` to `stop`, whole blocks of 64 bytes, and then in the text's last 64 bytes if `stop`
 * is beyond their start. Returns whether all of it and the three bytes before it are ASCII. */
AVX2 UTF8_INLINE bool judge_mixed(objections *found, const uint8_t *block, const uint8_t *stop, const uint8_t *last) {
    const uint8_t *list[STRETCH / 64 + 1];
    size_t length = 0;
    for (; stop - block >= 64 * ROW; block += 64 * ROW) {
        __m256i ored[ROW];
        __m256i all = load32(block - 3);
        for (size_t i = 0; i < ROW; i += 1) {
            ored[i] = or32(block + 64 * i, block + 64 * i + 32);
            all = _mm256_or_si256(all, ored[i]);
        }
        if (!is_ascii(all)) {
            for (size_t i = 0; i < ROW; i += 1) length = list_block(list, length, block + 64 * i, ored[i]);
        }
    }
    for (; block < stop; block += 64) length = list_block(list, length, block, or32(block, block + 32));
    if (stop >= last) length = list_block(list, length, last, or32(last, last + 32));
    for (size_t i = 0; i < length; i += 1) note_pair(found, list[i]);
    return length == 0;
}

/* Judge the same bytes without a look at them. */
AVX2 UTF8_INLINE void judge_all(objections *found, const uint8_t *block, const uint8_t *stop, const uint8_t *last) {
    for (; block < stop; block += 64) note_pair(found, block);
    if (stop >= last) {
        if (block < last + 32) note(found, judge_at(block));
        note(found, judge_at(last + 32));
    }
}

/* Heuristic: whether half of the samples or more are ASCII. Looking at every block costs 15 % where there is none.
 * All distances are multiples of 32, so that no sample goes beyond `stop`. */
AVX2 UTF8_INLINE bool is_mostly_ascii(const uint8_t *block, const uint8_t *stop) {
    size_t samples = 0, others = 0;
    for (; block < stop; block += SAMPLE) {
        samples += 1;
        others += !is_ascii(load32(block));
    }
    return 2 * others <= samples;
}

/* 32 to WHOLE bytes. */
AVX2 UTF8_INLINE bool is_valid_whole(const uint8_t *data, size_t size) {
    if (is_ascii_throughout(data, size)) return true;
    const uint8_t *const end = data + size;
    const uint8_t *block = data + 32;
    objections found = judge_first(load32(data));
    for (; end - block > 32; block += 32) note(&found, judge_at(block));
    if (size >= 35) {
        note(&found, judge_at(end - 32)); /* judges some of them again */
    } else if (block < end) {
        note(&found, judge_last(block, (size_t)(end - block)));
    }
    return !objects(&found) && !utf8_cut_off(end);
}

/* More than WHOLE bytes; the answer is that of `checked`. The last 64 bytes are a block by themselves, which overlaps the
 * one before: so `block` never comes to the end. */
AVX2 UTF8_ASIDE static size_t checked_long(const uint8_t *data, size_t size) {
    const uint8_t *const end = data + size;
    const uint8_t *const last = end - 64;
    const uint8_t *good = data; /* all before it is well-formed, except that the last character may go on */
    const uint8_t *block = data + 32;
    objections found = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    const __m256i start = load32(data);
    bool ascii = is_ascii(start) && is_ascii_throughout(data, size < FIRST ? size : FIRST);
    if (ascii) {
        if (size <= FIRST) return size;
        block = data + FIRST;
    } else {
        found = judge_first(start);
        if (size >= ALIGN_FROM) { /* judge some bytes twice, so that all loads from here on are aligned */
            note_pair(&found, block);
            block += 64 - ((uintptr_t)data & 63);
        }
    }
    for (;;) {
        if (ascii) {
            /* Reads some of that ASCII again. 32 beyond a cache line: then block - 3 does not straddle two of them. */
            if (size >= ALIGN_FROM) block -= ((uintptr_t)block + 32) & 63;
            block = skip_ascii(block, end);
            if (end - block < 512 && is_ascii_from_both(end - 512, end, 256)) return size;
            good = block;
        }
        const ptrdiff_t left = last - block + 63;
        const uint8_t *const stop = block + ((left < STRETCH ? left : STRETCH) & -64);
        ascii = false;
        if (is_mostly_ascii(block, stop)) {
            ascii = judge_mixed(&found, block, stop, last);
        } else {
            judge_all(&found, block, stop, last);
        }
        block = stop;
        if (objects(&found)) return (size_t)(good - data);
        if (block >= last) return utf8_cut_off(end) ? (size_t)(good - data) : size;
        good = block;
    }
}

/* How far `data` is known to be well-formed: `size` when all of it is. Otherwise an offset before `size`: the first error
 * starts at most three bytes before it and at most STRETCH + WHOLE bytes after it. */
AVX2 UTF8_INLINE size_t checked(const uint8_t *data, size_t size) {
    if (size < 32) return is_valid_short(data, size) ? size : 0;
    if (size <= WHOLE) return is_valid_whole(data, size) ? size : 0;
    return checked_long(data, size);
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
