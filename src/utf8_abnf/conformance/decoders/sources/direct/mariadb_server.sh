d=$(mktemp -d); u=$([ $(id -u) != 0 ] || echo --user=root)
mariadbd --no-defaults --datadir=$d --socket=$d/s --pid-file=$d/p $u --skip-networking --skip-grant-tables \
  --innodb=OFF --default-storage-engine=MyISAM >$d/log 2>&1 &
client="mariadb --no-defaults --socket=$d/s"
for i in 1 2 3 4 5 6 7 8 9; do [ -S $d/s ] && break; sleep 1; done
$client -e "create database d character set utf8mb4; create table d.t (v longtext)" || { kill $!; exit 2; }
$client -e "insert into t values (x'$(od -An -v -tx1 | tr -d ' \n')')" d 2>$d/said; s=$?
grep -q 'ERROR 1366' $d/said || [ $s = 0 ] || s=2
kill $!; wait; rm -r $d; exit $s
