module example.org/feedd

go 1.21
