/* The loops of the kernels whose look-ups have sixteen entries: AVX2, SSE4.1, NEON and WebAssembly.
 *
 * A lane's verdict depends on its own byte b0 and the three before it, p1 p2 p3. These are loaded from memory again, so
 * that no block passes a value to the next and blocks may overlap. The length test uses averages, as in avx512.c.
 *
 * Most texts are mostly ASCII. What costs time there is guessing wrong at a branch (about as much as judging 128 bytes),
 * so a stretch of such text is gone through twice: first each block of 64 bytes that is not ASCII is put on a list,
 * without a branch; then the blocks on the list are judged. Only the length of the list has to be guessed.
 *
 * The file that includes this one defines the vectors of its instruction set:
 *   KERNEL, WIDTH                 what stands before each function; the bytes of a vector
 *   vector, load, all_lanes       a vector; of the WIDTH bytes at an address; of one byte in all lanes
 *   both, either, differ          AND, OR and XOR
 *   average, high_half            (x + y + 1) / 2 and x / 16 in each lane
 *   look_up                       table[index] in each lane, for indexes below 16; the table is there twice
 *   is_ascii, is_zero             whether bit 7 is clear, and whether all bits are, in all lanes
 *   before                        the vector that ends `back` (1..3) bytes earlier, given the 16 bytes that precede this one
 *   preceding, nothing_precedes   these 16 bytes, as `before` takes them: from memory (before a vector), and zeros
 *   load_short                    the `count` (below WIDTH) bytes at an address, then zeros; it reads no other byte
 */
#ifndef UTF8_STRETCHES_H
#define UTF8_STRETCHES_H

#include "half_bytes.h"
#include "scalar.h"
#include "wide.h"

enum {
    WHOLE = 8 * WIDTH, /* up to this size a text is ASCII, or all of it is judged: looking for its ASCII costs more */
    FIRST = 1024,      /* so many bytes are tested for ASCII at once when a text begins with it */
    STRETCH = 4096,    /* bytes between two checks of the objections, and between two looks for ASCII */
    SAMPLE = 480,      /* bytes between two samples of a stretch; not 512, so that they meet each part of a period */
    ROW = 8,           /* blocks of 64 bytes that are tested for ASCII at once; as many vectors stay in registers */
    ALIGN_FROM = 2048, /* from this size on, aligned loads save more than judging a block twice costs */
    FETCH_FROM = 128 << 10, /* from this size on, prefetch: 64 MiB of mixed text take 40 to 80 % of the time on Zen 5 */
};

typedef struct {
    vector pairs;   /* bits 0..6: p1 and b0 cannot stand together */
    vector lengths; /* bit 7: two tail bytes where no long character needs them, or the reverse */
} objections;

KERNEL UTF8_INLINE objections judge(vector b0, vector p1, vector p2, vector p3) {
    const vector low = both(p1, all_lanes(0x0F));
    const vector after = both(look_up(after_high, high_half(p1)), look_up(after_low, low));
    const vector pairs = both(after, look_up(at_high, high_half(b0)));
    const vector third = average(p2, all_lanes(0x1F));  /* bit 7: b0 must be a third byte */
    const vector fourth = average(p3, all_lanes(0x0F)); /* bit 7: b0 must be a fourth byte */
    const objections found = {pairs, differ(pairs, either(third, fourth))};
    return found;
}

/* Judge the WIDTH bytes at `block`. Reads block[-3] .. block[WIDTH-1]. Precondition: 3 readable bytes before `block`. */
KERNEL UTF8_INLINE objections judge_at(const uint8_t *block) {
    vector p1 = load(block - 1);
    UTF8_KEEP(p1);
    return judge(load(block), p1, load(block - 2), load(block - 3));
}

/* Judge bytes that are in a register. */
KERNEL UTF8_INLINE objections judge_after(vector b0, vector precede) {
    return judge(b0, before(b0, precede, 1), before(b0, precede, 2), before(b0, precede, 3));
}

/* No bytes precede a text's first ones: zeros take their place, and zeros are ASCII. */
KERNEL UTF8_INLINE objections judge_first(vector b0) { return judge_after(b0, nothing_precedes(b0)); }

/* Judge a text's last `count` bytes, less than WIDTH. Precondition: 16 readable bytes before `block`. */
KERNEL UTF8_INLINE objections judge_last(const uint8_t *block, size_t count) {
    const vector b0 = load_short(block, count);
    return judge_after(b0, preceding(block, b0));
}

KERNEL UTF8_INLINE void note(objections *found, objections more) {
    found->pairs = either(found->pairs, more.pairs);
    found->lengths = either(found->lengths, more.lengths);
}

