package stuffing

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/bvh"
	"github.com/curlfree/curlfree/internal/cputime"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/formats"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/internal/surfaces"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/r3"
)

// surveyRow is what one surface of the survey became.
type surveyRow struct {
	name, method string
	verts        int
	volume       float64 // relative error
	edges        edgeLoss
	dihedral     float64 // rad
	seconds      float64
	change       string // what differs in topology; "" where nothing does
	err          error
}

// TestSurveyOfCADFiles fills all STL files of the folder that CURLFREE_CAD names at a
// twentieth of their diagonals, and prints one row for each: the files are not ours to
// keep. Each mesh that is made must be one that the reader takes, with the topology
// and, to 3 %, the volume of its surface. Where CURLFREE_CAD_MESHES names a folder, meshes of other
// programs are measured: NAME.msh or NAME.vtk for NAME.stl, in millimetres (see bench/peers/tets.sh).
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
		fmt.Printf("| %s | %s | %d | %+.2f | %.1f | %.1f | %.1f | %s |%s\n", r.name, r.method, r.verts, 100*r.volume, 100*r.edges.kept(), r.dihedral/samples.Degree, r.seconds, r.change, &r.edges)
	}
	summarize(rows)
}

// summarize prints medians and worst cases.
func summarize(rows []surveyRow) {
	var volume, sharp, angle []float64
	var all edgeLoss
	good := 0
	for _, r := range rows {
		if r.err == nil {
			volume, sharp, angle = append(volume, math.Abs(r.volume)), append(sharp, r.edges.kept()), append(angle, r.dihedral)
			all.add(&r.edges)
			if r.edges.kept() >= 0.95 {
				good++
			}
		}
	}
	if len(volume) == 0 {
		return
	}
	slices.Sort(volume)
	slices.Sort(sharp)
	slices.Sort(angle)
	n := len(volume)
	fmt.Printf("%d of %d filled; volume off by %.2f %% median, %.2f %% worst; sharp edges kept %.1f %% median, %.1f %% least, 95 %% or more in %d; dihedral angle %.1f° least, %.1f° median\n",
		n, len(rows), 100*volume[n/2], 100*volume[n-1], 100*sharp[n/2], 100*sharp[0], good, angle[0]/samples.Degree, angle[n/2]/samples.Degree)
	fmt.Printf("of the length of all sharp edges %.1f %% kept;%s\n", 100*all.kept(), &all)
}

// survey fills one file and measures the result without the help of the filler.
func survey(t *testing.T, file string) (r surveyRow) {
	r.name = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	surface, _, err := formats.ReadTri(file, formats.ReadOptions{Unit: "mm"})
	if err != nil {
		r.err = err
		return r
	}
	size := surface.Bounds().Size().Norm() / 20
	m, err := surveyed(&r, surface, size)
	if r.err = err; err != nil {
		return r
	}
	q := meshes.TetQuality(m)
	r.verts, r.dihedral = len(m.Verts), q.MinDihedral
	// What solids share counts once.
	r.volume = q.Volume/(surface.Volume()-repair.SharedVolume(surface)) - 1
	r.edges = lostEdges(surface, m, size)
	// Topology of both boundaries.
	out, _ := m.Surface()
	a, b := repair.Topology(surfaces.Welded(surface)), repair.Topology(out)
	if a.Components != b.Components || a.Genus >= 0 && a.Genus != b.Genus {
		r.change = fmt.Sprintf("%d → %d shells, %d → %d handles", a.Components, b.Components, a.Genus, b.Genus)
		// The union of solids that cut or touch has fewer shells than they have together.
		if hits, _ := surfaces.Crossings(surfaces.Welded(surface), 1); len(hits) > 0 {
			r.change += " (solids that cut each other)"
		}
	}
	if cuts, _ := surfaces.Crossings(out, 1); len(cuts) > 0 && r.method != "read" {
		t.Errorf("%s: the boundary of the mesh cuts itself", r.name)
	}
	if found := repair.CheckTet(m); found.Err() != nil && r.method != "read" {
		t.Errorf("%s: the reader refuses the mesh: %v", r.name, found.Err())
	}
	return r
}

// surveyed returns the mesh of a row: filled, or read where another program filled it.
func surveyed(r *surveyRow, surface *meshes.Tri, size float64) (*meshes.Tet, error) {
	if dir := os.Getenv("CURLFREE_CAD_MESHES"); dir != "" {
		r.method = "read"
		m, _, err := formats.ReadTet(filepath.Join(dir, r.name+".msh"), formats.ReadOptions{Unit: "mm", Raw: true})
		if errors.Is(err, fs.ErrNotExist) {
			m, _, err = formats.ReadTet(filepath.Join(dir, r.name+".vtk"), formats.ReadOptions{Unit: "mm", Raw: true})
		}
		return m, err
	}
	start := cputime.Used()
	m, rep, err := Tetrahedralize(surface, TetOptions{Size: size})
	r.seconds = (cputime.Used() - start).Seconds()
	if err != nil {
		return nil, err
	}
	r.method = rep.Method
	return m, nil
}

// edgeLoss is the length of sharp edges, in target sizes, and of those that a mesh has lost by what is there.
type edgeLoss struct {
	all    float64
	causes [len(lossCauses)]float64
}

