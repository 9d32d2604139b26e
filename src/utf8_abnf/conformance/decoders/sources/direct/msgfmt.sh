{ printf 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "a"\nmsgstr "'
cat; printf '"\n'; } | msgfmt -o - - 2>&1 >&- | grep -q multibyte && exit 1; exit 0
