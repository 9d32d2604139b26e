"""Go: unicode/utf8, what the language does in a loop, and the readers of bufio, encoding/json and encoding/xml."""

from utf8_abnf.decoders.compiled import from_file
from utf8_abnf.decoders.decoder import Decoder


def _row(name: str, about: str, imports: str, code: str, refuses: str = "") -> Decoder:
    packages = "".join(f'import "{each}";' for each in ["io", "os", *imports.split()])
    source = f"package main;{packages}func main(){{d,_:=io.ReadAll(os.Stdin);{code};os.Exit(11)}}"
    return Decoder(
        f"go-{name}",
        about,
        "go",
        ("{binary}", name),
        refuses=refuses,
        source="go_utf8.go",
        build=("{program}", "build", "-o", "{output}", "{source}"),
        version=("{program}", "version"),
        install="apt:golang-go",
        direct=from_file("a.go", source, "go build -o $t/a $t/a.go&&$t/a"),
    )


ACCEPT = "os.Exit(10)"
QUOTE = (
    "q:=[]byte{34};for _,b:=range d{if b<32||b==34||b==92"
    r'{q=append(q,fmt.Sprintf("%cu%04x",92,b)...)}else{q=append(q,b)}}'
)

DECODERS = (
    _row(
        "utf8-valid",
        "utf8.Valid, and string([]rune(data)) for mode r",
        "unicode/utf8",
        f"if utf8.Valid(d){{{ACCEPT}}}",
    ),
    _row(
        "range",
        "for at, char := range string(data): is there a U+FFFD that was not in the data?",
        "strings",
        "for i,c:=range string(d){if c==0xFFFD&&!strings.HasPrefix(string(d)[i:],string(c)){os.Exit(11)}};" + ACCEPT,
    ),
    _row(
        "to-valid-utf8",
        "bytes.ToValidUTF8, judged by whether it gives the same bytes",
        "bytes",
        f'if bytes.Equal(bytes.ToValidUTF8(d,[]byte("?")),d){{{ACCEPT}}}',
    ),
    _row(
        "bufio-read-rune",
        "bufio.Reader.ReadRune, with a buffer of 16 bytes",
        "bufio bytes",
        f"r:=bufio.NewReader(bytes.NewReader(d));for{{c,n,e:=r.ReadRune();if e!=nil{{{ACCEPT}}};"
        "if c==0xFFFD&&n==1{os.Exit(11)}}",
    ),
    _row(
        "encoding-json",
        "json.Unmarshal of the data as a JSON string, judged by whether the string is the same",
        "encoding/json fmt",
        f"{QUOTE};var t string;json.Unmarshal(append(q,34),&t);if t==string(d){{{ACCEPT}}}",
    ),
    _row(
        "encoding-xml",
        "xml.Decoder, the data as the text of an element",
        "encoding/xml",
        f'var t string;if xml.Unmarshal([]byte("<a>"+string(d)+"</a>"),&t)==nil{{{ACCEPT}}}',
        "markup, controls, U+FFFE and U+FFFF: no XML 1.0 Char, or not as text",
    ),
)
