import strutils, unicode

let data = stdin.readAll
var marks = 0
for rune in data.runes:
  if rune == Rune(0xFFFD): inc marks
quit(if marks > data.count("\uFFFD"): 11 else: 10)
