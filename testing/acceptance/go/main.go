// Uses the official Go SDK with the hub at the port HUB_PORT, and prints what it receives. The first argument is the
// format of the frames: json or msgpack.
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/ably/ably-go/ably"
)

const patience = time.Minute

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	port, err := strconv.Atoi(os.Getenv("HUB_PORT"))
	check(err)
	format := os.Args[1]
	client, err := ably.NewRealtime(
		ably.WithKey(os.Getenv("HUB_KEY")),
		ably.WithClientID("ann"),
		ably.WithEndpoint("localhost"),
		ably.WithPort(port),
		ably.WithTLS(false),
		ably.WithInsecureAllowBasicAuthWithoutTLS(),
		ably.WithUseBinaryProtocol(format == "msgpack"))
	check(err)
	channel := client.Channels.Get("go " + format)
	received := make(chan *ably.Message, 1)
	_, err = channel.SubscribeAll(ctx, func(message *ably.Message) { received <- message })
	check(err)
	check(channel.Publish(ctx, "text", "hello"))
	message := <-received
	fmt.Println("received", message.Name, message.Data, "of", message.ClientID)
	check(channel.Presence.Enter(ctx, "leader"))
	members, err := channel.Presence.Get(ctx)
	check(err)
	for _, member := range members {
		fmt.Println("present", member.ClientID, member.Data)
	}
	check(channel.Presence.Leave(ctx, ""))
	client.Close()
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
