// Prints the leader of the election "app" and its term, and then each change.
package main

import (
	"context"
	"fmt"
	"log"

	doyen "github.com/doyen-dev/doyen/clients/go"
)

func main() {
	elector, err := doyen.NewElector(doyen.Options{Election: "app"})
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(elector.Watch(context.Background(), func(leader doyen.Leader) {
		switch {
		case !leader.Known:
			fmt.Println("not known")
		case leader.Name == "":
			fmt.Println("nobody leads")
		default:
			fmt.Println(leader.Name, "leads in term", leader.Term)
		}
	}))
}
