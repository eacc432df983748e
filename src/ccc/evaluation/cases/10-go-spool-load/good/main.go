package main

import (
	"fmt"
	"os"

	"example.org/mailq/spool"
)

const dir = "/var/spool/mailq"

func main() {
	jobs, err := spool.Load(dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mailq:", err)
		os.Exit(1)
	}
	fmt.Printf("启动，待发 %d 封\n", len(jobs))
}
