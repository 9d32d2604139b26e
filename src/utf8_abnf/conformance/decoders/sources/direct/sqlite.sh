! { printf "pragma encoding='UTF-16le'; select hex(cast('"; LC_ALL=C sed 's/\xEF\xBF\xBD/\xEF\xBF\xBC/g'; printf "' as blob))"; } |
sqlite3 | grep -Eq '^(....)*FDFF'
