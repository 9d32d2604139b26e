/* All differences between compilers: no other file asks which compiler it is. */
#ifndef UTF8_COMPILER_H
#define UTF8_COMPILER_H

#include <stdint.h>
#if defined(_MSC_VER)
#include <intrin.h>
#endif

#if defined(__x86_64__) || (defined(_M_X64) && !defined(_M_ARM64EC))
#define UTF8_X86 1
#else
#define UTF8_X86 0
#endif

/* Big-endian AArch64 numbers its lanes in reverse; it is not supported. */
#if (defined(__aarch64__) && !defined(__AARCH64EB__)) || defined(_M_ARM64)
#define UTF8_NEON 1
#else
#define UTF8_NEON 0
#endif

#if defined(__wasm_simd128__)
#define UTF8_WASM 1
#else
#define UTF8_WASM 0
#endif

/* A pointer that several threads may read and write; they all write the same value. */
#if defined(__GNUC__) || defined(__clang__)
#define UTF8_LOAD(pointer) __atomic_load_n(&(pointer), __ATOMIC_RELAXED)
#define UTF8_STORE(pointer, value) __atomic_store_n(&(pointer), value, __ATOMIC_RELAXED)
#else /* MSVC: an aligned pointer is read and written whole */
#define UTF8_LOAD(pointer) (*(void *const volatile *)&(pointer))
#define UTF8_STORE(pointer, value) (*(const void *volatile *)&(pointer) = (value))
#endif

/* Add `n` to a long that several threads count with; the value before. */
#if defined(__GNUC__) || defined(__clang__)
#define UTF8_ADD(number, n) __atomic_fetch_add(&(number), n, __ATOMIC_ACQ_REL)
#else
#define UTF8_ADD(number, n) _InterlockedExchangeAdd(&(number), n)
#endif

/* GCC and clang compile an intrinsic only inside a function that names its instruction set; MSVC compiles it anywhere. */
#if defined(__GNUC__) || defined(__clang__)
#define UTF8_TARGET(features) __attribute__((target(features)))
#define UTF8_INLINE static inline __attribute__((always_inline))
#define UTF8_ASIDE __attribute__((noinline)) /* not inlined into a short path, which would have to save registers for it */
#define UTF8_ALIGNED __attribute__((aligned(64))) /* a short path is in one cache line, wherever the linker puts it */
#define UTF8_LIKELY(condition) __builtin_expect(condition, 1) /* what follows if it holds needs no jump */
#else
#define UTF8_TARGET(features)
#define UTF8_INLINE static __forceinline
#define UTF8_ASIDE __declspec(noinline)
#define UTF8_ALIGNED
#define UTF8_LIKELY(condition) (condition)
#endif

/* Seen by the other files of an extension module, and by nobody else. */
#if defined(_WIN32) || defined(__CYGWIN__) || !(defined(__GNUC__) || defined(__clang__))
#define UTF8_OURS
#else
#define UTF8_OURS __attribute__((visibility("hidden")))
#endif

/* Keep a vector in its register: GCC would load it again for each use, and loads that straddle lines cost 7 %. */
#if UTF8_X86 && defined(__GNUC__) && !defined(__clang__) && !defined(UTF8_KEEP)
#define UTF8_KEEP(vector) __asm__("" : "+v"(vector))
#elif !defined(UTF8_KEEP)
#define UTF8_KEEP(vector) (void)0
#endif

/* Stands before a vector in memory that is to be loaded. GCC from 12 on makes one whose bytes are all the same of an integer
 * instead, by a shuffle or two: one call takes up to a third longer. What a weak symbol holds it cannot know. In one cache
 * line each: from two a load takes longer. */
#if defined(__ELF__) && defined(__GNUC__) && !defined(__clang__)
#define UTF8_LOADED __attribute__((weak, visibility("hidden"), aligned(64)))
#else
#define UTF8_LOADED static
#endif

/* Ask for the cache line at an address, a number, before it is needed. It never faults. Measured on x86 only. */
UTF8_INLINE void utf8_prefetch(uintptr_t at) {
#if !UTF8_X86
    (void)at;
#elif defined(_MSC_VER)
    _mm_prefetch((const char *)at, _MM_HINT_T0);
#else
    __builtin_prefetch((const void *)at);
#endif
}

/* The place of the lowest bit that is set. Precondition: one is. */
UTF8_INLINE unsigned utf8_lowest(uint64_t bits) {
#if defined(__GNUC__) || defined(__clang__)
    return (unsigned)__builtin_ctzll(bits);
#else
    unsigned place = 0;
    while ((bits >> place & 1) == 0) place++;
    return place;
#endif
}

/* How many of the eight bytes at `data` come before the first one above 7F: 0..8. */
UTF8_INLINE unsigned utf8_ascii_prefix8(const uint8_t *data) {
#if (defined(__GNUC__) || defined(__clang__)) && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t eight;
    __builtin_memcpy(&eight, data, sizeof eight);
    eight &= UINT64_C(0x8080808080808080);
    return eight == 0 ? 8 : utf8_lowest(eight) / 8;
#else
    unsigned count = 0;
    while (count < 8 && data[count] <= 0x7F) count++;
    return count;
#endif
}

#if UTF8_X86
#if !defined(_MSC_VER)
#include <cpuid.h>
#endif

/* The cpuid instruction: registers[0..3] = EAX, EBX, ECX, EDX; all zero for a leaf that the processor lacks. */
UTF8_INLINE void utf8_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t registers[4]) {
#if defined(_MSC_VER)
    int answer[4];
    __cpuid(answer, 0);
    if ((uint32_t)answer[0] < leaf) {
        answer[0] = answer[1] = answer[2] = answer[3] = 0;
    } else {
        __cpuidex(answer, (int)leaf, (int)subleaf);
    }
    for (int i = 0; i < 4; i++) registers[i] = (uint32_t)answer[i];
#else
    if (!__get_cpuid_count(leaf, subleaf, &registers[0], &registers[1], &registers[2], &registers[3])) {
        registers[0] = registers[1] = registers[2] = registers[3] = 0;
    }
#endif
}

/* XCR0: which registers the operating system saves. Only where cpuid says OSXSAVE. */
UTF8_INLINE uint64_t utf8_xcr0(void) {
#if defined(_MSC_VER)
    return _xgetbv(0);
#else
    uint32_t low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return ((uint64_t)high << 32) | low;
#endif
}
#endif /* UTF8_X86 */

#endif
