"""Lua 5.4: utf8.len, strict and lax."""

from utf8_abnf.decoders.decoder import Decoder


def _row(name: str, about: str, claim: str = "UTF-8") -> Decoder:
    command = ("{program}", "{source}", name)
    return Decoder(f"lua-{name}", about, "lua5.4", command, claim=claim, source="lua.lua", version=("{program}", "-v"))


DECODERS = (
    _row("utf8-len", "utf8.len(data)"),
    _row("utf8-len-lax", "utf8.len(data, 1, -1, true)", "RFC 2279 and surrogates"),
)
