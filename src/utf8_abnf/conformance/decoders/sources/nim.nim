# Decoders of Nim over the stream protocol: nim NAME, one of those in accepts below.
import os, strutils, unicode

let name = paramStr(1)

proc accepts(data: string): bool =
  case name
  of "control":
    var sum: uint8
    for each in data: sum += uint8(each)
    result = sum < 128
  of "validate-utf8":
    result = validateUtf8(data) < 0
  of "runes":  # raises nothing: what it rejects becomes U+FFFD. It may swallow one of the data: U+FFFC stands for these
    for rune in data.replace("\uFFFD", "\uFFFC").runes:
      if rune == Rune(0xFFFD): return false
    result = true
  else: quit "no such decoder"

var head: array[4, uint8]
stdout.write "utf8-abnf 1 modes=", (if name == "validate-utf8": "v,p" else: "v"), " name=nim-", name, " version=", NimVersion, "\n"
stdout.flushFile
let mode = stdin.readLine
while stdin.readBuffer(addr head, 4) == 4:
  let size = int(head[0]) or int(head[1]) shl 8 or int(head[2]) shl 16 or int(head[3]) shl 24
  var data = newString(size)
  if size > 0: discard stdin.readBuffer(addr data[0], size)
  if mode == "p":  # Nim tells where, not how many bytes are wrong: length 0
    let offset = uint32(cast[uint64](validateUtf8(data)) and 0xFFFFFFFF'u64)
    for shift in [0, 8, 16, 24]: stdout.write char((offset shr shift) and 255)
    stdout.write '\0'
  else:
    stdout.write(if accepts(data): '1' else: '0')
  stdout.flushFile  # nothing tells whether the input has run dry
