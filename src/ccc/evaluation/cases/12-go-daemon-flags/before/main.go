// feedd 定时抓取订阅源并提供网页。
package main

import (
	"flag"
	"log"
	"net/http"
	"time"
)

func main() {
	addr := flag.String("addr", ":8080", "监听地址")
	interval := flag.Int("interval", 300, "抓取间隔（秒）")
	flag.Parse()

	go func() {
		for range time.Tick(time.Duration(*interval) * time.Second) {
			log.Println("抓取")
		}
	}()
	log.Fatal(http.ListenAndServe(*addr, nil))
}
