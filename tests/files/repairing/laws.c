/* The loops of repair.c between guard pages: no read outside of the input, no write outside of the room, the same result
 * by every kernel, well-formed output, and in two parts what comes out of the whole. Prints one line, or the first text that
 * breaks a law. Usage: laws [TEXTS].
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "repair.h"

enum { ROOM = 64 * 1024, CHANGES = 32 * 1024 };

static uint8_t *input_end, *output_end, text[ROOM], whole[ROOM], parts[ROOM];
static utf8_change changes[CHANGES];
static uint64_t state = UINT64_C(88172645463325252);

static size_t below(uint64_t limit) { /* xorshift: the same texts in every run */
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (size_t)(state % limit);
}

/* The end of ROOM bytes between two pages without access. */
static uint8_t *guarded(void) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *all = mmap(NULL, ROOM + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || mprotect(all + page, ROOM, PROT_READ | PROT_WRITE) != 0) exit(2);
    return all + page + ROOM;
}

static size_t fill(void) {
    static const char *const some[] = {"a",   "plain words\x7F", "\xC3\xA9", "\xE4\xBD\xA0", "\xF0\x9F\x98\x80", "\xE9", "\x81\x93", "\xED\xA0\x80", "\xED\xA1\x8C\xED\xBE\xB4",
                                       "\xC0\xAF", "\xE0\x80\xAF", "\xF0\x80\xA0\x80", "\xF0\x9F\x98", "\xE2\x82", "\xF4\x90\x80\x80", "\xFF\xFE", "\x80", "\xF8\x88\x80", "\xED\xA1\x8C\xED\xBE"};
    const size_t most = below(8) ? below(300) : below(6000);
    const uint64_t kinds = below(2) ? 19 : 5; /* well-formed only, except for a few */
    size_t size = 0;
    if (below(20) == 0) { /* one change, then a stretch that needs all the room that is kept for one */
        memcpy(text, "\xFF" "a", 2);
        for (size = 2; size < 1200; size += 2) memcpy(text + size, "\xFF\xFE", 2);
    }
    while (size + 16 < most) {
        const char *one = some[below(below(30) ? kinds : 19)];
        for (uint64_t times = below(40) ? 1 : below(700); times > 0 && size + 16 < most; times--) {
            memcpy(text + size, one, strlen(one));
            size += strlen(one);
        }
    }
    return size;
}

static void set_policy(utf8_policy *policy) {
    memset(policy, 0, sizeof *policy);
    policy->take = (utf8_take)below(4);
    policy->pairs = below(2) ? 7 : 0;
    policy->shortest = below(2) ? 8 : 0;
    const bool table = below(2);
    for (unsigned byte = 0x80; table && byte <= 0xFF; byte++) {
        policy->known[byte] = below(8) ? (uint8_t)(1 + below(2)) : 0;
        policy->size[byte] = (uint8_t)below(UTF8_MAX_NEW + 1);
        memcpy(policy->bytes[byte], "\\x00", 4);
    }
}

static void fail(const char *law, size_t size) {
    printf("%s:", law);
    for (size_t at = 0; at < size; at++) printf(" %02X", text[at]);
    printf("\n");
    exit(1);
}

/* Repair `size` bytes that end at the guard; return the result's size, and how many bytes were used. */
static size_t repaired(const utf8_policy *policy, const utf8_kernel *kernel, const uint8_t *data, size_t size, bool final, size_t *used,
                       uint8_t *result) {
    uint8_t *const placed = input_end - size;
    memcpy(placed, data, size);
    utf8_repair_job job = {.data = placed, .size = size, .final = final, .changes = changes, .most = UTF8_STRETCH_CHANGES};
    while (!utf8_find_changes(policy, kernel, &job)) job.most += UTF8_STRETCH_CHANGES;
    if (job.count > job.most) fail("there are more changes than room", size);
    uint8_t *const out = output_end - job.written;
    utf8_repair(policy, &job, out);
    memcpy(result, out, job.written);
    *used = job.used;
    return job.written;
}

int main(int count, char **arguments) {
    const unsigned long texts = count > 1 ? strtoul(arguments[1], NULL, 10) : 20000;
    input_end = guarded();
    output_end = guarded();
    for (unsigned long number = 0; number < texts; number++) {
        const size_t size = fill(), cut = below(size + 1);
        utf8_policy policy;
        set_policy(&policy);
        size_t used, again, expected = 0;
        for (size_t i = 0; i < utf8_kernel_count; i++) {
            const utf8_kernel *kernel = utf8_kernels[i];
            if (!utf8_kernel_runs(kernel)) continue;
            size_t written = repaired(&policy, kernel, text, size, true, &used, parts);
            if (used != size) fail("not all was used", size);
            if (!utf8_scalar.is_valid(parts, written)) fail("the output is ill-formed", size);
            if (expected == 0) memcpy(whole, parts, expected = written);
            if (written != expected || memcmp(parts, whole, written) != 0) fail("two kernels differ", size);
            written = repaired(&policy, kernel, text, cut, false, &used, parts);
            written += repaired(&policy, kernel, text + used, size - used, true, &again, parts + written);
            if (written != expected || memcmp(parts, whole, written) != 0) fail("a cut changes the result", size);
        }
    }
    printf("%lu texts: all laws hold\n", texts);
    return 0;
}
