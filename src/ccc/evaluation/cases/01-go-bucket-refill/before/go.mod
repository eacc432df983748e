module example.org/bucket

go 1.21
