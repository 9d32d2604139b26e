d=$(mktemp -d); cd $d; echo 'syntax = "proto3"; message M { string s = 1; }' >m.proto; cat >s
n=$(wc -c <s)
{ printf "\n\\$(printf '%o\\%o\\%o' $((n % 128 + 128)) $((n / 128 % 128 + 128)) $((n / 16384)))"; cat s; } | protoc --decode=M m.proto >/dev/null 2>&1
s=$?; rm -r $d; exit $s
