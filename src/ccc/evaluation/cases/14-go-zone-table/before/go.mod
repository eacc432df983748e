module example.org/zones

go 1.21
