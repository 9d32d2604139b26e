t=$(mktemp) && cat >$t || exit 2
LC_ALL=C.UTF-8 fish --no-config -c 'read -z x <$argv[1]; not string escape -- $x | string replace -a "\\\\" "" | string match -q "*\X*"' $t
s=$?; rm $t; exit $s
