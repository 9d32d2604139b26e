// Boost: JSON's parser, whole and in chunks; Locale's conversion; Beast's validator of
// web sockets; the iterator of Boost.Regex.
#include "stream.h"
#include "json_string.h"
#include <boost/beast/websocket/detail/utf8_checker.hpp>
#include <boost/json.hpp>
#include <boost/locale/encoding_utf.hpp>
#include <boost/regex/pending/unicode_iterator.hpp>
#include <boost/version.hpp>

static int json_accepts(char *data, size_t size) {
    size_t length;
    char *text = json_quoted(data, size, &length);
    boost::system::error_code error;
    const boost::json::value value = boost::json::parse({text, length}, error);
    if (error) return REJECTED;
    return unmarked(value.get_string().data(), value.get_string().size(), data, size);
}

static int json_feeds(char *data, size_t size, int first, int last) {
    static boost::json::stream_parser parser;
    boost::system::error_code error;
    size_t length;
    if (first) {
        parser.reset();
        parser.write("\"", 1, error);
    }
    char *text = json_quoted(data, size, &length);
    parser.write(text + 1, length - 2, error); // without its quotes
    if (error) return REJECTED;
    if (!last) return SO_FAR;
    parser.write("\"", 1, error);
    if (!error) parser.finish(error);
    return verdict(!error);
}

static int utf_to_utf_accepts(char *data, size_t size) {
    try {
        boost::locale::conv::utf_to_utf<char32_t>(data, data + size, boost::locale::conv::stop);
        return ACCEPTED;
    } catch (const boost::locale::conv::conversion_error &) {
        return REJECTED;
    }
}

static int utf_to_utf_replaces(char *data, size_t size) {
    for (const char32_t each : boost::locale::conv::utf_to_utf<char32_t>(data, data + size, boost::locale::conv::skip))
        say_code_point(each);
    return ACCEPTED;
}

static int beast_feeds(char *data, size_t size, int first, int last) {
    static boost::beast::websocket::detail::utf8_checker checker;
    if (first) checker.reset();
    if (size && !checker.write(reinterpret_cast<const std::uint8_t *>(data), size)) return REJECTED;
    return last ? verdict(checker.finish()) : SO_FAR;
}

static int beast_accepts(char *data, size_t size) {
    return boost::beast::websocket::detail::check_utf8(data, size) ? ACCEPTED : REJECTED;
}

static int iterator_accepts(char *data, size_t size) {
    using iterator = boost::u8_to_u32_iterator<const char *>;
    try {
        for (iterator at(data, data, data + size), end(data + size, data, data + size); at != end; ++at) (void)*at;
        return ACCEPTED;
    } catch (const std::out_of_range &) {
        return REJECTED;
    }
}

int main(int count, char **words) {
    const decoder table[] = {
        {"json", json_accepts, NULL, NULL, json_feeds},
        {"utf_to_utf", utf_to_utf_accepts, NULL, utf_to_utf_replaces, NULL},
        {"beast", beast_accepts, NULL, NULL, beast_feeds},
        {"u8_to_u32_iterator", iterator_accepts, NULL, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
    return serve(count, words, table, BOOST_LIB_VERSION);
}
