/* Decoders of UTF-8 with one fault each: a pattern of bytes, what the decoder does with it, and where it does so.

   The automaton of RFC 3629 is given by the caller; everything else is right. faulty.py makes the descriptions. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum effect { ACCEPTS, REJECTS, STOPS, FLIPS }; /* STOPS: accepts the rest unread. FLIPS: gives the opposite verdict */
enum where {
    ANYWHERE, FROM_OFFSET, AT_OFFSET, LANE, FROM_LENGTH, AT_LENGTH, LENGTH_LANE, FROM_CHARACTER, AT_CHARACTER,
    AT_START, AT_END, WHOLE, AFTER_BYTE, AFTER_WORD, /* of this input; of the questions: */
    EVERY, AFTER_REJECTED, AFTER_LONG, BY_CHANCE, FROM_QUESTION
};

struct fault {
    int32_t effect, where;
    int64_t a, b, c;       /* of *where* */
    int32_t places;        /* of the pattern, 0 for one that matches everywhere */
    uint8_t low[8], high[8];
    uint8_t word[8];       /* of AFTER_WORD */
    int32_t word_size;
};

static struct fault fault;
static uint16_t table[64][256];
static uint8_t accepting[64];
static int start, sink;
static int64_t questions, last_size;
static int last_verdict;
static uint64_t chance;

void faulty_automaton(const uint16_t *rows, const uint8_t *final, int states, int first, int dead)
{
    memcpy(table, rows, (size_t)states * sizeof table[0]);
    memcpy(accepting, final, (size_t)states);
    start = first;
    sink = dead;
}

void faulty_select(const struct fault *chosen)
{
    fault = *chosen;
    questions = last_size = 0;
    last_verdict = 1;
    chance = 88172645463325252u;
}

static int64_t first_of_byte; /* where in this input the byte of AFTER_BYTE first stands */

static int holds(const uint8_t *data, int64_t n, int64_t at, int64_t character)
{
    switch (fault.where) {
    case ANYWHERE: return 1;
    case FROM_OFFSET: return at >= fault.a;
    case AT_OFFSET: return at == fault.a;
    case LANE: return at % fault.b == fault.a && at - fault.a + fault.b <= n && n >= fault.c;
    case FROM_LENGTH: return n >= fault.a;
    case AT_LENGTH: return n == fault.a;
    case LENGTH_LANE: return n % fault.b == fault.a && n >= fault.c;
    case FROM_CHARACTER: return character >= fault.a;
    case AT_CHARACTER: return character == fault.a;
    case AT_START: return at == 0;
    case AT_END: return at + fault.places == n;
    case WHOLE: return at == 0 && fault.places == n;
    case AFTER_BYTE: return at > first_of_byte;
    case AFTER_WORD: return at >= fault.word_size && memcmp(data + at - fault.word_size, fault.word, (size_t)fault.word_size) == 0;
    case EVERY: return questions % fault.a == 0;
    case AFTER_REJECTED: return !last_verdict;
    case AFTER_LONG: return last_size >= fault.a;
    case BY_CHANCE: return (int64_t)(chance >> 11) % fault.a == 0;
    case FROM_QUESTION: return questions >= fault.a;
    }
    return 0;
}

static int matches(const uint8_t *data, int64_t n, int64_t at)
{
    if (at + fault.places > n)
        return 0;
    for (int i = 0; i < fault.places; i++)
        if (data[at + i] < fault.low[i] || data[at + i] > fault.high[i])
            return 0;
    return 1;
}

static int verdict(const uint8_t *data, int64_t n, int *flipped)
{
    const uint8_t *found = fault.where == AFTER_BYTE ? memchr(data, (int)fault.a, (size_t)n) : NULL;
    first_of_byte = found ? found - data : n;
    int state = start;
    int64_t at = 0, character = 0;
    do {
        if (state == start && matches(data, n, at) && holds(data, n, at, character)) {
            if (fault.effect == REJECTS)
                return 0;
            if (fault.effect == STOPS)
                return 1;
            if (fault.effect == FLIPS)
                *flipped = 1;
            else if (fault.places) {
                at += fault.places;
                character++;
                continue;
            }
        }
        if (at == n)
            break;
        state = table[state][data[at++]];
        character += state == start;
    } while (state != sink);
    return accepting[state];
}

int faulty_accepts(const uint8_t *data, size_t size)
{
    int flipped = 0;
    questions++;
    chance ^= chance << 13;
    chance ^= chance >> 7;
    chance ^= chance << 17;
    int accepted = verdict(data, (int64_t)size, &flipped) ^ flipped;
    last_verdict = accepted;
    last_size = (int64_t)size;
    return accepted;
}

void faulty_answers(const uint8_t *frames, size_t size, uint8_t *out)
{
    for (size_t at = 0; at < size;) {
        uint32_t length;
        memcpy(&length, frames + at, 4);
        *out++ = faulty_accepts(frames + at + 4, length) ? '1' : '0';
        at += 4 + length;
    }
}
