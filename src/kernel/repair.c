/* The loops of repair.h. Between two faults a wide kernel reads; within a stretch, one byte after the other. */
#include "repair.h"

#include <string.h>

#include "compiler.h"
#include "scalar.h"

static const uint8_t replacement[] = {0xEF, 0xBF, 0xBD}; /* U+FFFD */

size_t utf8_stretch(const uint8_t *data, size_t size, size_t most) {
    size_t end = 0;
    while (end < most) {
        const size_t length = utf8_subpart(data + end, size - end);
        if (length == 0) break;
        end += length;
    }
    return end;
}

/* How many bytes a sequence has that begins with `byte`, by the bit patterns of RFC 3629 section 3 alone. */
UTF8_INLINE size_t announced(uint8_t byte) {
    if ((byte & 0xE0) == 0xC0) return 2; /* 110xxxxx */
    if ((byte & 0xF0) == 0xE0) return 3; /* 1110xxxx */
    if ((byte & 0xF8) == 0xF0) return 4; /* 11110xxx */
    return 1;
}

UTF8_INLINE size_t announced_sequence(const uint8_t *data, size_t size) {
    const size_t most = announced(data[0]) < size ? announced(data[0]) : size;
    size_t length = 1;
    while (length < most && is_tail(data[length])) length++;
    return length;
}

/* How many of the `size` ill-formed bytes at `data`, one at least, the next U+FFFD replaces. */
static size_t taken(utf8_take take, const uint8_t *data, size_t size) {
    if (take == UTF8_TAKE_BYTE) return 1;
    if (take == UTF8_TAKE_ANNOUNCED) return announced_sequence(data, size);
    /* ED A0..BF 80..BF encodes U+D800..U+DFFF */
    if (take == UTF8_TAKE_SURROGATE && data[0] == 0xED && announced_sequence(data, size) == 3 && data[1] >= 0xA0) return 3;
    return utf8_subpart(data, size);
}

/* A sequence in a stretch that means a character, though not in UTF-8: the policy's number for it, its size, and what it
 * means. The number is 0 where there is none, or none is wanted. */
typedef struct {
    uint8_t number;
    size_t size;
    uint32_t character;
} meant;

UTF8_INLINE uint32_t six_bits(uint8_t tail) { return tail & 0x3F; }

static meant meaning(const utf8_policy *policy, const uint8_t *data, size_t size) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000}; /* RFC 3629 section 3: what takes so many bytes */
    const meant none = {0, 0, 0};
    if (policy->pairs && size >= 6 && data[0] == 0xED && data[3] == 0xED && is_tail(data[2]) && is_tail(data[5]) &&
        0xA0 <= data[1] && data[1] <= 0xAF && 0xB0 <= data[4] && data[4] <= 0xBF) { /* ED A0..AF, then ED B0..BF */
        const uint32_t high = (data[1] & 0x0Fu) << 6 | six_bits(data[2]), low = (data[4] & 0x0Fu) << 6 | six_bits(data[5]);
        return (meant){policy->pairs, 6, 0x10000 + (high << 10 | low)};
    }
    const size_t length = announced(data[0]);
    if (!policy->shortest || length < 2 || length > size || announced_sequence(data, size) < length) return none;
    uint32_t character = data[0] & (0x7Fu >> length);
    for (size_t at = 1; at < length; at++) character = character << 6 | six_bits(data[at]);
    if (character >= least[length] || (0xD800 <= character && character <= 0xDFFF)) return none;
    return (meant){policy->shortest, length, character};
}

/* Write `character` in UTF-8 into `out`, where that is not NULL; return how many bytes it takes. RFC 3629 section 3. */
UTF8_ASIDE static size_t encode(uint32_t character, uint8_t *out) {
    static const uint8_t leads[] = {0, 0, 0xC0, 0xE0, 0xF0};
    const size_t size = character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    for (size_t at = size; out != NULL && at-- > 0; character >>= 6) {
        out[at] = (uint8_t)(at > 0 ? 0x80 | (character & 0x3F) : character | leads[size]);
    }
    return size;
}

/* Note the changes of the stretch `job->used .. end`, up to UTF8_MAX_STRETCH bytes of it. Precondition: they fit in. */
static void treat(const utf8_policy *policy, utf8_repair_job *job, size_t end) {
    const size_t start = job->used;
    utf8_change *change = NULL;
    while (job->used < end && job->used - start < UTF8_MAX_STRETCH) {
        const uint8_t *from = job->data + job->used;
        const meant found = meaning(policy, from, end - job->used);
        const uint8_t known = found.number ? found.number : policy->known[*from];
        if (change == NULL || change->known != known) {
            change = &job->changes[job->count++];
            *change = (utf8_change){.offset = job->used, .place = job->written, .known = known};
        }
        size_t old_size = 1, new_size = sizeof replacement;
        if (found.number) {
            old_size = found.size;
            new_size = encode(found.character, NULL);
        } else if (known) {
            new_size = policy->size[*from];
        } else {
            size_t unknown = 1; /* as far as a policy looks, and before a byte that the table has */
            while (unknown < 4 && unknown < end - job->used && !policy->known[from[unknown]]) unknown++;
            old_size = taken(policy->take, from, unknown);
        }
        job->used += old_size;
        job->written += new_size;
        change->old_size = (uint16_t)(change->old_size + old_size);
        change->new_size = (uint16_t)(change->new_size + new_size);
    }
}

bool utf8_find_changes(const utf8_policy *policy, const utf8_kernel *kernel, utf8_repair_job *job) {
    const size_t limit = job->final ? job->size : job->size - utf8_unfinished(job->data, job->size);
    const size_t most = UTF8_MAX_STRETCH + UTF8_LOOKAHEAD;
    while (job->used < limit) {
        const size_t fault = utf8_next_fault(kernel, job->data, job->used, limit);
        job->written += fault - job->used;
        job->used = fault;
        if (fault == limit) break;
        const size_t length = utf8_stretch(job->data + fault, limit - fault, most);
        if (fault + length == limit && !job->final && length < most) break; /* the next bytes may belong to it */
        if (job->most - job->count < UTF8_STRETCH_CHANGES) return false;
        treat(policy, job, fault + length);
    }
    return true;
}

void utf8_repair(const utf8_policy *policy, const utf8_repair_job *job, uint8_t *out) {
    size_t used = 0;
    for (size_t i = 0; i < job->count; i++) {
        const utf8_change *change = &job->changes[i];
        const size_t offset = (size_t)change->offset;
        memcpy(out, job->data + used, offset - used);
        out += offset - used;
        used = offset + change->old_size;
        const uint8_t *const end = out + change->new_size;
        if (change->known && (change->known == policy->pairs || change->known == policy->shortest)) {
            for (size_t at = offset; at < used;) {
                const meant found = meaning(policy, job->data + at, used - at);
                out += encode(found.character, out);
                at += found.size;
            }
        } else if (change->known) {
            for (size_t at = offset; at < used; at++) {
                const uint8_t byte = job->data[at];
                memcpy(out, policy->bytes[byte], policy->size[byte]);
                out += policy->size[byte];
            }
        } else {
            for (; out < end; out += sizeof replacement) memcpy(out, replacement, sizeof replacement);
        }
    }
    if (used < job->used) memcpy(out, job->data + used, job->used - used);
}
