# Decoders of Tcl over the stream protocol: tclsh tcl.tcl convertfrom|control
# Tcl 8.6 raises no error and marks nothing, so it accepts everything; Tcl 9 raises an error.
set name [lindex $argv 0]
fconfigure stdin -translation binary -buffersize 65536
fconfigure stdout -translation binary -buffering full -buffersize 65536
puts -nonewline "utf8-abnf 1 modes=[expr {$name eq "control" ? "v" : "v,r"}] name=tcl-$name version=[info patchlevel]\n"
flush stdout
set mode [string trim [gets stdin]]
proc convertfrom {data} {
    return [expr {![catch {encoding convertfrom utf-8 $data}]}]
}
# An answer of mode r is UTF-8, so a lone surrogate stands as U+FFFD in it: mode v tells that it is accepted.
proc replaced {data} {
    if {[catch {encoding convertfrom utf-8 $data} text]} { return [binary format i -1] }
    set text [regsub -all {\xed[\xa0-\xbf][\x80-\xbf]} [encoding convertto utf-8 $text] \xef\xbf\xbd]
    return [binary format i [string length $text]]$text
}
proc control {data} {
    binary scan $data cu* bytes
    set sum 0
    foreach each $bytes { incr sum $each }
    return [expr {$sum % 256 < 128}]
}
while {1} {
    if {[chan pending input stdin] < 4} { flush stdout }
    set head [read stdin 4]
    if {[string length $head] < 4} break
    binary scan $head iu size
    if {[chan pending input stdin] < $size} { flush stdout }
    puts -nonewline [[expr {$mode eq "r" ? "replaced" : $name}] [read stdin $size]]
}
flush stdout