/* Judge 64 bytes. */
KERNEL UTF8_INLINE void note_pair(objections *found, const uint8_t *block) {
    note(found, judge_at(block));
    if (WIDTH == 16) note(found, judge_at(block + 16));
    note(found, judge_at(block + 32));
    if (WIDTH == 16) note(found, judge_at(block + 48));
}

/* Bits 0..6 of `pairs` and bit 7 of `lengths`: not zero in the lanes that object. */
KERNEL UTF8_INLINE vector verdict(const objections *found) {
    return either(both(all_lanes(0x7F), found->pairs), both(all_lanes(0x80), found->lengths));
}

KERNEL UTF8_INLINE bool objects(const objections *found) { return !is_zero(verdict(found)); }

/* Less than WIDTH bytes: the lane of the zero after the last byte objects to a character that the end cuts. */
KERNEL UTF8_INLINE bool is_valid_short(const uint8_t *data, size_t size) {
    const vector b0 = load_short(data, size);
    if (is_ascii(b0)) return true; /* UTF8-1 throughout */
    const objections found = judge_first(b0);
    return !objects(&found);
}

/* 64 bytes ORed together. */
KERNEL UTF8_INLINE vector or_block(const uint8_t *at) {
    const vector ored = either(load(at), load(at + 32));
    return WIDTH == 16 ? either(ored, either(load(at + 16), load(at + 48))) : ored;
}

/* The `count` bytes ORed together: one vector, two, or whole blocks. The compiler knows the number. By blocks, because GCC
 * unrolls no loop of more than 16 turns, and below -O3 none. */
KERNEL UTF8_INLINE vector or_all(const uint8_t *at, size_t count) {
    if (count == WIDTH) return load(at);
    if (WIDTH == 16 && count == 32) return either(load(at), load(at + 16));
    vector all = or_block(at);
    for (size_t i = 64; i < count; i += 64) all = either(all, or_block(at + i));
    return all;
}

/* Whether `count` bytes from the start and `count` bytes up to the end are ASCII. They may overlap. */
KERNEL UTF8_INLINE bool is_ascii_from_both(const uint8_t *data, const uint8_t *end, size_t count) {
    return is_ascii(either(or_all(data, count), or_all(end - count, count)));
}

/* Whether a text of WIDTH to FIRST bytes is ASCII: one answer, so that there is one branch to guess. */
KERNEL UTF8_INLINE bool is_ascii_throughout(const uint8_t *data, size_t size) {
    const uint8_t *const end = data + size;
    if (WIDTH < 32 && size <= 32) return is_ascii_from_both(data, end, WIDTH);
    if (size <= 64) return is_ascii_from_both(data, end, 32);
    if (size <= 128) return is_ascii_from_both(data, end, 64);
    if (size <= 256) return is_ascii_from_both(data, end, 128);
    if (size <= 512) return is_ascii_from_both(data, end, 256);
    return is_ascii_from_both(data, end, FIRST / 2);
}

/* The end of the ASCII that starts at `block`, in whole blocks of 512 bytes. */
KERNEL UTF8_INLINE const uint8_t *skip_ascii(const uint8_t *block, const uint8_t *end) {
    while (end - block >= 512 && is_ascii_from_both(block, block + 512, 256)) block += 512;
    return block;
}

/* Put the 64 bytes at `block` on the list, unless they and the three before them are ASCII: then none of their lanes
 * objects. `ored` is the OR of the 64 bytes. Returns the list's new length. */
KERNEL UTF8_INLINE size_t list_block(const uint8_t *list[], size_t length, const uint8_t *block, vector ored) {
    list[length] = block;
    return length + !is_ascii(either(load(block - 3), ored));
}

/* Judge what is not ASCII from `block` to `stop`, whole blocks of 64 bytes, and then in the text's last 64 bytes if `stop`
 * is beyond their start. Returns whether all of it and the three bytes before it are ASCII. */
KERNEL UTF8_INLINE bool judge_mixed(objections *found, const uint8_t *block, const uint8_t *stop, const uint8_t *last,
                                    bool far) {
    const uint8_t *list[STRETCH / 64 + 1];
    size_t length = 0;
    for (; stop - block >= 64 * ROW; block += 64 * ROW) {
        vector ored[ROW];
        vector all = load(block - 3);
        if (far) utf8_fetch(block, 64 * ROW);
        for (size_t i = 0; i < ROW; i += 1) {
            ored[i] = or_block(block + 64 * i);
            all = either(all, ored[i]);
        }
        if (!is_ascii(all)) {
            for (size_t i = 0; i < ROW; i += 1) length = list_block(list, length, block + 64 * i, ored[i]);
        }
    }
    for (; block < stop; block += 64) length = list_block(list, length, block, or_block(block));
    if (stop >= last) length = list_block(list, length, last, or_block(last));
    for (size_t i = 0; i < length; i += 1) note_pair(found, list[i]);
    return length == 0;
}

