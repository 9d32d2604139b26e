package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
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
	if json.Unmarshal(append(quoted, '"'), &text) != nil {
		os.Exit(11)
	}
	if strings.Count(text, "\uFFFD") <= strings.Count(string(data), "\uFFFD") {
		os.Exit(10)
	}
	os.Exit(11)
}
