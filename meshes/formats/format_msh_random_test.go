package formats

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/r3"
)

// mshFile writes meshes in the layouts of Gmsh, after the format's description in
// the manual of Gmsh and without the code under test. Nodes have any numbers in any
// order; tets and triangles come in blocks between elements that the reader skips.
type mshFile struct {
	b      bytes.Buffer
	order  binary.ByteOrder // nil: text
	tags   []int            // number of each node
	blocks int              // of nodes (version 4.1)
}

// put writes numbers: int32 for int, uint64 for uint64, float64 as they are; in text
// each followed by a space.
func (f *mshFile) put(v ...any) {
	for _, x := range v {
		if f.order == nil {
			fmt.Fprint(&f.b, x, " ")
			continue
		}
		if n, ok := x.(int); ok {
			x = int32(n)
		}
		if err := binary.Write(&f.b, f.order, x); err != nil {
			panic(err)
		}
	}
}

// section writes a section with its keywords.
func (f *mshFile) section(name string, body func()) {
	f.b.WriteString("$" + name + "\n")
	body()
	f.b.WriteString("\n$End" + name + "\n")
}

// header writes the version, and in binary files the number 1 by which readers
// learn the byte order.
func (f *mshFile) header(version string) {
	f.section("MeshFormat", func() {
		if f.order == nil {
			fmt.Fprintf(&f.b, "%s 0 8", version)
			return
		}
		fmt.Fprintf(&f.b, "%s 1 8\n", version)
		f.put(1)
	})
}

// old writes version 2.2.
func (f *mshFile) old(m *RawMesh, r *rand.Rand) {
	f.header("2.2")
	f.section("Nodes", func() {
		fmt.Fprintf(&f.b, "%d\n", len(m.Verts))
		for i, p := range m.Verts {
			f.put(f.tags[i], p[0], p[1], p[2])
		}
	})
	f.section("Elements", func() {
		fmt.Fprintf(&f.b, "%d\n", len(m.Tris)+len(m.Tets)+1)
		number := 0
		// Text has the type and the tags of each element, binary those of a block.
		element := func(kind, follow int, first bool, nodes ...int32) {
			number++
			tags := []any{7, 8}
			if f.order == nil {
				f.put(number, kind, 2, 7, 8)
			} else {
				if first {
					f.put(kind, follow, 2)
				}
				f.put(append([]any{number}, tags...)...)
			}
			for _, v := range nodes {
				f.put(f.tags[v])
			}
		}
		for i, t := range m.Tris {
			element(2, len(m.Tris), i == 0, t[:]...)
		}
		element(15, 1, true, int32(r.IntN(len(m.Verts)))) // a point
		for i, t := range m.Tets {
			element(4, len(m.Tets), i == 0, t[:]...)
		}
	})
}

// current writes version 4.1: nodes in blocks of geometric entities, some with
// coordinates on them.
func (f *mshFile) current(m *RawMesh, r *rand.Rand) {
	size := func(n int) uint64 { return uint64(n) }
	f.header("4.1")
	f.section("Nodes", func() {
		f.put(size(f.blocks), size(len(m.Verts)), size(slices.Min(f.tags)), size(slices.Max(f.tags)))
		at := 0
		for k := range f.blocks {
			end := len(m.Verts) * (k + 1) / f.blocks
			dim, parametric := 1+r.IntN(3), r.IntN(2)
			f.put(dim, k+1, parametric, size(end-at))
			for i := at; i < end; i++ {
				f.put(size(f.tags[i]))
			}
			for _, p := range m.Verts[at:end] {
				f.put(p[0], p[1], p[2])
				for range dim * parametric {
					f.put(r.Float64())
				}
			}
			at = end
		}
	})
	f.section("Elements", func() {
		f.put(size(3), size(len(m.Tris)+len(m.Tets)+1), size(1), size(99))
		number := 0
		block := func(dim, kind, n int, nodes func(int) []int32) {
			f.put(dim, 1, kind, size(n))
			for i := range n {
				number++
				f.put(size(number))
				for _, v := range nodes(i) {
					f.put(size(f.tags[v]))
				}
			}
		}
		block(2, 2, len(m.Tris), func(i int) []int32 { return m.Tris[i][:] })
		block(0, 15, 1, func(int) []int32 { return []int32{0} })
		block(3, 4, len(m.Tets), func(i int) []int32 { return m.Tets[i][:] })
	})
}

