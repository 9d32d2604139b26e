// Adapter for `utf8-abnf test stream:./adapter`.   Build: go build -o adapter adapter.go
// Protocol: say hello, read one line with the mode, then answer each frame (length, 4 bytes little-endian; data).
package main

import (
	"bufio"
	"encoding/binary"
	"io"
	"os"
)

func accepts(data []byte) bool {
	// TODO: call your decoder; return whether it accepts data as UTF-8. This example accepts ASCII only.
	for _, b := range data {
		if b > 0x7F {
			return false
		}
	}
	return true
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	defer out.Flush()
	out.WriteString("utf8-abnf 1 modes=v name=mydecoder version=1\n")
	out.Flush()
	if _, err := in.ReadString('\n'); err != nil {
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
		if accepts(data) {
			out.WriteByte('1')
		} else {
			out.WriteByte('0')
		}
	}
}
