/* The look for characters that a profile refuses: bytes and a sieve in; the first place that may hold one of them out.
 *
 * A sieve has up to eight groups of characters, a bit each. A group says of each of the last bytes of a character which
 * values it may have, by their high and low four bits. utf8_abnf.files.profiles.look makes sieves.
 */
#ifndef UTF8_REFUSED_H
#define UTF8_REFUSED_H

#include <stddef.h>
#include <stdint.h>

enum { UTF8_MAX_CHARACTER = 4 }; /* bytes: UTF8-4 has four */

/* high[k] and low[k] are for the byte `before[k]` places before a character's last one, the rarest byte first. Where a
 * group's characters are shorter than that, its bit is set in all their entries. */
typedef struct {
    uint8_t places; /* bytes of the longest character: 1..4 */
    uint8_t before[UTF8_MAX_CHARACTER]; /* 0 .. places - 1, each once */
    uint8_t least[UTF8_MAX_CHARACTER], most[UTF8_MAX_CHARACTER]; /* no other bytes have a group in both tables */
    uint8_t high[UTF8_MAX_CHARACTER][16];
    uint8_t low[UTF8_MAX_CHARACTER][16];
} utf8_sieve;

/* The lowest index in `from`..`size` - 1 at which the last byte of a refused character may be; `size` where there is
 * none. No refused character is missed whose bytes are all in data[0 .. size - 1]. Reads nothing outside of these. */
size_t utf8_next_candidate(const utf8_sieve *sieve, const uint8_t *data, size_t from, size_t size);

/* The same one byte at a time, for comparison. */
size_t utf8_next_candidate_scalar(const utf8_sieve *sieve, const uint8_t *data, size_t from, size_t size);

#endif
