#ifndef TYPES
#define TYPES
/* For pycparser: the names of types, so that it knows them for types. What they mean is interpreter.py's affair. */
typedef unsigned char uint8_t;
typedef unsigned int uint32_t;
typedef int int32_t;
typedef unsigned long uint64_t;
typedef unsigned long uintptr_t;
typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef int __m128i, __m256i, __m512i, uint8x16_t, v128_t;
typedef unsigned long __mmask64;
#define UINT64_C(x) x
#define UINT32_C(x) x
#define NULL 0
#define bool _Bool
#define true 1
#define false 0
#define _MM_HINT_T0 3
#endif
