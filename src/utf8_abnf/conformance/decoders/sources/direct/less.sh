t=$(mktemp) && cat >$t
script -qec "stty rows 1000 cols 30000; TERM=xterm LESSCHARSET=utf-8 LESS= LESSOPEN= less -FXfU $t" /dev/null </dev/null |
    LC_ALL=C grep -aq "$(printf '\033[[]7m[^\033]*<[0-9A-F][0-9A-F]>')"
s=$?; rm $t; exit $((s == 0))
