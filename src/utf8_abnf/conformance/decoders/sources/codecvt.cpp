// The C++ standard library: std::codecvt_utf8, std::wstring_convert.
#include "stream.h"
#include <codecvt>
#include <locale>
#include <stdexcept>

#ifdef _LIBCPP_VERSION
#define VERSION(number) #number
#define TEXT(number) VERSION(number)
#define LIBRARY TEXT(_LIBCPP_VERSION)
#else
#define LIBRARY __VERSION__
#endif

template <class FACET> struct made : FACET {
    ~made() {}
};

template <class FACET> static int locates(char *data, size_t size, size_t *offset, size_t *length) {
    static const made<FACET> facet;
    typename FACET::intern_type out[256], *to;
    const char *from = data, *end = data + size;
    std::mbstate_t state = std::mbstate_t();
    *length = 0;
    while (from != end) {
        const char *next = from;
        const auto result = facet.in(state, from, end, next, out, out + 256, to);
        const bool moved = next != from || to != out;
        *offset = static_cast<size_t>(next - data);
        if (result == std::codecvt_base::error || !moved) return REJECTED; // partial and not moved: cut at the end
        if (next == end && result != std::codecvt_base::ok) return REJECTED;
        from = next;
    }
    return ACCEPTED;
}

static int wstring_convert_accepts(char *data, size_t size) {
    try {
        std::wstring_convert<std::codecvt_utf8<char32_t>, char32_t>().from_bytes(data, data + size);
        return ACCEPTED;
    } catch (const std::range_error &) {
        return REJECTED;
    }
}

int main(int count, char **words) {
    const decoder table[] = {
        {"codecvt_utf8", NULL, locates<std::codecvt_utf8<char32_t>>, NULL, NULL},
        {"codecvt_utf8_ucs2", NULL, locates<std::codecvt_utf8<char16_t>>, NULL, NULL},
        {"wstring_convert", wstring_convert_accepts, NULL, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, LIBRARY);
}
