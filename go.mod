module github.com/lockplan/lockplan

go 1.26