// lossCauses name what is there where an edge is lost; the first that is true counts.
var lossCauses = [...]string{
	"edges within the tolerance of another", "wedges below 50°", "grooves below 50°", "edges within a quarter of the size of another",
	"edges within the size of another", "edges that turn by less than 45°", "others",
}

// kept returns the share of the length that is kept.
func (l *edgeLoss) kept() float64 {
	if l.all == 0 {
		return 1
	}
	lost := 0.0
	for _, c := range l.causes {
		lost += c
	}
	return 1 - lost/l.all
}

// add adds what another part has lost.
func (l *edgeLoss) add(o *edgeLoss) {
	l.all += o.all
	for i, c := range o.causes {
		l.causes[i] += c
	}
}

// String says what is lost by cause, in percent of all.
func (l *edgeLoss) String() string {
	var b strings.Builder
	for i, c := range l.causes {
		if c > 0 {
			fmt.Fprintf(&b, " %.1f %s,", 100*c/l.all, lossCauses[i])
		}
	}
	return strings.TrimSuffix(b.String(), ",")
}

// sharpKept returns the share of the length of the surface's sharp edges that has a sharp edge of the mesh's boundary
// within tol, m.
func sharpKept(surface *meshes.Tri, m *meshes.Tet, tol float64) float64 {
	l := lostEdges(surface, m, tol/edgeTolerance)
	return l.kept()
}

// lostEdges measures the length of the surface's sharp edges that have no sharp edge of the mesh's boundary within a
// twentieth of the size, m.
func lostEdges(surface *meshes.Tri, m *meshes.Tet, size float64) (l edgeLoss) {
	tol := edgeTolerance * size
	out, _ := m.Surface()
	have := ridgesSharperThan(out, 20*samples.Degree)
	closed := surfaces.Welded(surface)
	want := findRidges(closed)
	inside := insideAngles(closed)
	// Edges of a solid within another are none of the part's.
	buried := func(r3.Vec) bool { return false }
	if repair.Topology(closed).Components > 1 {
		buried = within8(meshes.NewDistance(closed), tol/50)
	}
	g := ridgeGauge{r: want, along: map[int32]float64{}}
	for k, e := range want.ends {
		d := e[1].Sub(e[0])
		n := max(1, int(d.Norm()/(2*tol)))
		step := d.Norm() / float64(n) / size
		for i := range n {
			p := e[0].AddScaled((float64(i)+0.5)/float64(n), d)
			if buried(p) {
				continue
			}
			l.all += step
			if _, far := have.nearest(p, 2*tol); far > tol {
				l.causes[lossCause(g.apart(int32(k), p, size)/size, inside[want.nodes[k]])] += step
			}
		}
	}
	return l
}

// within8 returns whether all corners of a cube around a point, of half edge r, m, lie inside.
func within8(d *meshes.Distance, r float64) func(r3.Vec) bool {
	return func(p r3.Vec) bool {
		for k := range 8 {
			q := p
			for i := range q {
				q[i] += r * float64(2*(k>>i&1)-1)
			}
			if !d.Inside(q) {
				return false
			}
		}
		return true
	}
}

// lossCause returns the number of the cause for an edge that is so far from another one, in sizes, with this angle
// inside, rad.
func lossCause(apart, inside float64) int {
	switch {
	case apart <= edgeTolerance:
		return 0
	case inside < 50*samples.Degree:
		return 1
	case inside > 310*samples.Degree:
		return 2
	case apart <= 0.25:
		return 3
	case apart <= 1:
		return 4
	case math.Abs(inside-math.Pi) < 45*samples.Degree:
		return 5
	}
	return len(lossCauses) - 1
}

// insideAngles returns the angle inside of the solid at each edge of two triangles, rad.
func insideAngles(m *meshes.Tri) map[[2]int32]float64 {
	type side struct{ normal, middle r3.Vec }
	first, angle := map[[2]int32]side{}, map[[2]int32]float64{}
	for _, t := range m.Tris {
		a, b, c := m.Verts[t[0]], m.Verts[t[1]], m.Verts[t[2]]
		n := b.Sub(a).Cross(c.Sub(a))
		s := side{n.Scale(1 / max(n.Norm(), 1e-300)), a.Add(b).Add(c).Scale(1. / 3)}
		for i := range 3 {
			k := meshes.SideKey(t[i], t[(i+1)%3])
			o, ok := first[k]
			if !ok {
				first[k] = s
				continue
			}
			turn := math.Acos(max(-1, min(1, o.normal.Dot(s.normal))))
			// The other triangle lies above this one's plane: the edge is hollow.
			if s.normal.Dot(o.middle.Sub(m.Verts[k[0]])) > 0 {
				turn = -turn
			}
			angle[k] = math.Pi - turn
		}
	}
	return angle
}

// ridgesSharperThan returns the edges of a closed manifold at which the normals turn
// by more than an angle, rad.
func ridgesSharperThan(m *meshes.Tri, angle float64) *ridges {
	normal := map[[2]int32]r3.Vec{}
	out := &ridges{}
	var boxes []r3.Box
	for _, t := range m.Tris {
		a := m.Verts[t[0]]
		n := m.Verts[t[1]].Sub(a).Cross(m.Verts[t[2]].Sub(a))
		n = n.Scale(1 / max(n.Norm(), 1e-300))
		for i := range 3 {
			k := meshes.SideKey(t[i], t[(i+1)%3])
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
