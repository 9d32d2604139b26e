/* The loops of all wide kernels: AVX-512, AVX2, SSE4.1, NEON and WebAssembly.
 *
 * One idea is from Keiser and Lemire, "Validating UTF-8 in less than one instruction per byte" (2021): each kind of error
 * is a bit, the possible errors of two neighbours are looked up for each of the two, and ANDed. The rest is ours:
 *
 * - A lane's verdict depends on its own byte b0 and the three before it, p1 p2 p3, and on nothing else. These are loaded
 *   from memory again, so that no block passes a value to the next and blocks may overlap.
 * - Length: avg(p2, 1F) has bit 7 exactly when p2 is E0..FF, avg(p3, 0F) when p3 is F0..FF. One of the two must hold
 *   exactly where two tail bytes meet (TWO_TAILS); otherwise a character is too short or too long.
 * - Most texts are mostly ASCII. What costs time there is guessing wrong at a branch (about as much as judging 128 bytes),
 *   so a stretch of such text is gone through twice: first each block that is not ASCII is put on a list, without a
 *   branch; then the blocks on the list are judged. Only the length of the list has to be guessed.
 *
 * The file that includes this one defines the vectors of its instruction set:
 *   KERNEL                        what stands before each function
 *   WIDTH, BLOCK                  the bytes of a vector; those that are tested for ASCII, listed and judged together
 *   SHORT                         up to this size a text is one vector
 *   BACK                          so many bytes before its vector `judge_at` reads
 *   vector, load, all_lanes       a vector; of the WIDTH bytes at an address; of one byte in all lanes
 *   both, either, differ          AND, OR and XOR
 *   average                       (x + y + 1) / 2 in each lane
 *   high_half, look_up            x / 16; table[index], for indexes below 16: what half_bytes.h needs for the next two
 *   wrong_pairs                   the errors that p1 and b0 both name
 *   is_ascii, is_zero             whether bit 7 is clear, and whether all bits are, in all lanes
 *   not_zero                      a bit for each lane that is not zero, the first lane lowest
 *   before                        the vector that ends `back` (1..3) bytes earlier, given what precedes each 16 bytes
 *   preceding, nothing_precedes   that, as `before` takes it: from memory (no byte behind `block` is read), and zeros
 *   before_block                  a vector that has the three bytes before an address, and no byte but those close to it
 *   load_short                    the `count` (up to SHORT) bytes at an address, then zeros; it reads no other byte
 */
#ifndef UTF8_STRETCHES_H
#define UTF8_STRETCHES_H

#include "scalar.h"
#include "wide.h"

enum {
    SEARCH_FROM = 8 * WIDTH, /* up to this size a text is ASCII, or all of it is judged: a search for ASCII costs more */
    WHOLE = 1024,       /* up to this size a text is tested for ASCII as a whole; of a longer one, so many bytes */
    STRETCH = 8192,     /* bytes between two checks of the objections, and between two looks for ASCII */
    LONGEST = STRETCH / BLOCK + 1, /* list: a stretch's blocks, and the text's last one */
    SAMPLE = 960,       /* bytes between two samples of a stretch; not 1024, so that they meet each part of a period */
    ROW = 8,            /* blocks that are tested for ASCII at once; as many vectors stay in registers */
    ALIGN_FROM = 2048,  /* from this size on, aligned loads save more than judging a block twice costs */
    FETCH_FROM = 4 << 20, /* from this size on a text is far, in memory: prefetching makes 45 of 22 GB/s at 64 MiB on Zen 5 */
    FAR_STRETCH = 1024,   /* and then in shorter stretches: in long ones Zen 4 is slower with prefetches than without */
};

/* The objections: not zero in the lanes that object. Bits 0..6: p1 and b0 cannot stand together. Bit 7: two tail bytes where
 * no long character needs them, or the reverse. */
