package main

import (
	"fmt"
	"io"
	"os"

	"example.org/notes/store"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: notes NAME <text")
		os.Exit(2)
	}
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, "notes:", err)
		os.Exit(1)
	}
	store.Save(".", os.Args[1], string(text))
}
