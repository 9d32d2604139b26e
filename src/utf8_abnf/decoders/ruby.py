"""Ruby: String#valid_encoding?, the transcoder of String#encode, and String#scrub."""

from utf8_abnf.decoders.decoder import Decoder


def _row(name: str, about: str) -> Decoder:
    command = ("{program}", "{source}", name)
    return Decoder(f"ruby-{name}", about, "ruby", command, source="ruby.rb", version=("{program}", "--version"))


DECODERS = (
    _row("valid-encoding", "String#valid_encoding?, and String#scrub for mode r"),
    _row("encode", "String#encode('UTF-16LE', 'UTF-8')"),
)
