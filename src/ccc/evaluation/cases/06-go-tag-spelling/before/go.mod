module example.org/bookmarks

go 1.21
