"""Tcl: encoding convertfrom utf-8, which in Tcl 8 never refuses: are the same bytes given back."""

from utf8_abnf.decoders.decoder import Decoder

DECODERS = (
    Decoder(
        "tcl-convertfrom",
        "encoding convertfrom utf-8, judged by whether convertto gives the same bytes again",
        "tclsh",
        ("{program}", "{source}", "convertfrom"),
        source="tcl.tcl",
        install="apt:tcl",
        direct=(
            "t=$(mktemp);echo 'fconfigure stdin -translation binary;set d [read stdin];"
            "exit [expr {$d ne [encoding convertto utf-8 [encoding convertfrom utf-8 $d]]}]'>$t;"
            "tclsh $t;s=$?;rm $t;exit $s"
        ),
    ),
)
