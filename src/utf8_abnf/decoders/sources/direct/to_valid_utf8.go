package main

import (
	"bytes"
	"io"
	"os"
)

func main() {
	data, _ := io.ReadAll(os.Stdin)
	if bytes.Equal(bytes.ToValidUTF8(data, []byte("?")), data) {
		os.Exit(10)
	}
	os.Exit(11)
}
