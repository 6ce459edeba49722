module dev.doyen/acceptance

go 1.19

require github.com/ably/ably-go v1.3.0

require (
	github.com/ably/vcdiff-go v0.0.2 // indirect
	github.com/klauspost/compress v1.10.3 // indirect
	github.com/ugorji/go/codec v1.1.9 // indirect
	golang.org/x/sys v0.2.0 // indirect
	nhooyr.io/websocket v1.8.7 // indirect
)
