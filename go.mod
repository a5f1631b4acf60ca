module github.com/invbo/invbo

go 1.26
