module example.org/theme

go 1.21
