package meshes

// maxCrossings bounds the pairs that are searched for: a surface with more is
// beyond mending, and a pile of copies would have the square of its size.
const maxCrossings = 10000

func selfIntersections(m *Tri, limit int) [][2]int32 { return nil }
