module example.com/apitest

go 1.26

require github.com/curlfree/curlfree v0.0.0

require (
	github.com/hschendel/stl v1.0.4 // indirect
	github.com/klauspost/compress v1.19.1 // indirect
	github.com/qmuntal/gltf v0.28.0 // indirect
	golang.org/x/sys v0.43.0 // indirect
	gonum.org/v1/gonum v0.17.0 // indirect
)

replace github.com/curlfree/curlfree => ../..
