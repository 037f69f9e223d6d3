package bench

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/sim"
)

// some is a scene cut short.
func some(t testing.TB, name string, skip, steps int) *Scene {
	t.Helper()
	s, err := FindScenes(name)
	if err != nil {
		t.Fatal(err)
	}
	s[0].WarmUpSteps, s[0].Steps = skip, steps
	return &s[0]
}

func measure(t testing.TB, s *Scene, threads int) *Result {
	t.Helper()
	r, err := Measure(s, Options{Threads: threads, Repeat: 2})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestScenesAreWhatTheirNamesSay(t *testing.T) {
	// warnings of check about what the scenes are for
	meant := map[string][]string{
		"finray-grasp":      {"the mesh is too coarse"},
		"fem-cantilever-1k": {"the mesh is too coarse"},
		"hydro-1000-faces":  {"ball sinks by 20 mm", "change its contact force by up to 2.3 %"}, // a surface of so many faces takes a deep overlap
	}
	for _, s := range Scenes() {
		if s.Long || s.example != "" {
			continue
		}
		sc, err := s.Load()
		if err != nil {
			t.Errorf("%s: %v", s.Name, err)
			continue
		}
		for _, w := range sc.Warnings {
			if !slices.ContainsFunc(meant[s.Name], func(about string) bool { return strings.Contains(w, about) }) {
				t.Errorf("%s: %s", s.Name, w)
			}
		}
		rigid, soft := sc.Model.Dofs()
		want := map[string][2]int{
			"clutter": {240, 0}, "box-stack-1000": {6000, 0}, "mixed-200": {1200, 0}, "fem-cantilever-1k": {0, 3000}, "fem-cantilever-10k": {0, 27000},
			"tree-panda-like-7": {7, 0}, "hydro-1000-faces": {6, 0},
		}
		if w, ok := want[s.Name]; ok && w != [2]int{rigid, soft} {
			t.Errorf("%s: %d rigid and %d deformable velocities, want %v", s.Name, rigid, soft, w)
		}
	}
}

func TestFilesThatAreNotHereAreNotAvailable(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, s := range Scenes() {
		if s.example == "" {
			continue
		}
		if _, err := Measure(&s, Options{}); !errors.Is(err, ErrNotAvailable) {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
}

// Stages add up to steps, repeats and threads end in the same bits, and nothing is
// allocated.
func TestMeasuringIsConsistent(t *testing.T) {
	one, two := measure(t, some(t, "clutter", 150, 30), 1), measure(t, some(t, "clutter", 150, 30), 2)
	if one.StateHash != two.StateHash || one.Newton != two.Newton {
		t.Errorf("threads: %s and %s, %v and %v", one.StateHash, two.StateHash, one.Newton, two.Newton)
	}
	sum := 0.0
	for _, name := range sim.StageNames {
		sum += one.StageMs[name].Mean
	}
	if one.StepMs.Mean < sum || sum < 0.8*one.StepMs.Mean {
		t.Errorf("stages add up to %g ms of %g", sum, one.StepMs.Mean)
	}
	if one.Allocations != 0 || one.Steps != 30 || one.Unconverged != 0 || one.Contacts.Mean < 20 {
		t.Errorf("%+v", one)
	}
}

// H d is the central difference of ∇ℓ = A (v − v0) − P − Jᵀγ along d.
func TestNewtonMatrixIsTheDerivativeOfTheGradient(t *testing.T) {
	for _, s := range []*Scene{some(t, "clutter", 0, 200), some(t, "finray-grasp", 0, 40)} {
		sc, err := s.Load()
		if err != nil {
			t.Fatal(err)
		}
		st, err := sim.NewStepper(sc.Model, sim.Options{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		x := sc.Model.Start.Clone()
		for range s.Steps {
			if err := st.Step(x, sc.File.Time.Step); err != nil {
				t.Fatal(err)
			}
		}
		p := &st.Problem
		m := newtonMatrix(p)
		A := newtonMatrix(&cliques.Problem{Cliques: p.Cliques, NodeSize: p.NodeSize, NodeOffset: p.NodeOffset})
		n := p.Size()
		d := make([]float64, n)
		for i := range d {
			d[i] = math.Sin(float64(i))
		}
		const eps = 2e-9 // m/s, far below the stiction tolerance
		got, plus, minus := make([]float64, n), make([]float64, n), make([]float64, n)
		multiply(m, got, d)
		multiply(A, plus, d)
		multiply(A, minus, d)
		for i := range n {
			plus[i], minus[i] = eps*plus[i], -eps*minus[i]
		}
		addImpulses(p, plus, d, eps)
		addImpulses(p, minus, d, -eps)
		scale, worst := 0.0, 0.0
		for i := range n {
			scale = max(scale, math.Abs(got[i]))
			worst = max(worst, math.Abs(got[i]-(plus[i]-minus[i])/(2*eps)))
		}
		if worst > 1e-4*scale {
			t.Errorf("%s: H d differs by %g of %g", s.Name, worst, scale)
		}
	}
}

// multiply computes y = H x from the lower triangle.
func multiply(m *NewtonMatrix, y, x []float64) {
	m.entries(func(r, c int, v float64) {
		y[r] += v * x[c]
		if r != c {
			y[c] += v * x[r]
		}
	})
}

// addImpulses subtracts Jᵀγ at velocities moved by eps d from the solution.
func addImpulses(p *cliques.Problem, r, d []float64, eps float64) {
	for i := range p.Constraints {
		h := cliques.Handle(i)
		c := &p.Constraints[i]
		vc := append([]float64(nil), p.Velocity(h)...)
		each := func(f func(row, at int, x float64)) {
			for _, b := range p.Blocks(h) {
				n := p.NodeSize[b.Node]
				for k, x := range b.J {
					f(k/n, p.NodeOffset[b.Node]+k%n, x)
				}
			}
		}
		each(func(row, at int, x float64) { vc[row] += eps * x * d[at] })
		gamma, G := make([]float64, c.Dim), make([]float64, c.Dim*c.Dim)
		c.Law.Eval(vc, gamma, G)
		each(func(row, at int, x float64) { r[at] -= x * gamma[row] })
	}
}

func TestMatrixMarketHasEveryEntry(t *testing.T) {
	r := measure(t, some(t, "finray-grasp", 40, 1), 1)
	if !(r.Factor.Residual < 1e-14) {
		t.Errorf("residual of the solution: %g", r.Factor.Residual)
	}
	m := r.Matrix()
	var b bytes.Buffer
	if err := m.WriteMatrixMarket(&b); err != nil {
		t.Fatal(err)
	}
	sc := bufio.NewScanner(&b)
	sc.Scan()
	if want := "%%MatrixMarket matrix coordinate real symmetric"; sc.Text() != want {
		t.Fatalf("%q, want %q", sc.Text(), want)
	}
	var rows, cols, left int
	sc.Scan() // a comment
	sc.Scan()
	scan(t, sc.Text(), &rows, &cols, &left)
	if rows != m.Size() || cols != rows {
		t.Errorf("%d × %d, want %d", rows, cols, m.Size())
	}
	for node, at := 0, 0; node < m.Graph.Nodes(); node++ { // every block, diagonal first
		n := int(m.Graph.Size[node])
		for _, other := range m.Graph.Row[m.Graph.Ptr[node]:m.Graph.Ptr[node+1]] {
			for k, v := range m.H.Block(int(other), node) {
				below := int(other) > node || k/n >= k%n
				if !below || v == 0 {
					continue
				}
				var i, j int
				var x float64
				sc.Scan()
				scan(t, sc.Text(), &i, &j, &x)
				left--
				if j != at+k%n+1 || x != v || int(other) == node && i != at+k/n+1 {
					t.Fatalf("%q, want column %d, %g", sc.Text(), at+k%n+1, v)
				}
			}
		}
		at += n
	}
	if left != 0 || sc.Scan() {
		t.Errorf("%d entries are missing, or there are more", left)
	}
}

func TestExponentOfAPowerIsExact(t *testing.T) {
	points := [][2]float64{{1, 3}, {4, 3 * math.Pow(4, 1.5)}, {9, 3 * math.Pow(9, 1.5)}}
	if e := exponent(points); math.Abs(e-1.5) > 1e-12 {
		t.Errorf("%g", e)
	}
}

func TestQuantilesInterpolate(t *testing.T) {
	for _, c := range []struct{ p, want float64 }{{0, 1}, {0.5, 2.5}, {1, 4}, {0.95, 3.85}} {
		if got := quantile([]float64{1, 2, 3, 4}, c.p); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%g: %g, want %g", c.p, got, c.want)
		}
	}
	if got := quantile([]float64{7}, 0.95); got != 7 {
		t.Errorf("of one: %g", got)
	}
}

func TestHistoryGrowsByALineAndKeepsOthersFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "history.tsv")
	r := measure(t, some(t, "tree-panda-like-7", 0, 5), 1)
	when := time.Date(2026, 11, 21, 23, 0, 0, 0, time.UTC)
	for range 2 {
		if err := AppendHistory(file, when, []*Result{r, r}); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	if len(lines) != 5 {
		t.Fatalf("%d lines, want 5", len(lines))
	}
	for _, l := range lines {
		if n := strings.Count(l, "\t") + 1; n != len(historyColumns) {
			t.Errorf("%d cells in %q, want %d", n, l, len(historyColumns))
		}
	}
	if !strings.HasPrefix(lines[1], "2026-11-21\t") || !strings.HasSuffix(lines[1], r.StateHash) {
		t.Errorf("%q", lines[1])
	}
	other := filepath.Join(t.TempDir(), "other.tsv")
	if err := os.WriteFile(other, []byte("mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := AppendHistory(other, when, []*Result{r}); err == nil {
		t.Error("a file that is no history was written to")
	}
}

func TestTablesHaveACellForEveryHead(t *testing.T) {
	r := measure(t, some(t, "tree-panda-like-7", 0, 5), 1)
	if h, l := TableHeader(), r.TableRow(); len([]rune(h)) != len([]rune(l)) {
		t.Errorf("\n%s\n%s", h, l)
	}
	lines := strings.Split(strings.TrimSpace(Markdown([]*Result{r})), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d lines", len(lines))
	}
	for _, l := range lines {
		if n := strings.Count(l, "|"); n != len(columns())+1 {
			t.Errorf("%d bars in %q", n, l)
		}
	}
}

func TestStagesAreDrawn(t *testing.T) {
	r := measure(t, some(t, "tree-panda-like-7", 0, 5), 1)
	file := filepath.Join(t.TempDir(), "stages.svg")
	if err := WriteStages(file, []*Result{r}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(text, []byte("<rect")); n != 1+2*len(sim.StageNames) {
		t.Errorf("%d rectangles", n)
	}
}

func scan(t *testing.T, line string, into ...any) {
	t.Helper()
	if _, err := fmt.Sscan(line, into...); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
}
