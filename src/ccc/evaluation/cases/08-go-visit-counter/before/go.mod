module example.org/visits

go 1.21
