package main

import (
	"encoding/xml"
	"io"
	"os"
)

func main() {
	data, _ := io.ReadAll(os.Stdin)
	var text string
	if xml.Unmarshal([]byte("<a>"+string(data)+"</a>"), &text) == nil {
		os.Exit(10)
	}
	os.Exit(11)
}
