// Package main drives decoders of Go's standard library over the stream protocol: go_utf8 NAME, a key of decoders.
package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"unicode/utf8"
)

// A decoder has accepts, and what else it offers; accepts returns '1', '0', or 'u' where it cannot judge.
type decoder struct {
	accepts func([]byte) byte
	replace func([]byte) string
	steps   func(*bufio.Writer, []byte) // mode i
}

var decoders = map[string]decoder{
	"control": {accepts: func(data []byte) byte {
		var sum byte
		for _, each := range data {
			sum += each
		}
		return verdict(sum < 128)
	}},
	"utf8-valid": {
		accepts: func(data []byte) byte { return verdict(utf8.Valid(data)) },
		replace: func(data []byte) string { return string([]rune(string(data))) },
		steps:   fullRunes,
	},
	"encoding-json": {
		accepts: func(data []byte) byte { return verdict(unmarked(fromJSON(data), data)) },
		replace: fromJSON,
	},
}

// unmarked: what is rejected becomes U+FFFD, and those that were in the data are no such marks.
func unmarked(text string, data []byte) bool {
	return strings.Count(text, "\uFFFD") <= bytes.Count(data, []byte("\uFFFD"))
}

func verdict(good bool) byte {
	if good {
		return '1'
	}
	return '0'
}

// fromJSON gives the data as a JSON string to the decoder; what JSON wants escaped is escaped.
func fromJSON(data []byte) string {
	var text []byte
	for _, each := range data {
		if each < 32 || each == '"' || each == '\\' {
			text = append(text, fmt.Sprintf("\\u%04x", each)...)
		} else {
			text = append(text, each)
		}
	}
	var out string
	if err := json.Unmarshal([]byte(`"`+string(text)+`"`), &out); err != nil {
		panic(err)
	}
	return out
}

func step(out *bufio.Writer, state byte, offset int, text []byte) {
	out.WriteByte(state)
	binary.Write(out, binary.LittleEndian, uint32(offset))
	if text == nil {
		binary.Write(out, binary.LittleEndian, ^uint32(0))
		return
	}
	binary.Write(out, binary.LittleEndian, uint32(len(text)))
	out.Write(text)
}

// fullRunes answers mode i with what the package has for streams: FullRune says whether DecodeRune needs more.
func fullRunes(out *bufio.Writer, frame []byte) {
	const finish, reset = ^uint32(0), ^uint32(1)
	count := int(binary.LittleEndian.Uint32(frame))
	at, taken, wrong := 4+4*count, 0, false
	pending := []byte{}
	for index := 1; index <= count; index++ {
		size := binary.LittleEndian.Uint32(frame[4*index:])
		switch {
		case size == reset: // there is no decoder to reset
			step(out, 'u', -1, nil)
		case size == finish:
			offset := -1
			if !wrong && len(pending) > 0 {
				offset = taken
			}
			step(out, verdict(!wrong && len(pending) == 0), offset, nil)
			taken, wrong, pending = 0, false, []byte{}
		default:
			pending = append(pending, frame[at:at+int(size)]...)
			at += int(size)
			if wrong {
				step(out, '0', -1, nil)
				continue
			}
			text := []byte{}
			for len(pending) > 0 && utf8.FullRune(pending) && !wrong {
				char, width := utf8.DecodeRune(pending)
				if wrong = char == utf8.RuneError && width == 1; !wrong {
					text = utf8.AppendRune(text, char)
					pending = pending[width:]
					taken += width
				}
			}
			state := byte('1')
			if len(pending) > 0 {
				state = 'm'
			}
			if wrong {
				step(out, '0', taken, text)
			} else {
				step(out, state, -1, text)
			}
		}
	}
}

func answer(out *bufio.Writer, chosen decoder, mode string, data []byte) {
	var size [4]byte
	switch mode {
	case "r\n":
		text := chosen.replace(data)
		binary.LittleEndian.PutUint32(size[:], uint32(len(text)))
		out.Write(size[:])
		out.WriteString(text)
	case "i\n":
		chosen.steps(out, data)
	default:
		out.WriteByte(chosen.accepts(data))
	}
}

func main() {
	chosen, known := decoders[os.Args[1]]
	if !known {
		panic(os.Args[1])
	}
	modes := "v"
	if chosen.replace != nil {
		modes += ",r"
	}
	if chosen.steps != nil {
		modes += ",i"
	}
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	fmt.Fprintf(out, "utf8-abnf 1 modes=%s name=go-%s version=%s\n", modes, os.Args[1], runtime.Version())
	out.Flush()
	mode, _ := in.ReadString('\n')
	var size [4]byte
	for {
		if in.Buffered() < 4 {
			out.Flush() // the input may have run dry
		}
		if _, err := io.ReadFull(in, size[:]); err != nil {
			break
		}
		data := make([]byte, binary.LittleEndian.Uint32(size[:]))
		if in.Buffered() < len(data) {
			out.Flush()
		}
		if _, err := io.ReadFull(in, data); err != nil {
			break
		}
		answer(out, chosen, mode, data)
	}
	out.Flush()
}
