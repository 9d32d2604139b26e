/* Every function that names, counts or replaces faults, beside a plain twin: on all texts of one and two bytes, and on all of
 * three and four bytes over the edges of every range in the grammar, and on every overlong form, by each kernel, in each
 * policy of replacement.
 *
 * The twins know nothing of the grammar's ranges. They know the bit patterns of RFC 3629 section 3 and the numbers that a
 * text of so many bytes may stand for: a fault is where no such number is left. Each text ends at a page without access, by
 * itself and behind other text. Prints one line, or the first text that a function and its twin disagree on.
 * Usage: twins [STRIDE]: with a stride of n, one text of four bytes in n; from 1,000 on also one shorter text in 101.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "repair.h"
#include "summary.h"

enum { ROOM = 1 << 18, MOST = 512, STRETCH = UTF8_MAX_STRETCH + 64, POLICIES = 16, LONG = 64 * 1024 /* BLOCK of summary.c */ };

static uint8_t amid[MOST], *end; /* a text, and the end of memory in front of a page without access */
static const utf8_kernel *kernels[8], *kernel; /* those that run here, and the one that is asked */
static size_t kernel_count;
static unsigned long texts;

static void fail(const char *function, const uint8_t *text, size_t size) {
    printf("%s, kernel %s:", function, kernel->name);
    for (size_t at = 0; at < size; at++) printf(" %02X", text[at]);
    printf("\n");
    exit(1);
}

/* ---- the twins --------------------------------------------------------------------------------------------------- */

/* How many bytes the picture of `byte` announces: 0xxxxxxx 1, 110xxxxx 2, 1110xxxx 3, 11110xxx 4; else 0. */
static size_t announced(uint8_t byte) {
    size_t ones = 0;
    while (ones < 8 && byte >> (7 - ones) & 1) ones++;
    return ones == 0 ? 1 : ones >= 2 && ones <= 4 ? ones : 0;
}

static bool is_tail(uint8_t byte) { return byte >> 6 == 2; }

/* The numbers that a text stands for which begins with these `given` bytes, of `length`: from `low` to `high`. */
typedef struct {
    uint32_t low, high;
} numbers;

static numbers numbers_of(const uint8_t *data, size_t given, size_t length) {
    uint32_t number = length == 1 ? data[0] : data[0] & ((1u << (7 - length)) - 1);
    for (size_t at = 1; at < given; at++) number = number << 6 | (data[at] & 0x3Fu);
    const size_t left = 6 * (length - given);
    return (numbers){number << left, (number << left) | ((1u << left) - 1)};
}

static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};

static bool has_character(numbers range, size_t length) {
    const uint32_t low = range.low < least[length] ? least[length] : range.low;
    const uint32_t high = range.high > 0x10FFFF ? 0x10FFFF : range.high;
    return low <= high && !(low >= 0xD800 && high <= 0xDFFF);
}

/* How many bytes at the start of `data` begin a character. */
static size_t begun(const uint8_t *data, size_t size) {
    const size_t length = announced(data[0]);
    size_t count = 0;
    while (count < length && count < size && (count == 0 || is_tail(data[count])) &&
           has_character(numbers_of(data, count + 1, length), length)) {
        count++;
    }
    return count;
}

/* The size of the ill-formed sequence that begins `data`, not empty; 0 where a character does. */
static size_t subpart(const uint8_t *data, size_t size) {
    const size_t count = begun(data, size);
    return count == announced(data[0]) && count > 0 ? 0 : count > 0 ? count : 1;
}

static utf8_code code_of(const uint8_t *data, size_t size) {
    const size_t length = announced(data[0]), count = begun(data, size);
    if (length == 0) return is_tail(data[0]) ? UTF8_LONE_TAIL : UTF8_TOO_LARGE;
    if (count > 0 && count == size) return UTF8_TRUNCATED;
    if (count > 0 && !is_tail(data[count])) return UTF8_MISSING_TAIL;
    const numbers range = numbers_of(data, count + 1, length);
    return range.high < least[length] ? UTF8_OVERLONG : range.low > 0x10FFFF ? UTF8_TOO_LARGE : UTF8_SURROGATE;
}

static size_t next_fault(const uint8_t *data, size_t at, size_t size) {
    while (at < size && subpart(data + at, size - at) == 0) at += announced(data[at]);
    return at;
}

