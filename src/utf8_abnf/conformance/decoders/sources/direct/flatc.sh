d=$(mktemp -d); cd $d; echo 'table T { s: string; } root_type T;' >s.fbs
{ printf '{s:"'; cat; printf '"}'; } >s.json; flatc -b s.fbs s.json >/dev/null 2>&1
s=$?; rm -r $d; exit $s