KERNEL UTF8_INLINE vector judge(vector b0, vector p1, vector p2, vector p3) {
    const vector third = average(p2, all_lanes(0x1F));  /* bit 7: b0 must be a third byte */
    const vector fourth = average(p3, all_lanes(0x0F)); /* bit 7: b0 must be a fourth byte */
    return differ(wrong_pairs(p1, b0), both(either(third, fourth), all_lanes(0x80)));
}

/* Judge the WIDTH bytes at `block`, and read BACK bytes before it. AVX-512 shifts p2 and p3 out of those: in one cycle
 * Zen 5 reads two whole cache lines or one load that straddles two, and it moves bytes in two of its four units. */
KERNEL UTF8_INLINE vector judge_at(const uint8_t *block) {
    vector b0 = load(block), p1 = load(block - 1);
    UTF8_KEEP(p1);
    if (WIDTH < 64) return judge(b0, p1, load(block - 2), load(block - 3));
    vector precede = load(block - 16);
    UTF8_KEEP(b0);
    UTF8_KEEP(precede);
    return judge(b0, p1, before(b0, precede, 2), before(b0, precede, 3));
}

/* Judge bytes that are in a register. */
KERNEL UTF8_INLINE vector judge_after(vector b0, vector precede) {
    return judge(b0, before(b0, precede, 1), before(b0, precede, 2), before(b0, precede, 3));
}

/* No bytes precede a text's first ones: zeros take their place, and zeros are ASCII. */
KERNEL UTF8_INLINE vector judge_first(vector b0) { return judge_after(b0, nothing_precedes(b0)); }

/* Judge a text's last `count` bytes, less than WIDTH. Precondition: 16 readable bytes before `block`. */
KERNEL UTF8_INLINE vector judge_last(const uint8_t *block, size_t count) {
    const vector b0 = load_short(block, count);
    return judge_after(b0, preceding(block, b0));
}

/* Judge the block at `block`. */
KERNEL UTF8_INLINE vector judge_block(const uint8_t *block) {
    vector found = judge_at(block);
    for (size_t i = WIDTH; i < BLOCK; i += WIDTH) {
        UTF8_KEEP(found);
        found = either(found, judge_at(block + i));
    }
    return found;
}

/* Up to SHORT bytes: a lane of the zeros after the last byte objects to a character that the end cuts, if there is one. */
KERNEL UTF8_INLINE bool is_valid_short(const uint8_t *data, size_t size) {
    const vector b0 = load_short(data, size);
    if (UTF8_LIKELY(is_ascii(b0))) return true; /* UTF8-1 throughout; a jump is a tenth of the time */
    return is_zero(judge_first(b0)) && (size < WIDTH || !utf8_cut_off(data + size));
}

/* See utf8_kernel.h. */
KERNEL static size_t first_lane(const uint8_t *data, size_t count, size_t from) {
    const uint64_t bits = not_zero(judge_first(count < WIDTH ? load_short(data, count) : load(data))) >> from;
    return bits == 0 ? WIDTH : from + utf8_lowest(bits);
}

/* The block at an address, ORed together. */
KERNEL UTF8_INLINE vector or_block(const uint8_t *at) {
    const vector ored = either(load(at), load(at + BLOCK / 2));
    return WIDTH == 16 ? either(ored, either(load(at + 16), load(at + 48))) : ored;
}

/* The `count` bytes ORed together: one vector, two, or whole blocks. The compiler knows the number. By blocks, because GCC
 * unrolls no loop of more than 16 turns, and below -O3 none. */
KERNEL UTF8_INLINE vector or_all(const uint8_t *at, size_t count) {
    if (count == WIDTH) return load(at);
    if (WIDTH == 16 && count == 32) return either(load(at), load(at + 16));
    vector all = or_block(at);
    for (size_t i = BLOCK; i < count; i += BLOCK) all = either(all, or_block(at + i));
    return all;
}

/* Whether `count` bytes from the start and `count` bytes up to the end are ASCII. They may overlap. */
KERNEL UTF8_INLINE bool is_ascii_from_both(const uint8_t *data, const uint8_t *end, size_t count) {
    return is_ascii(either(or_all(data, count), or_all(end - count, count)));
}

