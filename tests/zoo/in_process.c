/* Decoders whose faults depend on where the input lies, on what was asked before, or on the process: each shows its
 * fault in process, and few show it again when they are asked in a process of their own. right() is right. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

int right(const uint8_t *s, size_t n) /* RFC 3629 section 4 */
{
    while (n) {
        size_t k = *s < 0x80 ? 1 : *s < 0xC2 ? 0 : *s < 0xE0 ? 2 : *s < 0xF0 ? 3 : *s < 0xF5 ? 4 : 0;
        if (!k || k > n)
            return 0;
        for (size_t i = 1; i < k; i++)
            if ((s[i] & 0xC0) != 0x80)
                return 0;
        if ((*s == 0xE0 && s[1] < 0xA0) || (*s == 0xED && s[1] > 0x9F) || (*s == 0xF0 && s[1] < 0x90) ||
            (*s == 0xF4 && s[1] > 0x8F))
            return 0;
        s += k;
        n -= k;
    }
    return 1;
}

#define AT ((uintptr_t)s & 63)
#define DECODER(name, fault) \
    int name(const uint8_t *s, size_t n) \
    { \
        fault; \
        return right(s, n); \
    }

static volatile uint8_t sink;
static volatile int zero;
static unsigned calls;

/* wrong verdicts that depend on the address: at none of these malloc puts an input, or at very few */
DECODER(odd_accepts, if (AT & 1 && n > 32) return right(s, 32))
DECODER(odd_rejects, if (AT & 1 && n > 1 && s[n - 1] >= 0x80) return 0)
DECODER(aligned_accepts, if (((uintptr_t)s & 4095) == 0 && n == 2 && *s >= 0xC2) return 1)
DECODER(late_rejects, if (AT > 6 && AT < 16 && n) return 0)
/* what lies before or behind the input */
DECODER(reads_before, if (n >= 64) sink = s[-1])
DECODER(reads_far_before, if (n >= 64) sink = s[-64])
DECODER(reads_behind, if (n >= 32) sink = s[n])
DECODER(looks_before, if (AT && s[-1] == 0 && n == 1) return 1)
DECODER(writes_before, if (n >= 8) ((volatile uint8_t *)s)[-1] = 0)
/* what looks like the first or the last bytes of a character, and lies before or behind the input */
#define TAIL(b) (((b) & 0xC0) == 0x80)
DECODER(looks_back, if (AT && n >= 64 && TAIL(*s) && s[-1] >= 0xC2 && s[-1] <= 0xDF) return right(s + 1, n - 1))
DECODER(looks_back_two, if (AT > 1 && n >= 1024 && TAIL(*s) && TAIL(s[-1]) && s[-2] == 0xE1) return right(s + 1, n - 1))
DECODER(looks_back_three, if (AT > 2 && n && TAIL(*s) && TAIL(s[-1]) && s[-3] == 0xF1) return right(s + 1, n - 1))
DECODER(begins_late, if (AT && n >= 64 && *s < 0x80 && s[-1] >= 0xE0) return 0)
DECODER(ends_at_nul, if (n > 1 && s[n] == 0 && s[n - 1] >= 0xC2 && s[n - 1] < 0xE0) return right(s, n - 1))
DECODER(ends_at_lead, if (n > 999 && s[n] == 0xE1 && s[n - 1] >= 0xC2) return right(s, n - 1))
DECODER(ends_at_ff, if (n > 64 && s[n] == 0xFF) return 0)
DECODER(ends_late, if (n && TAIL(s[n]) && s[n - 1] == 0xDF) return right(s, n - 1))
/* crashes and ends that depend on the address */
DECODER(aborts, if (AT == 3 && n) abort())
DECODER(divides, if (AT == 9 && n) sink = (uint8_t)(n / (size_t)zero))
DECODER(exits, if (AT == 5 && n > 2) _exit(0))
DECODER(hangs, if (AT == 7 && n == 2) for (;;) pause())
DECODER(aborts_at_a_surrogate, if (n == 3 && s[0] == 0xED && s[1] == 0xA0 && s[2] == 0x80) abort())
/* what was asked before */
DECODER(every_thousandth, if (++calls % 1009 == 0) return !right(s, n))
DECODER(after_ten_thousand, if (++calls > 10000) return 1)
DECODER(dies_once, if (getenv("PYTHONPATH") && ++calls == 5000 && n < 60) abort())
static int last = 1;
DECODER(after_error, int now = right(s, n); int was = last; last = now; return now || !was)
/* state that survives an input: a reader of characters that is not begun anew, and a count that only long text shows */
static int owed;
int keeps_what_is_owed(const uint8_t *s, size_t n)
{
    for (; n; s++, n--) {
        if (owed && !TAIL(*s))
            return owed = 0;
        if (!owed && TAIL(*s))
            return 0;
        owed = owed ? owed - 1 : *s < 0xC0 ? 0 : *s < 0xE0 ? 1 : *s < 0xF0 ? 2 : 3;
    }
    return owed == 0;
}
static size_t longest_wrong;
DECODER(long_after_a_long_error, int late = longest_wrong > 64 && n > 64; longest_wrong = right(s, n) ? 0 : n;
        if (late) return 0)
/* what is wrong everywhere */
int right_but_for_FF(const uint8_t *s, size_t n) { return (n == 1 && *s == 0xFF) || right(s, n); }
int right_but_for_quotes(const uint8_t *s, size_t n) { return (n == 3 && *s == '"' && s[1] == 0x80) || right(s, n); }
/* what has another way to say yes */
int returns_an_error(const uint8_t *s, size_t n) { return right(s, n) ? 0 : -1; }
