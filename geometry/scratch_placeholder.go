package geometry

type scratch struct{}