/* Whether a text of WIDTH to WHOLE bytes is ASCII: one answer, so that there is one branch to guess. */
KERNEL UTF8_INLINE bool is_ascii_throughout(const uint8_t *data, size_t size) {
    const uint8_t *const end = data + size;
    if (WIDTH < 32 && size <= 32) return is_ascii_from_both(data, end, WIDTH);
    if (WIDTH < 64 && size <= 64) return is_ascii_from_both(data, end, 32);
    if (size <= 128) return is_ascii_from_both(data, end, 64);
    if (size <= 256) return is_ascii_from_both(data, end, 128);
    if (WIDTH < 64 && size <= 384) return is_ascii_from_both(data, end, 192);
    if (size <= 512) return is_ascii_from_both(data, end, 256);
    if (size <= 768) return is_ascii_from_both(data, end, 384);
    return is_ascii_from_both(data, end, WHOLE / 2);
}

/* The end of the ASCII that starts at `block`, in whole blocks of 256 bytes. With 512, Zen 4 reads memory a tenth slower. */
KERNEL UTF8_INLINE const uint8_t *skip_ascii(const uint8_t *block, const uint8_t *end) {
    while (end - block >= 256 && is_ascii(or_all(block, 256))) block += 256;
    return block;
}

/* Put a block on the list, unless it and what `before_block` has are ASCII: then none of its lanes objects. `ored` is the
 * OR of the block. Returns the list's new length. */
KERNEL UTF8_INLINE size_t list_block(const uint8_t *list[], size_t length, const uint8_t *block, vector ored) {
    list[length] = block;
    return length + !is_ascii(either(before_block(block), ored));
}

/* List the blocks that are not ASCII from `block` to `stop`, whole blocks, and then the text's last block if `stop` is beyond
 * its start. Returns the list's length; where it is 0, all of these blocks and the three bytes before them are ASCII. */
KERNEL UTF8_INLINE size_t list_others(const uint8_t *list[], const uint8_t *block, const uint8_t *stop, const uint8_t *last,
                                      bool far) {
    size_t length = 0;
    for (; stop - block >= BLOCK * ROW; block += BLOCK * ROW) {
        vector ored[ROW];
        vector all = load(block - 3);
        if (far) utf8_fetch(block, BLOCK * ROW, UTF8_FAR_AHEAD);
        for (size_t i = 0; i < ROW; i += 1) {
            ored[i] = or_block(block + BLOCK * i);
            all = either(all, ored[i]);
        }
        if (WIDTH == 64 || !is_ascii(all)) { /* AVX-512's rows of 1024 bytes are seldom ASCII: it does not look */
            for (size_t i = 0; i < ROW; i += 1) length = list_block(list, length, block + BLOCK * i, ored[i]);
        }
    }
    for (; block < stop; block += BLOCK) length = list_block(list, length, block, or_block(block));
    return stop >= last ? list_block(list, length, last, or_block(last)) : length;
}

/* Judge the blocks on a list: the objections found before, and theirs. */
KERNEL UTF8_INLINE vector judge_listed(vector found, const uint8_t *const list[], size_t length) {
    for (size_t i = 0; i < length; i += 1) found = either(found, judge_block(list[i]));
    return found;
}

/* Judge all from `block` to `stop`, and then to the text's end if `stop` is beyond the start of its last block. Of a far text
 * it reads one byte of each line first: otherwise the gain of prefetching depends on the order of loads that a compiler
 * chooses, 17 to 46 GB/s on Zen 5. */
KERNEL UTF8_INLINE vector judge_all(vector found, const uint8_t *block, const uint8_t *stop, const uint8_t *last, bool far) {
    for (; block < stop; block += BLOCK) {
        for (size_t i = 0; far && i < BLOCK; i += 64) (void)*(const volatile uint8_t *)(block + i);
        utf8_fetch(block, BLOCK, far ? UTF8_FAR_AHEAD : UTF8_NEAR_AHEAD);
        found = either(found, judge_block(block));
    }
    if (stop >= last) {
        for (; block < last + (BLOCK - WIDTH); block += WIDTH) found = either(found, judge_at(block));
        found = either(found, judge_at(last + (BLOCK - WIDTH)));
    }
    return found;
}

