package main

import (
	"fmt"

	"example.org/mailq/spool"
)

const dir = "/var/spool/mailq"

func main() {
	var jobs []spool.Job
	fmt.Printf("启动，待发 %d 封\n", len(jobs))
}
