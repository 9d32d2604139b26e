package main

import (
	"bytes"
	"io"
	"os"
)

func main() {
	data, _ := io.ReadAll(os.Stdin)
	mark := []byte("\uFFFD")
	if bytes.Count(bytes.ToValidUTF8(data, mark), mark) <= bytes.Count(data, mark) {
		os.Exit(10)
	}
	os.Exit(11)
}
