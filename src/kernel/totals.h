/* The body of totals_16 and totals_32 of summary.c, which reads a register of BYTES at a time; it undefines BYTES.
 *
 * Types and instructions follow from the function around it, which says for which processor it is compiled. A lane of a
 * comparison is -1 where it is true, so that subtracting it counts, to 255 at most. Lane by lane a piece of 256 KiB took
 * 1.4 times as long (Zen 1, AVX2, gcc 12).
 */
    typedef int8_t lanes __attribute__((vector_size(BYTES)));
    typedef uint8_t counts __attribute__((vector_size(BYTES)));
    typedef uint64_t eights __attribute__((vector_size(BYTES)));
    enum { MAX_ROUNDS = 252 }; /* fits into a lane, and is a multiple of four */
    const eights even = (eights){0} + UINT64_C(0x00FF00FF00FF00FF);
    while (size >= BYTES) {
        const size_t rounds = size / BYTES < MAX_ROUNDS ? size / BYTES : MAX_ROUNDS;
        counts begin = {0}, end = {0};
        lanes text;
#if defined(__GNUC__) && !defined(__clang__) /* clang does so by itself */
#pragma GCC unroll 4
#endif
        for (size_t round = 0; round < rounds; round++, data += BYTES) {
            memcpy(&text, data, BYTES);
            begin -= (counts)(text > (int8_t)0xBF); /* no tail byte: as signed numbers those are the lowest */
            end -= (counts)(text == '\n');
        }
        size -= rounds * BYTES;
        /* Add eight lanes up at once: the odd ones to the even ones, then four sums of 16 bits by a multiplication. */
        const eights starts = ((eights)begin & even) + ((eights)begin >> 8 & even);
        const eights ends = ((eights)end & even) + ((eights)end >> 8 & even);
        for (int at = 0; at < BYTES / 8; at++) {
            *first_bytes += starts[at] * 0x0001000100010001 >> 48;
            *newlines += ends[at] * 0x0001000100010001 >> 48;
        }
    }
    totals_scalar(data, size, first_bytes, newlines);

#undef BYTES
