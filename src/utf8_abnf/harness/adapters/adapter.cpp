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

static bool accepts(std::string_view data) {
    // TODO: call your decoder; return whether it accepts data as UTF-8. This example accepts ASCII only.
    for (unsigned char byte : data)
        if (byte > 0x7F) return false;
    return true;
}

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

int main() {
#ifdef _WIN32
    _setmode(0, _O_BINARY);
    _setmode(1, _O_BINARY);
#endif
    std::fputs("utf8-abnf 1 modes=v name=mydecoder version=1\n", stdout);
    do {
        if (!have(1)) return 0;
    } while (pending[used++] != '\n');
    while (have(4)) {
        std::uint32_t size = 0;
        for (int i = 0; i < 4; i++) size |= static_cast<std::uint32_t>(static_cast<unsigned char>(pending[used + i])) << 8 * i;
        if (!have(4 + std::size_t{size})) return 1;
        std::putchar(accepts(std::string_view(pending).substr(used + 4, size)) ? '1' : '0');
        used += 4 + std::size_t{size};
    }
}
