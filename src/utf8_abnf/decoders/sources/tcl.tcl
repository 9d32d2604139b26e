# Decoders of Tcl over the stream protocol: tclsh tcl.tcl convertfrom|control
set name [lindex $argv 0]
fconfigure stdin -translation binary -buffersize 65536
fconfigure stdout -translation binary -buffering full -buffersize 65536
puts -nonewline "utf8-abnf 1 modes=v name=tcl-$name version=[info patchlevel]\n"
flush stdout
gets stdin
proc same {text data} {
    if {[catch {encoding convertto utf-8 $text} again]} { return 0 }
    return [string equal $again $data]
}
proc convertfrom {data} {
    if {[catch {encoding convertfrom utf-8 $data} text]} { return 0 }
    return [same $text $data]
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
    puts -nonewline [$name [read stdin $size]]
}
flush stdout
