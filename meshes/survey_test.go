package meshes

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlfree/curlfree/bvh"
	"github.com/curlfree/curlfree/r3"
)

// surveyRow is what one surface of the survey became.
type surveyRow struct {
	name, method  string
	verts         int
	volume, sharp float64 // relative error; share of the sharp edges that is kept
	dihedral      float64 // rad
	seconds       float64
	change        string // what differs in topology; "" where nothing does
	err           error
}

// TestSurveyOfCADFiles fills all STL files of the folder that CURLFREE_CAD names at a
// twentieth of their diagonals, and prints one row for each: the files are not ours to
// keep. Each mesh that is made must be one that the reader takes, with the topology
// and, to 3 %, the volume of its surface.
func TestSurveyOfCADFiles(t *testing.T) {
	dir := os.Getenv("CURLFREE_CAD")
	if dir == "" {
		t.Skip("set CURLFREE_CAD to a folder of STL files")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.[sS][tT][lL]"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no STL file in %s: %v", dir, err)
	}
	var rows []surveyRow
	for _, f := range files {
		if only := os.Getenv("CURLFREE_CAD_ONLY"); only != "" && !strings.Contains(f, only) {
			continue
		}
		r := survey(t, f)
		rows = append(rows, r)
		// Printed as they come: a survey takes minutes.
		if r.err != nil {
			fmt.Printf("| %s | – | | | | | %.1f | %v |\n", r.name, r.seconds, r.err)
			continue
		}
		fmt.Printf("| %s | %s | %d | %+.2f | %.1f | %.1f | %.1f | %s |\n", r.name, r.method, r.verts, 100*r.volume, 100*r.sharp, r.dihedral/degree, r.seconds, r.change)
	}
	summarize(rows)
}

// summarize prints medians and worst cases.
func summarize(rows []surveyRow) {
	var volume, sharp, angle []float64
	for _, r := range rows {
		if r.err == nil {
			volume, sharp, angle = append(volume, math.Abs(r.volume)), append(sharp, r.sharp), append(angle, r.dihedral)
		}
	}
	if len(volume) == 0 {
		return
	}
	slices.Sort(volume)
	slices.Sort(sharp)
	slices.Sort(angle)
	n := len(volume)
	fmt.Printf("%d of %d filled; volume off by %.2f %% median, %.2f %% worst; sharp edges kept %.1f %% median, %.1f %% least; dihedral angle %.1f° least, %.1f° median\n",
		n, len(rows), 100*volume[n/2], 100*volume[n-1], 100*sharp[n/2], 100*sharp[0], angle[0]/degree, angle[n/2]/degree)
}

// survey fills one file and measures the result without the help of the filler.
func survey(t *testing.T, file string) (r surveyRow) {
	r.name = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	surface, _, err := ReadTri(file, ReadOptions{Unit: "mm"})
	if err != nil {
		r.err = err
		return r
	}
	size := surface.Bounds().Size().Norm() / 20
	start := time.Now()
	m, rep, err := TetrahedralizeSurface(surface, TetOptions{Size: size})
	r.seconds, r.err = time.Since(start).Seconds(), err
	if err != nil {
		return r
	}
	q := TetQuality(m)
	r.method, r.verts, r.dihedral = rep.Method, len(m.Verts), q.MinDihedral
	// What solids share counts once.
	r.volume = q.Volume/(surface.Volume()-SharedVolume(surface)) - 1
	r.sharp = sharpKept(surface, m, 0.05*size)
	// Topology of both boundaries.
	out, _ := m.Surface()
	a, b := topology(welded(surface)), topology(out)
	if a.Components != b.Components || a.Genus >= 0 && a.Genus != b.Genus {
		r.change = fmt.Sprintf("%d → %d shells, %d → %d handles", a.Components, b.Components, a.Genus, b.Genus)
	}
	if found := CheckTet(m); found.Err() != nil {
		t.Errorf("%s: the reader refuses the mesh: %v", r.name, found.Err())
	}
	return r
}

// sharpKept returns the share of the length of the surface's sharp edges that has a
// sharp edge of the mesh's boundary within tol, m.
func sharpKept(surface *Tri, m *Tet, tol float64) float64 {
	out, _ := m.Surface()
	have := ridgesSharperThan(out, 20*degree)
	want := findRidges(welded(surface))
	var kept, all float64
	for _, e := range want.ends {
		d := e[1].Sub(e[0])
		n := max(1, int(d.Norm()/(2*tol)))
		for i := range n {
			p := e[0].AddScaled((float64(i)+0.5)/float64(n), d)
			_, far := have.nearest(p, 2*tol)
			all += d.Norm() / float64(n)
			if far <= tol {
				kept += d.Norm() / float64(n)
			}
		}
	}
	if all == 0 {
		return 1
	}
	return kept / all
}

// ridgesSharperThan returns the edges of a closed manifold at which the normals turn
// by more than an angle, rad.
func ridgesSharperThan(m *Tri, angle float64) *ridges {
	normal := map[[2]int32]r3.Vec{}
	out := &ridges{}
	var boxes []r3.Box
	for _, t := range m.Tris {
		a := m.Verts[t[0]]
		n := m.Verts[t[1]].Sub(a).Cross(m.Verts[t[2]].Sub(a))
		n = n.Scale(1 / max(n.Norm(), 1e-300))
		for i := range 3 {
			k := edgeKey(t[i], t[(i+1)%3])
			if o, ok := normal[k]; !ok {
				normal[k] = n
			} else if o.Dot(n) < math.Cos(angle) {
				p, q := m.Verts[k[0]], m.Verts[k[1]]
				out.ends = append(out.ends, [2]r3.Vec{p, q})
				boxes = append(boxes, r3.EmptyBox().Extend(p).Extend(q))
			}
		}
	}
	out.tree = bvh.Build(boxes)
	return out
}
