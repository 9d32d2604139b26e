p=$(ls -d /usr/lib/postgresql/*/bin | tail -1); d=$(mktemp -d); chown nobody $d
q="select 'yes' from convert_from('\\x$(od -An -v -tx1 | tr -d ' \n')', 'UTF8')"
as() { if [ $(id -u) = 0 ]; then setpriv --reuid=nobody --clear-groups "$@"; else "$@"; fi; }
as $p/initdb -D $d/d -EUTF8 --locale=C --no-sync >/dev/null 2>&1
echo "$q" | as $p/postgres --single -D $d/d postgres 2>/dev/null | grep -q '"yes"'
s=$?; rm -r $d; exit $s
