package doyen_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	doyen "github.com/doyen-dev/doyen/clients/go"
)

// elector starts a server that answers like an elector whose leader is pod-1. After a call of resign, nobody leads.
func elector() (server *httptest.Server, resign func()) {
	resigned := make(chan struct{})
	server = httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		if request.URL.Path == "/v1/elections/orders" {
			fmt.Fprint(response, `{"name":"orders","leader":{"id":"pod-1","term":7}}`)
			return
		}
		response.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(response, "id: 1\nevent: leader\ndata: {\"name\":\"orders\",\"leader\":{\"id\":\"pod-1\",\"term\":7}}\n\n")
		response.(http.Flusher).Flush()
		<-resigned
		fmt.Fprint(response, "id: 2\nevent: leader\ndata: {\"name\":\"orders\",\"leader\":null}\n\n")
	}))
	return server, func() { close(resigned) }
}

func ExampleElector_Leader() {
	server, _ := elector()
	defer server.Close()
	client, err := doyen.NewElector(doyen.Options{Name: "pod-1", URL: server.URL, Election: "orders"})
	if err != nil {
		panic(err)
	}
	leader, err := client.Leader(context.Background())
	fmt.Println(leader.Name, leader.IsMe, leader.Term, err)
	// Output: pod-1 true 7 <nil>
}

func ExampleElector_WhileLeading() {
	server, resign := elector()
	defer server.Close()
	client, err := doyen.NewElector(doyen.Options{Name: "pod-1", URL: server.URL, Election: "orders"})
	if err != nil {
		panic(err)
	}
	err = client.WhileLeading(context.Background(), func(leading context.Context, term int64) {
		fmt.Println("leads in term", term)
		resign()
		<-leading.Done()
	})
	var lost *doyen.LeadershipLostError
	fmt.Println(errors.As(err, &lost), err)
	// Output:
	// leads in term 7
	// true nobody leads any more
}

func ExampleElector_Watch() {
	server, resign := elector()
	defer server.Close()
	client, err := doyen.NewElector(doyen.Options{Name: "pod-2", URL: server.URL, Election: "orders"})
	if err != nil {
		panic(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	err = client.Watch(ctx, func(leader doyen.Leader) {
		fmt.Printf("%q leads in term %d\n", leader.Name, leader.Term)
		if leader.Name == "pod-1" {
			resign()
		} else {
			stop()
		}
	})
	fmt.Println(err)
	// Output:
	// "pod-1" leads in term 7
	// "" leads in term 0
	// context canceled
}
