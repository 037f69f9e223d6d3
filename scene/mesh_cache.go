package scene

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/stuffing"
)

// Tetrahedra that scenes share. The scenes of a study differ in few values, and most have the meshes of
// others; tetrahedra take seconds, and each scene is built twice, to be checked and to be run. A snapshot
// therefore keeps tetrahedra by the digest of what they were made from: the triangles and all options, or
// the kind and the parameters of a part. A scene gets a copy, since it may stretch its mesh.

// meshCache keeps tetrahedra. It may be used from several goroutines; nil keeps nothing.
type meshCache struct {
	mu      sync.Mutex
	entries map[tetsKey]*cachedMesh
	order   []tetsKey // the oldest first
	verts   int       // of all entries
	made    int       // meshes that were made, for tests
}

// tetsKey is the digest of what a mesh is made from.
type tetsKey = [sha256.Size]byte

// cachedMesh is what making a mesh returned, once.
type cachedMesh struct {
	once   sync.Once
	ready  bool // it was made; guarded by the cache
	tet    *meshes.Tet
	result stuffing.TetResult
	err    error
}

// maxCachedVerts is how many vertices a cache stores: about 100 MB with their tetrahedra. The oldest
// meshes go first.
const maxCachedVerts = 500_000

// tets returns a copy of the mesh of a key, which it makes the first time. Of several scenes that ask for
// one mesh at a time, one makes it and the others wait.
func (c *meshCache) tets(key tetsKey, make func() (*meshes.Tet, stuffing.TetResult, error)) (*meshes.Tet, stuffing.TetResult, error) {
	if c == nil {
		return make()
	}
	c.mu.Lock()
	e := c.entries[key]
	if e == nil {
		e = new(cachedMesh)
		if c.entries == nil {
			c.entries = map[tetsKey]*cachedMesh{}
		}
		c.entries[key] = e
		c.order = append(c.order, key)
	}
	c.mu.Unlock()
	e.once.Do(func() {
		e.tet, e.result, e.err = make()
		c.note(e)
	})
	if e.tet == nil {
		return nil, e.result, e.err
	}
	// cells are never changed in place
	return &meshes.Tet{Verts: slices.Clone(e.tet.Verts), Tets: slices.Clone(e.tet.Tets), Cells: e.tet.Cells}, e.result, e.err
}

// note counts a mesh that was made, and drops the oldest ones beyond the limit.
func (c *meshCache) note(e *cachedMesh) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made++
	e.ready = true
	if e.tet != nil {
		c.verts += len(e.tet.Verts)
	}
	for c.verts > maxCachedVerts && len(c.order) > 1 {
		old := c.entries[c.order[0]]
		// one that is still being made is not counted yet
		if old == e || !old.ready {
			return
		}
		if old.tet != nil {
			c.verts -= len(old.tet.Verts)
		}
		delete(c.entries, c.order[0])
		c.order = c.order[1:]
	}
}

// keyOfSurface returns the key of the mesh that fills a surface.
func keyOfSurface(tri *meshes.Tri, opt *stuffing.TetOptions) (key tetsKey) {
	h := sha256.New()
	fmt.Fprintf(h, "surface %+v %d %d\n", *opt, len(tri.Verts), len(tri.Tris))
	var b []byte
	for _, v := range tri.Verts {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
	}
	for _, t := range tri.Tris {
		for _, v := range t {
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
		}
	}
	h.Write(b)
	h.Sum(key[:0])
	return key
}

// keyOfPart returns the key of the mesh of a part; maps are printed by ascending keys.
func keyOfPart(kind string, params map[string][]float64) tetsKey {
	return sha256.Sum256(fmt.Appendf(nil, "part %q %v", kind, params))
}

// cache returns the cache of the snapshot, nil without one.
func (in *inputs) cache() *meshCache {
	if in.snapshot == nil {
		return nil
	}
	return &in.snapshot.meshes
}
