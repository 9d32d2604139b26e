package main

import (
	"bufio"
	"io"
	"os"
)

func main() {
	reader := bufio.NewReader(os.Stdin)
	for {
		char, size, err := reader.ReadRune()
		if err == io.EOF {
			os.Exit(10)
		}
		if char == 0xFFFD && size == 1 {
			os.Exit(11)
		}
	}
}
