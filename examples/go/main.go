// Works only while this pod leads.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	doyen "github.com/doyen-dev/doyen/clients/go"
)

func main() {
	elector, err := doyen.NewElector(doyen.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for {
		err := elector.WhileLeading(context.Background(), func(leading context.Context, _ int64) {
			fmt.Println(elector.Name(), "leads")
			for leading.Err() == nil {
				fmt.Println("the leader's work")
				select {
				case <-leading.Done():
				case <-time.After(time.Second):
				}
			}
		})
		var lost *doyen.LeadershipLostError
		if !errors.As(err, &lost) {
			log.Fatal(err)
		}
		fmt.Println("no longer:", err)
	}
}
