d=$(mktemp -d); cd $d
git init -q --bare . </dev/null >&2
e=$(git hash-object -t tree -w --stdin </dev/null)
! git --git-dir=. -c core.fsync=none -c user.name=a -c user.email=a commit-tree $e 2>&1 | grep -q conform
s=$?; rm -r $d; exit $s