// randomRaw has random vertices, triangles and tets, some of each.
func randomRaw(r *rand.Rand) *RawMesh {
	m := &RawMesh{}
	tets := tetSoup(r, 1+r.IntN(12))
	m.Verts, m.Tets = tets.Verts, tets.Tets
	for range 1 + r.IntN(8) {
		p := r.Perm(len(m.Verts))
		m.Tris = append(m.Tris, [3]int32{int32(p[0]), int32(p[1]), int32(p[2])})
	}
	return m
}

// sparseTags are n different numbers between 1 and 10 n in any order.
func sparseTags(r *rand.Rand, n int) []int {
	var out []int
	for _, k := range r.Perm(10 * n)[:n] {
		out = append(out, k+1)
	}
	return out
}

// eachMsh calls f with random meshes in both versions, as text and in both byte
// orders.
func eachMsh(r *rand.Rand, rounds int, f func(name string, m *RawMesh, file *mshFile)) {
	for range rounds {
		for _, order := range []binary.ByteOrder{nil, binary.LittleEndian, binary.BigEndian} {
			for _, four := range []bool{false, true} {
				m := randomRaw(r)
				file := &mshFile{order: order, tags: sparseTags(r, len(m.Verts)), blocks: 1 + r.IntN(4)}
				if four {
					file.current(m, r)
				} else {
					file.old(m, r)
				}
				f(fmt.Sprintf("version 4: %v, order %v", four, order), m, file)
			}
		}
	}
}

// Meshes with sparse node numbers come back from both versions, as text and in both
// byte orders, bit by bit: vertices in the order of the file, cells with positions
// for numbers.
func TestMshOfAnyNumberingIsRead(t *testing.T) {
	r := samples.NewRand(t, 221)
	eachMsh(r, 10, func(name string, m *RawMesh, file *mshFile) {
		got, err := readMSH(file.b.Bytes())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		if !slices.Equal(got.Verts, m.Verts) || !slices.Equal(got.Tris, m.Tris) || !slices.Equal(got.Tets, m.Tets) {
			t.Errorf("%s: the mesh changed", name)
		}
		if len(got.skipped) != 1 || got.skipped[0].n != 1 || got.skipped[0].name != "points" {
			t.Errorf("%s: skipped %v", name, got.skipped)
		}
	})
}

// Cut anywhere before the end of the elements, a file is refused.
func TestMshCutAnywhereIsRefused(t *testing.T) {
	r := samples.NewRand(t, 222)
	eachMsh(r, 2, func(name string, m *RawMesh, file *mshFile) {
		data := file.b.Bytes()
		end := bytes.LastIndex(data, []byte("\n$EndElements"))
		for range 60 {
			n := r.IntN(end - 8)
			if got, err := readMSH(data[:n]); err == nil && len(got.Tets) == len(m.Tets) {
				t.Errorf("%s: cut at byte %d of %d is accepted", name, n, len(data))
			}
		}
	})
}

// Nodes that are given twice or not at all are named.
func TestMshNodesAreChecked(t *testing.T) {
	r := samples.NewRand(t, 223)
	for range 10 {
		m := randomRaw(r)
		tags := sparseTags(r, len(m.Verts))
		i, j := 0, 1+r.IntN(len(tags)-1)
		twice := slices.Clone(tags)
		twice[j] = twice[i]
		file := &mshFile{tags: twice, blocks: 1}
		file.current(m, r)
		if _, err := readMSH(file.b.Bytes()); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("node %d is given twice", tags[i])) {
			t.Errorf("%v", err)
		}
		// An element on a node that $Nodes lacks.
		file = &mshFile{tags: tags, blocks: 1}
		file.old(m, r)
		lost := tags[m.Tets[len(m.Tets)-1][3]]
		text := strings.TrimSuffix(file.b.String(), fmt.Sprintf("%d \n$EndElements\n", lost)) + "99999 \n$EndElements\n"
		if _, err := readMSH([]byte(text)); err == nil || !strings.Contains(err.Error(), "uses node 99999") {
			t.Errorf("%v", err)
		}
	}
}

