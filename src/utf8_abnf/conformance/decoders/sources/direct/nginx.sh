d=$(mktemp -d); tr '?' '!' >$d/data
cat >$d/conf <<END
daemon off; master_process off; pid pid; error_log /dev/null; events {}
http {
  access_log off; client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4;
  scgi_temp_path t5; charset_map koi8-r utf-8 { E5 D095; } default_type text/plain;
  server { listen unix:$d/s; root .; source_charset utf-8; charset koi8-r; }
}
END
nginx -p $d/ -c conf 2>/dev/null &
for i in 1 2 3 4 5 6 7 8 9; do [ -S $d/s ] && break; sleep 1; done
curl -s -m 3 --unix-socket $d/s -o $d/sent http://nginx/data; s=$?
case $s in
  0) ! grep -aqF '?' $d/sent; s=$?;;
  28) s=1;;  # it does not answer
  *) s=2
esac
kill $!; wait; rm -r $d; exit $s
