// Works only while this pod leads. Uses only Go's standard library.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"
)

func main() {
	elector, err := NewElector(os.Getenv("ELECTOR_GET_URL"), os.Getenv("HOSTNAME"))
	if err != nil {
		log.Fatal(err)
	}
	for {
		elector.WhileLeading(context.Background(), func(leading context.Context) {
			fmt.Println(elector.Name, "leads")
			for leading.Err() == nil {
				fmt.Println("the leader's work")
				select {
				case <-leading.Done():
				case <-time.After(time.Second):
				}
			}
			fmt.Println("no longer")
		})
	}
}
