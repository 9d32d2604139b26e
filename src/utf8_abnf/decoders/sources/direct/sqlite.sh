! { printf "pragma encoding='UTF-16le'; select hex(cast('"; cat; printf "' as blob))"; } |
sqlite3 | grep -Eq '^(....)*FDFF'
