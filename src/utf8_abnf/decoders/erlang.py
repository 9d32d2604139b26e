"""Erlang and Elixir: the module unicode, the type utf8 in patterns, re; String.valid? and String.to_charlist."""

from utf8_abnf.decoders.decoder import Decoder


def _erlang(name: str, about: str, condition: str) -> Decoder:
    read = '{ok,D}=file:read_file("/dev/stdin")'
    return Decoder(
        f"erlang-{name}",
        about,
        "escript",
        ("{program}", "{source}", name),
        source="erlang.escript",
        install="apt:erlang-base",
        direct=f"erl -noinput -eval '{read},halt(case {condition} of true->0;_->1 end)'",
    )


def _elixir(name: str, about: str, code: str) -> Decoder:
    return Decoder(
        f"elixir-{name}",
        about,
        "elixir",
        ("{program}", "--erl", "-noinput", "{source}", name),
        source="elixir.exs",
        install="apt:elixir",
        direct=f"elixir --erl -noinput -e 'd=File.read!(\"/dev/stdin\");{code}'",
    )


DECODERS = (
    _erlang(
        "characters-to-binary",
        "unicode:characters_to_binary(Data, utf8, utf16); from utf8 to utf8 for modes p and s",
        "is_binary(unicode:characters_to_binary(D,utf8,utf16))",
    ),
    _erlang(
        "characters-to-list",
        "unicode:characters_to_list(Data, utf8)",
        "is_list(unicode:characters_to_list(D,utf8))",
    ),
    _erlang(
        "utf8-pattern",
        "the pattern <<_/utf8, Rest/binary>>, again and again",
        "(fun F(<<_/utf8,T/binary>>)->F(T);F(T)->T==<<>> end)(D)",
    ),
    _erlang("re", 're:run(Data, "", [unicode]): PCRE', "(catch re:run(D,[],[unicode]))=={match,[{0,0}]}"),
    _elixir("string-valid", "String.valid?(data)", "System.halt(if String.valid?(d), do: 0, else: 1)"),
    _elixir(
        "string-to-charlist",
        "String.to_charlist(data)",
        "try do String.to_charlist(d) rescue UnicodeConversionError->System.halt(1) end",
    ),
)
