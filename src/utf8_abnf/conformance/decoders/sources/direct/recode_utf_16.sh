t=$(mktemp)
LC_ALL=C sed 's/\xEF\xBF\xBD/\xEF\xBF\xBC/g' | recode UTF-8..UTF-16 >$t && ! od -An -v -tx2 --endian=big $t | grep -q fffd
s=$?; rm $t; exit $s
