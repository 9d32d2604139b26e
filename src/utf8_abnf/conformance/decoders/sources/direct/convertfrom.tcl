fconfigure stdin -translation binary
exit [expr {[catch {encoding convertfrom utf-8 [read stdin]}] ? 11 : 10}]
