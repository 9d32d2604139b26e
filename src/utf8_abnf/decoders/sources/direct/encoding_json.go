package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
)

func main() {
	data, _ := io.ReadAll(os.Stdin)
	quoted := []byte{'"'}
	for _, each := range data {
		if each < 32 || each == '"' || each == '\\' {
			quoted = append(quoted, fmt.Sprintf(`\u%04x`, each)...)
		} else {
			quoted = append(quoted, each)
		}
	}
	var text string
	json.Unmarshal(append(quoted, '"'), &text)
	if text == string(data) {
		os.Exit(10)
	}
	os.Exit(11)
}
