module doyen.example/leading

go 1.19
