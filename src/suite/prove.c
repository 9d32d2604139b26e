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
    BATCH = 16,      /* places of the block */
    BEFORE = 64,     /* bytes before a block that it may load, though no more than three of them may matter */
};

/* A stretch of text, and what the block's last lane, the first to come there, answered at each byte. */
typedef struct {
    uint8_t bytes[BEFORE + RUN + PROVE_WIDEST];
    uint8_t answers[RUN + PROVE_WIDEST];
} stretch;

static prove_fault fault_at(const uint8_t *last, size_t width, size_t lane) {
    const uint32_t window = (uint32_t)last[-3] << 24 | (uint32_t)last[-2] << 16 | (uint32_t)last[-1] << 8 | last[0];
    return (prove_fault){true, window, (uint32_t)width, (uint32_t)lane};
}

/* Whether the lane of the byte at `last` may answer so, given the three bytes before it. It has no branches, because
 * the bytes are as good as random and no processor predicts them. */
static bool is_owed(const prove_oracle *oracle, const uint8_t *last, uint8_t answer) {
    const uint8_t p3 = last[-3], p2 = last[-2], p1 = last[-1], b0 = last[0];
    const uint8_t state = oracle->context[oracle->classes[p3]][oracle->classes[p2]][oracle->classes[p1]];
    const bool right_so_far = state != PROVE_NOWHERE;
    const bool wrong_now = right_so_far & (step(oracle, state & (PROVE_STATES - 1), b0) == oracle->sink);
    const bool must = (wrong_now & (oracle->late[b0][0] == 0)) | (oracle->late[p1][b0] == 1) | (oracle->late[p2][p1] == 2);
    const bool must_not = !must & right_so_far & !wrong_now; /* otherwise another lane must object, and this lane's answer is ignored */
    return (answer != 0) ? !must_not : !must;
}

/* Slide the block over `length` places of the text in `run`. A byte comes under the last lane first. That answer is
 * compared with the automaton once. When the byte comes under another lane, that lane has to give the same answer, or its
 * answer is compared with the automaton as well. So each lane is judged at each byte, at the cost of one. */
static prove_fault slide(prove_lanes_of lanes, size_t width, const prove_oracle *oracle, stretch *run, size_t length) {
    const uint8_t *const bytes = run->bytes + BEFORE;
    uint8_t flags[BATCH][PROVE_WIDEST]; /* of several places: a processor waits when it reads bytes that it has just written */
    lanes(bytes, run->answers);
    for (size_t from = 0; from < length; from += BATCH) {
        const size_t count = length - from < BATCH ? length - from : BATCH;
        for (size_t i = 0; i < count; i++) {
            lanes(bytes + from + i, flags[i]);
            run->answers[from + i + width - 1] = flags[i][width - 1];
        }
        for (size_t i = 0; i < count; i++) {
            if (memcmp(flags[i], run->answers + from + i, width) == 0) continue;
            for (size_t lane = 0; lane < width; lane++) {
                const uint8_t *const last = bytes + from + i + lane;
                if (!is_owed(oracle, last, flags[i][lane])) return fault_at(last, width, lane);
            }
        }
    }
    for (size_t at = 0; at < length + width - 1; at++) {
        const size_t lane = at < width ? at : width - 1; /* in the first block each lane gave the first answer */
        if (!is_owed(oracle, bytes + at, run->answers[at])) return fault_at(bytes + at, width, lane);
    }
    return NO_FAULT;
}

