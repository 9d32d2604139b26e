"""Lua 5.3 and 5.4: utf8.len, strict and lax, and the loop of utf8.codes."""

from utf8_abnf.decoders.decoder import Decoder

UP_TO_10FFFF = "UTF-8; the manual of 5.3 names no surrogates"


def _row(name: str, about: str, condition: str, claim: str = "UTF-8", *, lua: str = "lua5.4") -> Decoder:
    old = "" if lua == "lua5.4" else lua[3:] + "-"
    return Decoder(
        f"lua-{old}{name}",
        about,
        lua,
        ("{program}", "{source}", name),
        claim=claim,
        source="lua.lua",
        version=("{program}", "-v"),
        install=f"apt:{lua}",
        direct=f"{lua} -e 'd=io.read(\"a\");os.exit({condition})'",
    )


CODES = "(pcall(function() for _ in utf8.codes(d) do end end))"

DECODERS = (
    _row("utf8-len", "utf8.len(data)", "utf8.len(d)~=nil"),
    _row("utf8-len-lax", "utf8.len(data, 1, -1, true)", "utf8.len(d,1,-1,true)~=nil", "RFC 2279 and surrogates"),
    _row("utf8-codes", "for _ in utf8.codes(data)", CODES),
    _row("utf8-len", "utf8.len(data) of Lua 5.3", "utf8.len(d)~=nil", UP_TO_10FFFF, lua="lua5.3"),
    _row("utf8-codes", "for _ in utf8.codes(data) of Lua 5.3", CODES, UP_TO_10FFFF, lua="lua5.3"),
)
