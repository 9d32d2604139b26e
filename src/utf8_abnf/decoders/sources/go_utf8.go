// Package main drives Go's unicode/utf8 over the stream protocol.
package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"runtime"
	"unicode/utf8"
)

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	fmt.Fprintf(out, "utf8-abnf 1 modes=v,r name=go-utf8-valid version=%s\n", runtime.Version())
	out.Flush()
	line, _ := in.ReadString('\n')
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
		if line == "r\n" {
			text := string([]rune(string(data)))
			binary.LittleEndian.PutUint32(size[:], uint32(len(text)))
			out.Write(size[:])
			out.WriteString(text)
		} else if utf8.Valid(data) {
			out.WriteByte('1')
		} else {
			out.WriteByte('0')
		}
	}
	out.Flush()
}
