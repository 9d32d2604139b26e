package main

import (
	"io"
	"os"
	"strings"
)

func main() {
	data, _ := io.ReadAll(os.Stdin)
	for at, char := range string(data) {
		if char == 0xFFFD && !strings.HasPrefix(string(data)[at:], string(char)) {
			os.Exit(11)
		}
	}
	os.Exit(10)
}