/* The bytes that `announced` asks for, as far as they are tails. */
static size_t loose(const uint8_t *data, size_t size) {
    size_t count = 1;
    while (count < announced(data[0]) && count < size && is_tail(data[count])) count++;
    return count;
}

/* The number that `length` bytes stand for whether they may or not; -1 where their pictures are not those. */
static int64_t spelled(const uint8_t *data, size_t size, size_t length) {
    if (size < length || announced(data[0]) != length || loose(data, size) != length) return -1;
    return numbers_of(data, length, length).low;
}

static size_t put(uint32_t character, uint8_t *out) {
    if (character < 0x80) return out[0] = (uint8_t)character, 1;
    size_t size = 2;
    while (size < 4 && character >= least[size + 1]) size++;
    for (size_t at = size - 1; at > 0; at--, character >>= 6) out[at] = (uint8_t)(0x80 | (character & 0x3F));
    out[0] = (uint8_t)((0xF00u >> size & 0xFF) | character);
    return size;
}

/* Put in place of what begins the stretch data[0:size]; return how much of it that was. */
static size_t treat(const utf8_policy *policy, const uint8_t *data, size_t size, uint8_t *out, size_t *written) {
    const int64_t high = spelled(data, size, 3), low = size < 3 ? -1 : spelled(data + 3, size - 3, 3);
    if (policy->pairs && 0xD800 <= high && high <= 0xDBFF && 0xDC00 <= low && low <= 0xDFFF) {
        *written += put((uint32_t)(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)), out);
        return 6;
    }
    const size_t length = announced(data[0]);
    const int64_t number = length < 2 ? -1 : spelled(data, size, length);
    if (policy->shortest && 0 <= number && number < least[length] && !(0xD800 <= number && number <= 0xDFFF)) {
        *written += put((uint32_t)number, out);
        return length;
    }
    memcpy(out, "\xEF\xBF\xBD", 3);
    *written += 3;
    if (policy->take == UTF8_TAKE_BYTE) return 1;
    if (policy->take == UTF8_TAKE_ANNOUNCED) return loose(data, size);
    const int64_t three = spelled(data, size, 3);
    if (policy->take == UTF8_TAKE_SURROGATE && 0xD800 <= three && three <= 0xDFFF) return 3;
    return subpart(data, size);
}

/* ---- the comparison ---------------------------------------------------------------------------------------------- */

static void compare_repairs(const uint8_t *text, size_t size, unsigned variant) {
    static utf8_change changes[2 * UTF8_STRETCH_CHANGES];
    uint8_t wanted[4 * STRETCH], out[4 * STRETCH];
    utf8_policy policy = {.take = (utf8_take)(variant & 3), .pairs = variant & 4 ? 7 : 0, .shortest = variant & 8 ? 8 : 0};
    size_t written = 0;
    for (size_t at = 0; at < size;) {
        size_t stretch = at, length;
        while (stretch < size && (length = subpart(text + stretch, size - stretch)) > 0) stretch += length;
        if (stretch == at) { /* a character */
            const size_t copied = announced(text[at]);
            memcpy(wanted + written, text + at, copied);
            written += copied;
            at += copied;
        }
        while (at < stretch) at += treat(&policy, text + at, stretch - at, wanted + written, &written);
    }
    utf8_repair_job job = {.data = text, .size = size, .final = true, .changes = changes, .most = 2 * UTF8_STRETCH_CHANGES};
    if (!utf8_find_changes(&policy, kernel, &job) || job.used != size) fail("utf8_find_changes", text, size);
    if (job.written != written) fail("a repair's size", text, size);
    utf8_repair(&policy, &job, out);
    if (memcmp(out, wanted, written) != 0) fail("utf8_repair", text, size);
}

