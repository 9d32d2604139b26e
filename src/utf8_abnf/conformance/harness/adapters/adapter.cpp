// Adapter for `utf8-abnf test stream:./adapter`.   Build: c++ -O2 -o adapter adapter.cpp
// Protocol: say hello, read one line with the mode, then answer each frame (length, 4 bytes little-endian; data).
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#else
#include <unistd.h>
#define _read read
#endif

// [v]
static bool accepts(std::string_view data) {
    // TODO: call your decoder; return whether it accepts data as UTF-8. This example accepts ASCII only.
    for (unsigned char byte : data)
        if (byte > 0x7F) return false;
    return true;
}

// [p]
struct Error { std::int64_t offset; int length; };
static Error first_error(std::string_view data) {
    // TODO: return the offset and the length (0: not told) of the first error; the offset -1 if there is none.
    for (std::size_t at = 0; at < data.size(); at++)
        if (static_cast<unsigned char>(data[at]) > 0x7F) return {static_cast<std::int64_t>(at), 1};
    return {-1, 0};
}

// [r]
static bool replace(std::string_view data, std::string &text) {
    // TODO: append the text as UTF-8, with U+FFFD for errors; return false to reject and not replace.
    for (unsigned char byte : data) byte > 0x7F ? text += "\xEF\xBF\xBD" : text += static_cast<char>(byte);
    return true;
}

// [s]
struct Stream {
    // TODO: a stream of your decoder: feed returns false if the data are certainly wrong by now, finish if they were.
    bool wrong = false;
    bool feed(std::string_view data) {
        for (unsigned char byte : data) wrong |= byte > 0x7F;
        return !wrong;
    }
    bool finish() { return !wrong; }
};

// [end]
static std::string pending;  // what has been read and not yet used
static std::size_t used = 0;

static bool have(std::size_t size) {  // read until so many bytes are there; false at the end of input
    while (pending.size() - used < size) {
        std::fflush(stdout);  // there may be no more input for now: write the answers
        pending.erase(0, used);
        used = 0;
        char chunk[1 << 16];
        auto got = _read(0, chunk, sizeof chunk);
        if (got <= 0) return false;
        pending.append(chunk, static_cast<std::size_t>(got));
    }
    return true;
}

static std::size_t number(std::string_view data, std::size_t at) {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; i++) value |= static_cast<std::uint32_t>(static_cast<unsigned char>(data[at + i])) << 8 * i;
    return value;
}

// [pr]
static void put_number(std::int64_t value) {
    for (int shift = 0; shift < 32; shift += 8) std::putchar(static_cast<int>(value >> shift & 255));
}

// [end]
static void answer(char mode, std::string_view data) {
    // [v]
    if (mode == 'v') std::putchar(accepts(data) ? '1' : '0');
    // [p]
    if (mode == 'p') {
        Error error = first_error(data);
        put_number(error.offset);
        std::putchar(error.length);
    }
    // [r]
    if (mode == 'r') {
        std::string text;
        bool replaced = replace(data, text);
        put_number(replaced ? static_cast<std::int64_t>(text.size()) : -1);
        if (replaced) std::fwrite(text.data(), 1, text.size(), stdout);
    }
    // [s]
    if (mode == 's') {
        Stream stream;
        std::size_t count = number(data, 0), at = 4 + 4 * count;
        for (std::size_t i = 1; i <= count; at += number(data, 4 * i), i++)
            std::putchar(stream.feed(data.substr(at, number(data, 4 * i))) ? '?' : '0');
        std::putchar(stream.finish() ? '1' : '0');
    }
    // [end]
}

int main() {
#ifdef _WIN32
    _setmode(0, _O_BINARY);
    _setmode(1, _O_BINARY);
#endif
    std::fputs("utf8-abnf 1 modes=v,p,r,s name=mydecoder version=1\n", stdout);
    if (!have(1)) return 0;
    char mode = pending[used];
    do {
        if (!have(1)) return 0;
    } while (pending[used++] != '\n');
    while (have(4)) {
        std::size_t size = number(pending, used);
        if (!have(4 + size)) return 1;
        answer(mode, std::string_view(pending).substr(used + 4, size));
        used += 4 + size;
    }
}
