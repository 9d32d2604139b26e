#include "prove.h"

#include <string.h>

static const prove_fault NO_FAULT = {false, 0, 0, 0};

static uint8_t step(const prove_oracle *oracle, uint8_t state, uint8_t byte) {
    return oracle->next[state][oracle->classes[byte]];
}

/* The linear recurrence s[n] = s[n-32] ^ s[n-30] ^ s[n-26] ^ s[n-25], eight bits at a time. Its polynomial is primitive
 * and 8 is prime to 2^32 - 1, so the bytes run through every window but the one of four zeros; a test computes both. */
uint32_t prove_next_window(uint32_t window) {
    const uint32_t byte = (window >> 24 ^ window >> 22 ^ window >> 18 ^ window >> 17) & 0xFF;
    return window << 8 | byte;
}

enum {
    RUN = 1 << 14,   /* bytes of the sequence that are laid out at a time */
    BEFORE = 64,     /* bytes before a block that it may load, though no more than three of them may matter */
    MUST = 0xFF,     /* the lane has to object */
    MUST_NOT = 0,    /* the lane must not object */
};

/* A stretch of text, and what each byte's lane owes. */
typedef struct {
    uint8_t bytes[BEFORE + RUN + PROVE_WIDEST];
    uint8_t objects[RUN + PROVE_WIDEST]; /* MUST or MUST_NOT */
    uint8_t matters[RUN + PROVE_WIDEST]; /* 0 where it may do as it likes: another lane objects */
} stretch;

static uint32_t window_at(const uint8_t *last) {
    return (uint32_t)last[-3] << 24 | (uint32_t)last[-2] << 16 | (uint32_t)last[-1] << 8 | last[0];
}

/* What the lane of the byte at `last` owes, given the three bytes before it. */
static void judge(const prove_oracle *oracle, const uint8_t *last, uint8_t *objects, uint8_t *matters) {
    const uint8_t p3 = last[-3], p2 = last[-2], p1 = last[-1], b0 = last[0];
    const uint8_t state = oracle->context[oracle->classes[p3]][oracle->classes[p2]][oracle->classes[p1]];
    const bool right_so_far = state != PROVE_NOWHERE;
    const bool wrong_now = right_so_far && step(oracle, state, b0) == oracle->sink;
    const bool owed = (wrong_now && oracle->late[b0][0] == 0) || oracle->late[p1][b0] == 1 || oracle->late[p2][p1] == 2;
    *objects = owed ? MUST : MUST_NOT;
    *matters = owed || (right_so_far && !wrong_now) ? 0xFF : 0;
}