static void compare_counts(const uint8_t *text, size_t size) {
    uint64_t counts[UTF8_CODES] = {0}, wanted[UTF8_CODES] = {0};
    size_t total = 0, at = 0;
    utf8_summary sum = {0}, plain = {0};
    while (at < size) {
        const size_t fault = next_fault(text, at, size);
        if (utf8_next_fault(kernel, text, at, size) != fault) fail("utf8_next_fault", text, size);
        for (; at < fault; at++) {
            plain.units += !is_tail(text[at]);
            plain.column = text[at] == '\n' ? 0 : plain.column + !is_tail(text[at]);
            plain.newlines += text[at] == '\n';
        }
        if (at == size) break;
        const utf8_code code = code_of(text + at, size - at);
        const size_t length = subpart(text + at, size - at);
        if (utf8_code_of(text + at, size - at) != code) fail("utf8_code_of", text, size);
        if (utf8_subpart(text + at, size - at) != length) fail("utf8_subpart", text, size);
        const unsigned known = code == UTF8_TRUNCATED ? UTF8_MISSING_TAIL : code;
        if (total++ == 0) {
            plain.has_first = true;
            plain.offset = at;
            plain.first_newlines = plain.newlines;
            plain.first_column = plain.column;
            plain.code = known;
        }
        wanted[code]++;
        plain.codes[known]++;
        plain.units++;
        plain.column++;
        at += length;
    }
    if (utf8_stretch(text + size, 0, 1) != 0) fail("utf8_stretch of no bytes", text, size);
    if (utf8_count_errors(kernel, text, size, counts) != total || memcmp(counts, wanted, sizeof counts) != 0) {
        fail("utf8_count_errors", text, size);
    }
    utf8_summarize(kernel, text, size, &sum);
    const bool same = sum.units == plain.units && sum.newlines == plain.newlines && sum.column == plain.column &&
                      memcmp(sum.codes, plain.codes, sizeof sum.codes) == 0 && sum.has_first == plain.has_first &&
                      sum.offset == plain.offset && sum.first_newlines == plain.first_newlines &&
                      sum.first_column == plain.first_column && sum.code == plain.code;
    if (!same) fail("utf8_summarize", text, size);
    if (total > 0) return;
    sum = (utf8_summary){0};
    utf8_count_well_formed(kernel, text, size, &sum);
    if (sum.units != plain.units || sum.newlines != plain.newlines || sum.column != plain.column) {
        fail("utf8_count_well_formed", text, size);
    }
}

/* Compare on the word by itself, by every kernel, and amid other text by one kernel after the other, each time in another
 * policy. `every_policy`: the word by itself in all of them. */
static void compare(const uint8_t *word, size_t length, bool every_policy) {
    static const char *const before[] = {"a", "\xC3\xA9", "\xE4\xBD\xA0", "\n\xF0\x9F\x98\x80", "\xFF" "ab\n", "\xED\xA0\x80",
                                         "" /* NUL */};
    const char *const piece = before[texts % 7];
    const size_t piece_size = *piece ? strlen(piece) : 1;
    size_t size = 0;
    for (size_t times = texts % 37; times > 0; times--, size += piece_size) memcpy(amid + size, piece, piece_size);
    memcpy(amid + size, word, length);
    size += length;
    if (texts % 5 == 0) memset(amid + size, texts % 2 ? 'a' : 0, 40), size += 40;
    memcpy(end - size, amid, size);
    kernel = kernels[texts % kernel_count];
    compare_counts(end - size, size);
    compare_repairs(end - size, size, (unsigned)(texts / kernel_count % POLICIES));
    memcpy(end - length, word, length);
    for (size_t i = 0; i < kernel_count; i++) {
        kernel = kernels[i];
        compare_counts(end - length, length);
    }
    for (unsigned policy = 0; every_policy && policy < POLICIES; policy++) compare_repairs(end - length, length, policy);
    texts++;
}

/* Four bytes for the first and last surrogate, and for what is beside them. */
static void compare_long_surrogates(void) {
    static const uint8_t thirds[] = {0x80, 0x9F, 0xA0, 0xBF}, lasts[] = {0x80, 0xBF};
    for (unsigned number = 0; number < 3 * 4 * 2; number++) {
        const uint8_t word[4] = {0xF0, (uint8_t)(0x8C + number / 8), thirds[number / 2 % 4], lasts[number % 2]};
        compare(word, 4, true);
    }
}

/* Pairs of surrogates in a stretch that is treated in two parts, and of which each byte begins the second part once. */
static void compare_long_stretches(void) {
    kernel = kernels[0];
    for (size_t cut = 0; cut < 6; cut++) {
        for (size_t at = 0; at < STRETCH; at++) end[at - STRETCH] = (uint8_t)"\xED\xA1\x8C\xED\xBE\xB4"[(cut + at) % 6];
        for (unsigned policy = 0; policy < POLICIES; policy++) compare_repairs(end - STRETCH, STRETCH, policy);
        texts++;
    }
}

