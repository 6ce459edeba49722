module doyen.example/leading

go 1.19

require github.com/doyen-dev/doyen/clients/go v0.0.0

replace github.com/doyen-dev/doyen/clients/go => ../../clients/go
