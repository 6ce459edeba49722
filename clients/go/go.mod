module github.com/doyen-dev/doyen/clients/go

go 1.19