static uint64_t load8(const uint8_t *at) {
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

/* Every byte that is not zero becomes FF. */
static uint64_t spread(uint64_t word) {
    const uint64_t low = UINT64_C(0x7F7F7F7F7F7F7F7F);
    const uint64_t high = (((word & low) + low) | word) & ~low;
    return (high >> 7) * 0xFF;
}

static uint64_t differences(const uint8_t *flags, const uint8_t *objects, const uint8_t *matters, size_t width) {
    uint64_t wrong = 0;
    for (size_t lane = 0; lane < width; lane += 8) {
        wrong |= (spread(load8(flags + lane)) ^ load8(objects + lane)) & load8(matters + lane);
    }
    return wrong;
}

/* Slide the block over `length` places of the text in `run`. */
static prove_fault slide(prove_lanes_of lanes, size_t width, const prove_oracle *oracle, stretch *run, size_t length) {
    uint8_t flags[PROVE_WIDEST] = {0};
    for (size_t i = 0; i < length + width; i++) {
        judge(oracle, run->bytes + BEFORE + i, &run->objects[i], &run->matters[i]);
    }
    for (size_t at = 0; at < length; at++) {
        lanes(run->bytes + BEFORE + at, flags);
        if (!differences(flags, run->objects + at, run->matters + at, width)) continue;
        for (size_t lane = 0; lane < width; lane++) {
            if (run->matters[at + lane] && (flags[lane] != 0) != (run->objects[at + lane] == MUST)) {
                return (prove_fault){true, window_at(run->bytes + BEFORE + at + lane), (uint32_t)width, (uint32_t)lane};
            }
        }
    }
    return NO_FAULT;
}

prove_fault prove_lanes(prove_lanes_of lanes, size_t width, const prove_oracle *oracle, uint32_t window, uint64_t count) {
    stretch run;
    while (count > 0) {
        const size_t length = count < RUN ? (size_t)count : RUN;
        memset(run.bytes, 0xF4, BEFORE); /* must not matter; the last three are the window's */
        for (size_t i = 1; i <= 3; i++) run.bytes[BEFORE - i] = (uint8_t)(window >> (8 * (i - 1)));
        uint32_t ahead = window;
        for (size_t i = 0; i < length + width; i++) {
            ahead = prove_next_window(ahead);
            run.bytes[BEFORE + i] = (uint8_t)ahead;
            if (i + 1 == length) window = ahead;
        }
        const prove_fault fault = slide(lanes, width, oracle, &run, length);
        if (fault.found) return fault;
        count -= length;
    }
    return NO_FAULT;
}

prove_fault prove_text(prove_lanes_of lanes, size_t width, const prove_oracle *oracle, const uint8_t *text, size_t size) {
    stretch run;
    memset(run.bytes, 0, BEFORE);
    for (size_t done = 0; done < size; done += RUN) {
        const size_t length = size - done < RUN ? size - done : RUN;
        const size_t there = size - done < RUN + width ? size - done : RUN + width;
        memcpy(run.bytes + BEFORE, text + done, there);
        memset(run.bytes + BEFORE + there, 0, length + width - there);
        const prove_fault fault = slide(lanes, width, oracle, &run, length);
        if (fault.found) return fault;
        memcpy(run.bytes, text + done + length - BEFORE, BEFORE);
    }
    return NO_FAULT;
}

prove_fault prove_four(prove_is_valid is_valid, const prove_oracle *oracle, uint8_t first) {
    uint8_t text[4] = {first, 0, 0, 0};
    const uint8_t after1 = step(oracle, oracle->start, first);
    for (uint32_t middle = 0; middle <= 0xFFFF; middle++) {
        text[1] = (uint8_t)(middle >> 8);
        text[2] = (uint8_t)middle;
        const uint8_t after3 = step(oracle, step(oracle, after1, text[1]), text[2]);
        for (uint32_t last = 0; last <= 0xFF; last++) {
            text[3] = (uint8_t)last;
            if (is_valid(text, 4) != (oracle->accepting[step(oracle, after3, (uint8_t)last)] != 0)) {
                return (prove_fault){true, (uint32_t)first << 24 | middle << 8 | last, 4, 0};
            }
        }
    }
    return NO_FAULT;
}

/* What utf8_sequence promises: the length of the first character, 0 while it may still become one, -1 when it cannot. */
static int expected_sequence(const prove_oracle *oracle, const uint8_t *text, size_t size) {
    uint8_t state = oracle->start;
    for (size_t i = 0; i < size; i++) {
        state = step(oracle, state, text[i]);
        if (state == oracle->sink) return -1;
        if (oracle->accepting[state]) return (int)i + 1;
    }
    return 0;
}

prove_fault prove_sequence(prove_sequence_of sequence, const prove_oracle *oracle, uint8_t first) {
    for (size_t size = 1; size <= 4; size++) {
        const uint32_t count = UINT32_C(1) << (8 * (size - 1));
        for (uint32_t rest = 0; rest < count; rest++) {
            const uint32_t window = (uint32_t)first << 24 | rest << (32 - 8 * size);
            const uint8_t text[4] = {first, (uint8_t)(window >> 16), (uint8_t)(window >> 8), (uint8_t)window};
            if (sequence(text, size) != expected_sequence(oracle, text, size)) {
                return (prove_fault){true, window, (uint32_t)size, 0};
            }
        }
    }
    return NO_FAULT;
}

/* The first error of a text that is whole characters up to `from` and again from `until` on. */
static size_t expected_error(const prove_oracle *oracle, const uint8_t *text, size_t from, size_t until, size_t size) {
    uint8_t state = oracle->start;
    size_t start = from;
    for (size_t i = from; i < size; i++) {
        if (oracle->accepting[state]) {
            if (i >= until) return size;
            start = i;
        }
        state = step(oracle, state, text[i]);
        if (state == oracle->sink) return start;
    }
    return oracle->accepting[state] ? size : start;
}

/* Whole filler characters; what is too short for one is made of ASCII and stands at the far end. */
static void lay_fillers(uint8_t *out, size_t size, const prove_filler *filler, bool ascii_first) {
    const size_t odd = size % filler->size;
    memset(ascii_first ? out : out + size - odd, 'a', odd);
    memcpy(ascii_first ? out + odd : out, filler->many, size - odd);
}

prove_fault prove_positions(prove_is_valid is_valid, prove_first_error first_error, const prove_oracle *oracle,
                            const prove_filler *filler, const prove_word *word, const prove_places *places,
                            uint8_t *buffer) {
    uint32_t shown = 0;
    for (size_t i = 0; i < 4; i++) shown = shown << 8 | (i < word->size ? word->bytes[i] : 0);
    for (size_t size = places->low; size <= places->high; size++) {
        if (size < word->size) continue;
        const size_t last = size - word->size;
        for (size_t at = last > places->from_end ? last - places->from_end : 0; at <= last; at++) {
            const size_t until = at + word->size;
            lay_fillers(buffer, at, filler, true);
            memcpy(buffer + at, word->bytes, word->size);
            lay_fillers(buffer + until, size - until, filler, false);
            const size_t wanted = expected_error(oracle, buffer, at, until, size);
            if (is_valid(buffer, size) != (wanted == size) || first_error(buffer, size) != wanted) {
                return (prove_fault){true, shown, (uint32_t)size, (uint32_t)at};
            }
        }
    }
    return NO_FAULT;
}