/* Judge the same bytes without a look at them. */
KERNEL UTF8_INLINE void judge_all(objections *found, const uint8_t *block, const uint8_t *stop, const uint8_t *last,
                                  bool far) {
    for (; block < stop; block += 64) {
        if (far) utf8_fetch(block, 64);
        note_pair(found, block);
    }
    if (stop >= last) {
        for (; block < last + (64 - WIDTH); block += WIDTH) note(found, judge_at(block));
        note(found, judge_at(last + (64 - WIDTH)));
    }
}

/* Heuristic: whether half of the samples or more are ASCII. Looking at every block costs 15 % where there is none.
 * All distances are multiples of 32, so that no sample goes beyond `stop`. */
KERNEL UTF8_INLINE bool is_mostly_ascii(const uint8_t *block, const uint8_t *stop) {
    size_t samples = 0, others = 0;
    for (ptrdiff_t i = 0; i < stop - block; i += SAMPLE) { /* no pointer: it might go beyond the text */
        samples += 1;
        others += !is_ascii(load(block + i));
    }
    return 2 * others <= samples;
}

/* WIDTH to WHOLE bytes. */
KERNEL UTF8_INLINE bool is_valid_whole(const uint8_t *data, size_t size) {
    if (is_ascii_throughout(data, size)) return true;
    const uint8_t *const end = data + size;
    const uint8_t *block = data + WIDTH;
    objections found = judge_first(load(data));
    for (; WIDTH == 16 && end - block > 64; block += 64) note_pair(&found, block);
    for (; end - block > WIDTH; block += WIDTH) note(&found, judge_at(block));
    if (size >= WIDTH + 3) {
        note(&found, judge_at(end - WIDTH)); /* judges some of them again */
    } else if (block < end) {
        note(&found, judge_last(block, (size_t)(end - block)));
    }
    return !objects(&found) && !utf8_cut_off(end);
}

/* More than WHOLE bytes; the answer is that of `checked`. The last 64 bytes are a block by themselves, which overlaps the
 * one before: so `block` never comes to the end. */
KERNEL UTF8_ASIDE static size_t checked_long(const uint8_t *data, size_t size) {
    const uint8_t *const end = data + size;
    const uint8_t *const last = end - 64;
    const bool far = size >= FETCH_FROM;
    const uint8_t *good = data; /* all before it is well-formed, except that the last character may go on */
    const uint8_t *block = data + WIDTH;
    objections found = {all_lanes(0), all_lanes(0)};
    const vector start = load(data);
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
            /* Reads some of that ASCII again. WIDTH beyond a cache line: then block - 3 does not straddle two of them. */
            if (size >= ALIGN_FROM) block -= ((uintptr_t)block + 64 - WIDTH) & 63;
            block = skip_ascii(block, end);
            if (end - block < 512 && is_ascii_from_both(end - 512, end, 256)) return size;
            good = block;
        }
        const ptrdiff_t left = last - block + 63;
        const uint8_t *const stop = block + ((left < STRETCH ? left : STRETCH) & -64);
        ascii = false;
        if (is_mostly_ascii(block, stop)) {
            ascii = judge_mixed(&found, block, stop, last, far);
        } else {
            judge_all(&found, block, stop, last, far);
        }
        block = stop;
        if (objects(&found)) return (size_t)(good - data);
        if (block >= last) return utf8_cut_off(end) ? (size_t)(good - data) : size;
        good = block;
    }
}

/* How far `data` is known to be well-formed: `size` when all of it is. Otherwise an offset before `size`: the first error
 * starts at most three bytes before it and at most STRETCH + 256 bytes after it. */
KERNEL UTF8_INLINE size_t checked(const uint8_t *data, size_t size) {
    if (size < WIDTH) return is_valid_short(data, size) ? size : 0;
    if (size <= WHOLE) return is_valid_whole(data, size) ? size : 0;
    return checked_long(data, size);
}

KERNEL static bool is_valid(const uint8_t *data, size_t size) { return checked(data, size) == size; }

KERNEL static size_t first_error(const uint8_t *data, size_t size) {
    const size_t good = checked(data, size);
    return good == size ? size : utf8_first_error_from(data, size, good);
}

#endif