prove_fault prove_lanes(prove_lanes_of lanes, size_t width, const prove_oracle *oracle, uint32_t window, uint64_t count) {
    stretch run;
    while (count > 0) {
        const size_t length = count < RUN ? (size_t)count : RUN;
        memset(run.bytes, 0xF4, BEFORE); /* these must not matter; the last three are the window's */
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
    uint8_t texts[256][4]; /* all are laid out before any is read: a byte just written makes a wide load wait */
    const uint8_t after1 = step(oracle, oracle->start, first);
    for (uint32_t middle = 0; middle <= 0xFFFF; middle++) {
        const uint8_t second = (uint8_t)(middle >> 8), third = (uint8_t)middle;
        for (size_t last = 0; last <= 0xFF; last++) {
            const uint8_t text[4] = {first, second, third, (uint8_t)last};
            memcpy(texts[last], text, 4);
        }
        const uint8_t after3 = step(oracle, step(oracle, after1, second), third);
        for (uint32_t last = 0; last <= 0xFF; last++) {
            if (is_valid(texts[last], 4) != (oracle->accepting[step(oracle, after3, (uint8_t)last)] != 0)) {
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

/* Whether the text is right so far; then `expected` is what utf8_unfinished returns: the bytes after the last character. */
static bool expected_unfinished(const prove_oracle *oracle, const uint8_t *text, size_t size, size_t *expected) {
    uint8_t state = oracle->start;
    *expected = 0;
    for (size_t i = 0; i < size; i++) {
        state = step(oracle, state, text[i]);
        if (state == oracle->sink) return false;
        *expected = oracle->accepting[state] ? 0 : *expected + 1;
    }
    return true;
}

prove_fault prove_unfinished(prove_unfinished_of unfinished, const prove_oracle *oracle, uint8_t first) {
    for (size_t size = 1; size <= 4; size++) {
        const uint32_t count = UINT32_C(1) << (8 * (size - 1));
        for (uint32_t rest = 0; rest < count; rest++) {
            const uint32_t window = (uint32_t)first << 24 | rest << (32 - 8 * size);
            const uint8_t text[4] = {first, (uint8_t)(window >> 16), (uint8_t)(window >> 8), (uint8_t)window};
            size_t expected;
            if (expected_unfinished(oracle, text, size, &expected) && unfinished(text, size) != expected) {
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

/* The text from `from` to `to`: fillers, and ASCII where the run is. */
static void lay_text(uint8_t *text, size_t from, size_t to, const prove_filler *filler, size_t run, size_t run_end) {
    const size_t ascii = run < from ? from : run < to ? run : to;
    const size_t ascii_end = run_end < ascii ? ascii : run_end < to ? run_end : to;
    lay_fillers(text + from, ascii - from, filler, from == 0);
    memset(text + ascii, 'a', ascii_end - ascii);
    lay_fillers(text + ascii_end, to - ascii_end, filler, false);
}

/* A kernel's two functions, what they have to answer, and the text they are asked about. */
typedef struct {
    prove_is_valid is_valid;
    prove_first_error first_error;
    const prove_oracle *oracle;
    const prove_filler *filler;
    const prove_word *word;
    uint8_t *text;
} trial;

/* Whether the kernel errs on a text of `size` bytes in which the word stands at `at`. */
static bool errs(const trial *one, size_t size, size_t at, size_t run, size_t run_end) {
    const size_t until = at + one->word->size;
    lay_text(one->text, 0, at, one->filler, run, run_end);
    memcpy(one->text + at, one->word->bytes, one->word->size);
    lay_text(one->text, until, size, one->filler, run, run_end);
    const size_t wanted = expected_error(one->oracle, one->text, at, until, size);
    return one->is_valid(one->text, size) != (wanted == size) || one->first_error(one->text, size) != wanted;
}

static prove_fault word_at(const prove_word *word, size_t size, size_t at) {
    uint32_t shown = 0;
    for (size_t i = 0; i < 4; i++) shown = shown << 8 | (i < word->size ? word->bytes[i] : 0);
    return (prove_fault){true, shown, (uint32_t)size, (uint32_t)at};
}

prove_fault prove_positions(prove_is_valid is_valid, prove_first_error first_error, const prove_oracle *oracle,
                            const prove_filler *filler, const prove_word *word, const prove_places *places,
                            uint8_t *buffer) {
    const trial one = {is_valid, first_error, oracle, filler, word, buffer};
    for (size_t size = places->low; size <= places->high; size++) {
        if (size < word->size) continue;
        const size_t last = size - word->size;
        for (size_t at = last > places->from_end ? last - places->from_end : 0; at <= last; at++) {
            if (errs(&one, size, at, size, size)) return word_at(word, size, at);
        }
    }
    return NO_FAULT;
}

/* Whether a word at `at` stands right before `border`, across it or right after it. */
static bool is_near(size_t at, size_t border) { return at + 5 >= border && at <= border + 1; }

prove_fault prove_runs(prove_is_valid is_valid, prove_first_error first_error, const prove_oracle *oracle,
                       const prove_filler *filler, const prove_word *word, const prove_ascii *ascii, uint8_t *buffer) {
    const trial one = {is_valid, first_error, oracle, filler, word, buffer};
    for (size_t run = ascii->low; run <= ascii->high; run += ascii->step) {
        const size_t run_end = run + ascii->length, size = run_end + ascii->behind;
        for (size_t at = 0; at + word->size <= size; at++) {
            const bool its_turn = (at + run) % ascii->sweep == 0; /* each offset has its turn with some run */
            if (!its_turn && !is_near(at, run) && !is_near(at, run_end) && !is_near(at, size)) continue;
            if (errs(&one, size, at, run, run_end)) return word_at(word, size, at);
        }
    }
    return NO_FAULT;
}
