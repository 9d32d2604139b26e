"""Ruby: valid_encoding? and scrub, the transcoder of String#encode, unpack, the JSON library, the language's parser."""

from utf8_abnf.decoders.decoder import Decoder


def _row(name: str, about: str, code: str, claim: str = "UTF-8") -> Decoder:
    return Decoder(
        f"ruby-{name}",
        about,
        "ruby",
        ("{program}", "{source}", name),
        claim=claim,
        source="ruby.rb",
        version=("{program}", "--version"),
        install="apt:ruby",
        direct=f"ruby -rjson -e 'd=STDIN.binmode.read;{code}'",
    )


QUOTE = r'q="\"#{d.gsub(/[\x00-\x1F"\\]/n){format(%q(\u%04x),_1.ord)}}\"";'

DECODERS = (
    _row(
        "valid-encoding",
        "String#valid_encoding?, and String#scrub for mode r",
        'exit d.force_encoding("UTF-8").valid_encoding?',
    ),
    _row(
        "encode",
        "String#encode('UTF-16LE', 'UTF-8'), invalid: :replace for mode r, Encoding::Converter for p and s",
        'begin;d.encode("UTF-16LE","UTF-8");rescue EncodingError;exit 1;end',
    ),
    _row(
        "unpack-u",
        "String#unpack('U*')",
        'begin;d.unpack("U*");rescue ArgumentError;exit 1;end',
        "UTF-8 characters, without a word on limits (Ruby, Packed Data)",
    ),
    _row("json-parse", "JSON.parse of the data as a JSON string", f"{QUOTE}begin;JSON.parse(q);rescue;exit 1;end"),
    _row(
        "json-generate",
        "JSON.generate of the string",
        'begin;JSON.generate(d.force_encoding("UTF-8"));rescue JSON::GeneratorError;exit 1;end',
    ),
    _row(
        "syntax",
        "RubyVM::InstructionSequence.compile, the data in a string literal; a space for controls, ' and \\",
        'q="\\x27#{d.tr("\\0-\\x1a\\x27\\\\"," ")}\\x27".force_encoding("UTF-8");'
        "begin;RubyVM::InstructionSequence.compile(q);rescue SyntaxError;exit 1;end",
    ),
)