/* Heuristic: whether two thirds of the samples are ASCII. Looking at every block costs 15 % where there is none.
 * All distances are multiples of 64, so that no sample goes beyond `stop`. */
KERNEL UTF8_INLINE bool is_mostly_ascii(const uint8_t *block, const uint8_t *stop) {
    size_t samples = 0, others = 0;
    for (ptrdiff_t i = 0; i < stop - block; i += SAMPLE) { /* no pointer: it might go beyond the text */
        samples += 1;
        others += !is_ascii(load(block + i));
    }
    return 3 * others <= samples;
}

/* Whether a text that was judged up to its end is well-formed. */
KERNEL UTF8_INLINE bool is_right_up_to(const uint8_t *end, vector found) {
    return is_zero(found) && !utf8_cut_off(end);
}

/* The end of the whole blocks from `block` on which reach the text's last block, or of `most` bytes if that is before. */
KERNEL UTF8_INLINE const uint8_t *stop_after(const uint8_t *block, const uint8_t *last, ptrdiff_t most) {
    const ptrdiff_t left = last - block + BLOCK - 1;
    return block + ((left < most ? left : most) & -BLOCK);
}

/* More than SEARCH_FROM bytes, of which the first 64 are ASCII. */
KERNEL UTF8_ASIDE static bool is_valid_after_ascii(const uint8_t *data, const uint8_t *end) {
    const uint8_t *const last = end - BLOCK;
    const uint8_t *list[LONGEST];
    const size_t length = list_others(list, data + 64, stop_after(data + 64, last, WHOLE), last, false);
    return is_right_up_to(end, judge_listed(all_lanes(0), list, length));
}

/* WIDTH to WHOLE bytes. There are five ways through:
 *
 *   size                     the first 64 bytes  all bytes  what is done
 *   up to SEARCH_FROM        any                 ASCII      true
 *   up to SEARCH_FROM        any                 other      all of it is judged
 *   more                     ASCII               ASCII      true
 *   more                     ASCII               other      is_valid_after_ascii lists the rest and judges the list
 *   more                     other                          all of it is judged
 *
 * "All of it": the first vector, whole blocks and vectors, then the last vector, which overlaps. A text of less than
 * WIDTH + BACK bytes has not enough bytes before its last vector: what is left of it is loaded as a short text is. */
KERNEL UTF8_INLINE bool is_valid_whole(const uint8_t *data, size_t size) {
    const uint8_t *const end = data + size;
    const bool search = size > SEARCH_FROM;
    if (!search || is_ascii(or_all(data, 64))) {
        if (is_ascii_throughout(data, size)) return true;
        if (search) return is_valid_after_ascii(data, end);
    }
    const uint8_t *block = data + WIDTH;
    vector found = judge_first(load(data));
    for (; WIDTH != 32 && end - block > BLOCK; block += BLOCK) found = either(found, judge_block(block));
    for (; end - block > WIDTH; block += WIDTH) found = either(found, judge_at(block));
    if (size >= WIDTH + BACK) {
        found = either(found, judge_at(end - WIDTH)); /* judges some of them again */
    } else if (block < end) {
        found = either(found, judge_last(block, (size_t)(end - block)));
    }
    return is_right_up_to(end, found);
}

/* More than WHOLE bytes; the answer is that of `checked`. `far`: from FETCH_FROM bytes on.
 *
 * The text's last block is one by itself, which overlaps the one before: so `block` never comes to the end. Each turn of
 * the loop goes from `block` to `stop`, in one of these ways:
 *
 *   `ascii`, and so is all that is left       the text is well-formed
 *   `ascii`                                   skip 256 bytes at a time, then as below
 *   most samples are ASCII                    list the blocks that are not, judge the list; `ascii` if it is empty
 *   otherwise                                 judge every block
 *
 * Then `found` decides: an objection ends the search at `good`, the end of the text asks for a cut character.
 * Before each turn: all before `block` was judged or was ASCII behind ASCII, and no lane up to `good` objects. `ascii`: the
 * bytes right before `block` are ASCII, at least three. */
