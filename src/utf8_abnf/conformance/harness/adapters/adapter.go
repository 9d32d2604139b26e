// Adapter for `utf8-abnf test stream:./adapter`.   Build: go build -o adapter adapter.go
// Protocol: say hello, read one line with the mode, then answer each frame (length, 4 bytes little-endian; data).
package main

import (
	"bufio"
	"encoding/binary"
	"io"
	"os"
)

// [v]
func accepts(data []byte) bool {
	// TODO: call your decoder; return whether it accepts data as UTF-8. This example accepts ASCII only.
	for _, b := range data {
		if b > 0x7F {
			return false
		}
	}
	return true
}

// [p]
func firstError(data []byte) (offset int, length byte) {
	// TODO: return the offset and the length (0: not told) of the first error; the offset -1 if there is none.
	for at, b := range data {
		if b > 0x7F {
			return at, 1
		}
	}
	return -1, 0
}

// [r]
func replace(data []byte) (text string, replaced bool) {
	// TODO: return the text, with U+FFFD for errors; false to reject and not replace.
	for _, b := range data {
		if b > 0x7F {
			text += "\uFFFD"
		} else {
			text += string(rune(b))
		}
	}
	return text, true
}

// [s]
// TODO: a stream of your decoder: feed returns false if the data are certainly wrong by now, finish if they were.
type stream struct{ wrong bool }

func (s *stream) feed(data []byte) bool {
	for _, b := range data {
		s.wrong = s.wrong || b > 0x7F
	}
	return !s.wrong
}

func (s *stream) finish() bool { return !s.wrong }

// [vs]
func sign(good bool, yes byte) byte {
	if good {
		return yes
	}
	return '0'
}

// [pr]
func putNumber(out *bufio.Writer, value int) {
	out.Write(binary.LittleEndian.AppendUint32(nil, uint32(value)))
}

// [end]
func answer(out *bufio.Writer, mode string, data []byte) {
	switch mode {
	// [v]
	case "v\n":
		out.WriteByte(sign(accepts(data), '1'))
	// [p]
	case "p\n":
		offset, length := firstError(data)
		putNumber(out, offset)
		out.WriteByte(length)
	// [r]
	case "r\n":
		text, replaced := replace(data)
		if replaced {
			putNumber(out, len(text))
			out.WriteString(text)
		} else {
			putNumber(out, -1)
		}
	// [s]
	case "s\n":
		var chunks stream
		count := int(binary.LittleEndian.Uint32(data))
		at := 4 + 4*count
		for i := 1; i <= count; i++ {
			end := at + int(binary.LittleEndian.Uint32(data[4*i:]))
			out.WriteByte(sign(chunks.feed(data[at:end]), '?'))
			at = end
		}
		out.WriteByte(sign(chunks.finish(), '1'))
	// [end]
	}
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	defer out.Flush()
	out.WriteString("utf8-abnf 1 modes=v,p,r,s name=mydecoder version=1\n")
	out.Flush()
	mode, err := in.ReadString('\n')
	if err != nil {
		return
	}
	var size [4]byte
	for {
		if in.Buffered() < 4 {
			out.Flush() // there may be no more input for now: write the answers
		}
		if _, err := io.ReadFull(in, size[:]); err != nil {
			return
		}
		data := make([]byte, binary.LittleEndian.Uint32(size[:]))
		if in.Buffered() < len(data) {
			out.Flush()
		}
		if _, err := io.ReadFull(in, data); err != nil {
			return
		}
		answer(out, mode, data)
	}
}
