d=$(mktemp -d); cd $d; echo 'syntax = "proto3"; message M { string s = 1; }' >m.proto; cat >s
{ printf "\n\\$(printf %o $(wc -c <s))"; cat s; } | protoc --decode=M m.proto >/dev/null 2>&1
s=$?; rm -r $d; exit $s