/* Compare by every kernel on `size` bytes of one piece, again and again, from its byte `cut` on. */
static void compare_pieces(const char *piece, size_t cut, size_t size) {
    for (size_t at = 0; at < size; at++) end[at - size] = (uint8_t)piece[(cut + at) % strlen(piece)];
    for (size_t i = 0; i < kernel_count; i++) {
        kernel = kernels[i];
        compare_counts(end - size, size);
    }
    texts++;
}

/* Texts that end around the first window of faults.c, and around a block of summary.c. */
static void compare_long(void) {
    static const char *const pieces[] = {"\xE4\xBD\xA0", "\xF0\x9F\x98\x80", "\n\xC3\xA9", "\xF0\x9F\x98\x80\xF0\x9F\x98\x80" "abc", "\x80"};
    for (size_t number = 0; number < 5; number++) {
        for (size_t size = 370; size < 460; size++) {
            for (size_t cut = 0; cut < strlen(pieces[number]); cut++) compare_pieces(pieces[number], cut, size);
        }
        for (size_t size = LONG - 2; size < LONG + 5; size++) compare_pieces(pieces[number], 0, size);
    }
}

/* Each line of the RFC's ranges has its edges here, with the bytes next to them. */
static const uint8_t edges[] = {0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1,
                                0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFE, 0xFF};
enum { EDGES = sizeof edges };

/* Two words of three bytes each: pairs of surrogates, and what is beside them. */
static void compare_pairs(void) {
    static const uint8_t seconds[] = {0x9F, 0xA0, 0xAF, 0xB0, 0xBF, 0xC0}, thirds[] = {0x7F, 0x80, 0xBF, 0xC0};
    for (unsigned number = 0; number < 2 * 6 * 4 * 2 * 6 * 4; number++) {
        const unsigned first = number % 48, other = number / 48;
        const uint8_t word[6] = {(uint8_t)(0xED + first / 24), seconds[first % 6], thirds[first / 6 % 4],
                                 (uint8_t)(0xED + other / 24), seconds[other % 6], thirds[other / 6 % 4]};
        compare(word, 6, true);
    }
}

/* Every overlong form of every character that has one: in more bytes than it takes. One in `step`. */
static void compare_overlong(unsigned step) {
    for (size_t length = 2; length <= 4; length++) {
        for (uint32_t number = 0; number < least[length]; number += step) {
            uint8_t word[4] = {(uint8_t)(0xF00u >> length)};
            uint32_t left = number;
            for (size_t at = length - 1; at > 0; at--, left >>= 6) word[at] = (uint8_t)(0x80 | (left & 0x3F));
            word[0] = (uint8_t)(word[0] | left);
            compare(word, length, true);
        }
    }
}

int main(int count, char **arguments) {
    const unsigned stride = count > 1 ? (unsigned)atoi(arguments[1]) : 1, step = stride < 1000 ? 1 : 101;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *all = mmap(NULL, ROOM + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || mprotect(all + page, ROOM, PROT_READ | PROT_WRITE) != 0) return 2;
    end = all + page + ROOM;
    for (size_t i = 0; i < utf8_kernel_count; i++) {
        if (utf8_kernel_runs(utf8_kernels[i])) kernels[kernel_count++] = utf8_kernels[i];
    }
    for (unsigned number = 0; number < 1 << 16; number += step) {
        const uint8_t word[2] = {(uint8_t)number, (uint8_t)(number >> 8)};
        if (number < 256) compare(word, 1, true);
        compare(word, 2, number % 16 == 0 || stride == 1);
    }
    for (unsigned number = 0; number < EDGES * EDGES * EDGES * EDGES; number += number < EDGES * EDGES * EDGES ? step : stride) {
        const uint8_t word[4] = {edges[number % EDGES], edges[number / EDGES % EDGES], edges[number / EDGES / EDGES % EDGES],
                                 edges[number / EDGES / EDGES / EDGES]};
        if (number < EDGES * EDGES * EDGES) compare(word, 3, true);
        compare(word, 4, true);
    }
    compare_overlong(step);
    compare_pairs();
    compare_long_surrogates();
    compare_long();
    compare_long_stretches();
    printf("%lu texts: every function does as its twin\n", texts);
    return 0;
}
