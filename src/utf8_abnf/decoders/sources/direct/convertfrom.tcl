fconfigure stdin -translation binary
set data [read stdin]
set same [encoding convertto utf-8 [encoding convertfrom utf-8 $data]]
exit [expr {$data eq $same ? 10 : 11}]
