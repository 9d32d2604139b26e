# Tcl's encoding convertfrom over the stream protocol.
fconfigure stdin -translation binary -buffersize 65536
fconfigure stdout -translation binary -buffering full -buffersize 65536
puts -nonewline "utf8-abnf 1 modes=v name=tcl-convertfrom version=[info patchlevel]\n"
flush stdout
gets stdin
proc accepts {data} {
    if {[catch {encoding convertto utf-8 [encoding convertfrom utf-8 $data]} again]} { return 0 }
    return [string equal $again $data]
}
while {1} {
    if {[chan pending input stdin] < 4} { flush stdout }
    set head [read stdin 4]
    if {[string length $head] < 4} break
    binary scan $head iu size
    if {[chan pending input stdin] < $size} { flush stdout }
    puts -nonewline [accepts [read stdin $size]]
}
flush stdout