KERNEL UTF8_INLINE size_t checked_long(const uint8_t *data, size_t size, bool far) {
    const uint8_t *const end = data + size;
    const uint8_t *const last = end - BLOCK;
    const ptrdiff_t most = far ? FAR_STRETCH : STRETCH;
    const uint8_t *good = data; /* all before it is well-formed, except that the last character may go on */
    const uint8_t *block = data + WIDTH;
    vector found = all_lanes(0);
    const vector start = load(data);
    bool ascii = is_ascii(start) && is_ascii_throughout(data, WHOLE);
    if (ascii) {
        block = data + WHOLE;
    } else {
        found = judge_first(start);
        if (size >= ALIGN_FROM) { /* judge some bytes twice, so that all loads from here on are aligned */
            found = either(found, judge_block(block));
            block += 64 - ((uintptr_t)data & 63);
        }
    }
    for (;;) {
        if (ascii) {
            /* Reads some of that ASCII again. WIDTH beyond a cache line: then block - 3 does not straddle two of them. */
            if (size >= ALIGN_FROM) block -= ((uintptr_t)block + 64 - WIDTH) & 63;
            block = skip_ascii(block, end);
            if (end - block < 256 && is_ascii(or_all(end - 256, 256))) return size;
            good = block;
        }
        const uint8_t *const stop = stop_after(block, last, most);
        ascii = false;
        if (is_mostly_ascii(block, stop)) {
            const uint8_t *list[LONGEST];
            const size_t length = list_others(list, block, stop, last, far);
            found = judge_listed(found, list, length);
            ascii = length == 0;
        } else {
            found = judge_all(found, block, stop, last, far);
        }
        block = stop;
        if (!is_zero(found)) return (size_t)(good - data);
        if (block >= last) return utf8_cut_off(end) ? (size_t)(good - data) : size;
        good = block;
    }
}

/* Two functions: in one for both GCC keeps more than AVX2 has registers for, and judging took a tenth longer. */
KERNEL UTF8_ASIDE static size_t checked_near(const uint8_t *data, size_t size) { return checked_long(data, size, false); }
KERNEL UTF8_ASIDE static size_t checked_far(const uint8_t *data, size_t size) { return checked_long(data, size, true); }

/* How far `data` is known to be well-formed: `size` when all of it is. Otherwise an offset before `size`: the first error
 * starts at most three bytes before it and at most STRETCH + 4 * BLOCK bytes after it. */
KERNEL UTF8_INLINE size_t checked(const uint8_t *data, size_t size) {
    if (size <= SHORT) return is_valid_short(data, size) ? size : 0;
    if (size <= WHOLE) return is_valid_whole(data, size) ? size : 0;
    return size < FETCH_FROM ? checked_near(data, size) : checked_far(data, size);
}

KERNEL UTF8_ASIDE static bool is_valid_long(const uint8_t *data, size_t size) {
    return (size < FETCH_FROM ? checked_near(data, size) : checked_far(data, size)) == size;
}

/* The same as `checked(data, size) == size`; written like this, it has no registers to save. */
KERNEL UTF8_ALIGNED static bool is_valid(const uint8_t *data, size_t size) {
    if (UTF8_LIKELY(size <= SHORT)) return is_valid_short(data, size);
    if (size <= 64) return is_valid_whole(data, size); /* by itself: it asks for nothing that longer texts need */
    if (size <= WHOLE) return is_valid_whole(data, size);
    return is_valid_long(data, size);
}

KERNEL static size_t first_error(const uint8_t *data, size_t size) {
    const size_t good = checked(data, size);
    return good == size ? size : utf8_first_error_from(data, size, good);
}

#endif