// legacyVTK writes points and cells as version 3.0 or 5.1, text or binary.
func legacyVTK(m *RawMesh, version string, isBinary bool) []byte {
	var b bytes.Buffer
	f := &mshFile{}
	if isBinary {
		f.order = binary.BigEndian
	}
	mode := map[bool]string{true: "BINARY", false: "ASCII"}[isBinary]
	b.WriteString("# vtk DataFile Version " + version + "\nrandom\n" + mode + "\nDATASET UNSTRUCTURED_GRID\n")
	numbers := func(v ...any) {
		f.b.Reset()
		f.put(v...)
		b.Write(f.b.Bytes())
	}
	fmt.Fprintf(&b, "POINTS %d double\n", len(m.Verts))
	for _, p := range m.Verts {
		numbers(p[0], p[1], p[2])
	}
	// Triangles first, then tets.
	var rows [][]int32
	var kinds []any
	for _, t := range m.Tris {
		rows, kinds = append(rows, t[:]), append(kinds, 5)
	}
	for _, t := range m.Tets {
		rows, kinds = append(rows, t[:]), append(kinds, 10)
	}
	size := 3*len(m.Tris) + 4*len(m.Tets)
	if strings.HasPrefix(version, "5") {
		fmt.Fprintf(&b, "\nCELLS %d %d\nOFFSETS vtktypeint64\n", len(rows)+1, size)
		at := int64(0)
		numbers(at)
		for _, row := range rows {
			at += int64(len(row))
			numbers(at)
		}
		b.WriteString("\nCONNECTIVITY vtktypeint64\n")
		for _, row := range rows {
			for _, v := range row {
				numbers(int64(v))
			}
		}
	} else {
		fmt.Fprintf(&b, "\nCELLS %d %d\n", len(rows), size+len(rows))
		for _, row := range rows {
			numbers(len(row))
			for _, v := range row {
				numbers(int(v))
			}
		}
	}
	fmt.Fprintf(&b, "\nCELL_TYPES %d\n", len(rows))
	numbers(kinds...)
	b.WriteString("\n")
	return b.Bytes()
}

// Legacy VTK of both layouts and encodings gives the same mesh bit by bit, and an
// error when it is cut before the last cell type.
func TestLegacyVtkIsReadInBothLayouts(t *testing.T) {
	r := samples.NewRand(t, 224)
	for range 8 {
		m := randomRaw(r)
		for _, version := range []string{"3.0", "4.2", "5.1"} {
			for _, isBinary := range []bool{false, true} {
				data := legacyVTK(m, version, isBinary)
				got, err := readVTK(data)
				if err != nil || !slices.Equal(got.Verts, m.Verts) || !slices.Equal(got.Tris, m.Tris) || !slices.Equal(got.Tets, m.Tets) {
					t.Errorf("version %s, binary %v: %v", version, isBinary, err)
				}
				for range 20 {
					n := r.IntN(len(data) - 5)
					if got, err := readVTK(data[:n]); err == nil && len(got.Tets) == len(m.Tets) {
						t.Errorf("version %s, binary %v: cut at byte %d of %d is accepted", version, isBinary, n, len(data))
					}
				}
			}
		}
	}
}

// Text files have the same mesh however they are broken into lines and spaced.
func TestTextFormatsDoNotDependOnLayout(t *testing.T) {
	r := samples.NewRand(t, 225)
	for range 6 {
		m := randomRaw(r)
		text := string(legacyVTK(m, "3.0", false))
		head, body, _ := strings.Cut(text, "POINTS")
		words := strings.Fields("POINTS" + body)
		var b strings.Builder
		b.WriteString(head)
		for _, w := range words {
			b.WriteString(w)
			b.WriteString([]string{" ", "\n", "\t", "  \r\n"}[r.IntN(4)])
		}
		got, err := readVTK([]byte(b.String()))
		if err != nil || !slices.Equal(got.Verts, m.Verts) || !slices.Equal(got.Tets, m.Tets) {
			t.Errorf("%v", err)
		}
	}
	var zero r3.Vec
	if _, err := readVTK(legacyVTK(&RawMesh{Verts: []r3.Vec{zero}}, "3.0", false)); err != nil {
		t.Errorf("a file without cells: %v", err)
	}
}
