// feedd 定时抓取订阅源并提供网页。
package main

import (
	"flag"
	"log"
	"net/http"
	"time"
)

func main() {
	listen := flag.String("listen", ":8080", "监听地址")
	every := flag.Duration("every", 5*time.Minute, "抓取间隔，如 90s、5m")
	flag.Parse()

	go func() {
		for range time.Tick(*every) {
			log.Println("抓取")
		}
	}()
	log.Fatal(http.ListenAndServe(*listen, nil))
}
