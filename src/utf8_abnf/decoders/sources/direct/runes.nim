import unicode

let data = stdin.readAll
var text = ""
for rune in data.runes:
  text.add rune.toUTF8
quit(if text == data: 10 else: 11)
