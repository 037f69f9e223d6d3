package report

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/internal/inputfile"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/render"
	"github.com/curlfree/curlfree/study"
)

// Bounds of what a report shows.
const (
	stripTimes  = 3   // pictures of a run
	mostBodies  = 12  // rows of tables of bodies
	mostMaps    = 4   // faces of deformables
	mostCases   = 200 // rows of the table of a study
	mostPanels  = 12  // panels of a chart of signals
	stripWidth  = 640 // pixels of a picture
	stripHeight = 480
	// cm: a map of a face, and what is beside its frame
	mapWidth  = 9.2
	mapMargin = 1.9
	// height of letters in pictures over the usual one
	stripLetters = 1.9
)

// Run makes the report of a run folder.
func Run(dir string) (*Document, error) {
	// run.json is written last: a folder without it has tables that end anywhere
	var s record.Summary
	b, err := inputfile.Read(filepath.Join(dir, record.SummaryFile))
	if err != nil {
		return nil, fmt.Errorf("%s: %w: a report needs a run that has ended", dir, err)
	}
	if err := json.Unmarshal(b, &s); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, record.SummaryFile), err)
	}
	// frames are read when they are drawn, so that long runs fit into memory
	rec, err := record.ReadRun(dir)
	if err != nil {
		return nil, err
	}
	defer rec.Close()
	// the title of the scene, or its file name, so that no report is nameless
	d := &Document{Kind: "run", Title: firstLine(rec.Static.Title, filepath.Base(s.Scene)), Facts: runFacts(&s)}
	d.Verdict, d.State = verdict(&s)
	d.Warnings = s.Warnings
	pictures, err := strip(rec)
	if err != nil {
		return nil, err
	}
	signals, err := signalCharts(dir)
	if err != nil {
		return nil, err
	}
	maps, err := pressureMaps(rec)
	if err != nil {
		return nil, err
	}
	health, err := health(dir, &s)
	if err != nil {
		return nil, err
	}
	times, err := timing(dir, &s)
	if err != nil {
		return nil, err
	}
	// what was asked first: how it looks, whether it is as expected, what it measured; then what was computed, and how
	// well
	d.add(pictures, checks(&s), signals, maps, simulated(dir, &s, rec), health, estimates(&s), times)
	return d, rec.Err()
}

// add appends the sections that have content.
func (d *Document) add(sections ...*Section) {
	for _, s := range sections {
		if s != nil {
			d.Sections = append(d.Sections, s)
		}
	}
}

// firstLine returns the first line of a text, or another text where that is empty.
func firstLine(text, other string) string {
	// a title in a scene may continue over lines, as a description
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	if text == "" {
		return other
	}
	return text
}

// runFacts identify a run.
func runFacts(s *record.Summary) []Fact {
	// who repeats the run compares digest and hash: equal digests give equal hashes on any machine
	return []Fact{
		{Name: "scene", Value: filepath.Base(s.Scene)},
		{Name: "duration", Value: num(s.Duration) + " s"},
		{Name: "time step", Value: quantity(s.TimeStep, "s")},
		{Name: "contact law", Value: s.ContactModel},
		{Name: "degrees of freedom", Value: fmt.Sprintf("%d rigid, %d deformable", s.Dofs.Rigid, s.Dofs.Deformable)},
		{Name: "version", Value: s.Version},
		{Name: "digest of inputs", Value: s.Inputs},
		{Name: "hash of the last state", Value: s.StateHash},
	}
}

// verdict says whether all expectations are met.
func verdict(s *record.Summary) (string, State) {
	// unreached checks are neither good nor bad: the run was cut short
	failed, open := len(s.FailedChecks()), len(s.UnreachedChecks())
	switch {
	case failed > 0:
		return fmt.Sprintf("%d of %d checks failed", failed, len(s.Checks)), Bad
	// numbers of steps that did not converge are not solutions: that outweighs checks that are met
	case s.Unconverged > 0:
		return fmt.Sprintf("%d steps did not converge", s.Unconverged), Bad
	case len(s.Checks) == 0:
		return "nothing was expected", Plain
	case open > 0:
		return fmt.Sprintf("%d of %d checks were not reached", open, len(s.Checks)), Open
	}
	return fmt.Sprintf("all %d checks are met", len(s.Checks)), Good
}

// strip draws pictures at times from the start to the end.
func strip(rec *record.Recording) (*Section, error) {
	// camera and colours of the scene, as in its own pictures and films
	opt, err := render.RecordedOptions(&rec.Static)
	if err != nil {
		return nil, err
	}
	// one size for all reports, whatever the films of the scene have
	opt.Size = [2]int{stripWidth, stripHeight}
	// two pictures fill a page: letters are those of captions, which say the time
	opt.Letters, opt.Captioned = stripLetters, true
	// one painter for all pictures: light and colours are prepared once
	p, err := render.NewPainter(rec, opt)
	if err != nil {
		return nil, err
	}
	s := &Section{Title: "Pictures"}
	first, last := rec.Time(0), rec.Time(rec.Len()-1)
	// a run of one frame has one picture
	n := min(stripTimes, rec.Len())
	for k := range n {
		t := last
		// at even times from the first to the last frame, both included
		if n > 1 {
			t = first + (last-first)*float64(k)/float64(n-1)
		}
		png, err := pngOf(p.Picture(t))
		if err != nil {
			return nil, err
		}
		s.Figures = append(s.Figures, Figure{Caption: "t = " + num(t) + " s", PNG: png, Share: 1. / 3})
	}
	return s, rec.Err()
}

// signalCharts draws all signals over time, a panel for each unit.
func signalCharts(dir string) (*Section, error) {
	// a header of the time alone has nothing to draw
	head, err := record.ReadHeader(dir, record.SignalsFile)
	if err != nil || len(head) < 2 {
		return nil, nil // a run without signals has no chart
	}
	// numbers of one unit share an axis, so that they can be compared
	panels, err := study.PanelsByUnit(dir, record.SignalsFile, nil)
	if err != nil {
		return nil, err
	}
	s := &Section{Title: "Signals"}
	if len(panels) > mostPanels {
		s.Note = fmt.Sprintf("The first %d of %d panels.", mostPanels, len(panels))
		panels = panels[:mostPanels]
	}
	s.Figures, err = runCharts(dir, panels)
	return s, err
}

// abreast is the number of charts that fill the width of a page.
const abreast = 3

// runCharts draws panels of a run folder in rows: a page may break between rows.
func runCharts(dir string, panels []study.Panel) (figures []Figure, err error) {
	for row := range slices.Chunk(panels, abreast) {
		f, err := runChart(dir, row)
		if err != nil {
			return nil, err
		}
		figures = append(figures, f)
	}
	return figures, nil
}

// runChart draws panels of a run folder side by side.
func runChart(dir string, panels []study.Panel) (Figure, error) {
	// letters are for papers, whose text refers to them
	letters := false
	fig, err := study.RunFigure(dir, &study.Plot{Panels: panels, Columns: len(panels), Width: 17.8 / abreast * float64(len(panels)), Height: 3.1, Letters: &letters})
	if err != nil {
		return Figure{}, err
	}
	// cm on paper of A4
	f, err := chart(fig)
	f.Share = float64(len(panels)) / abreast
	return f, err
}

// pressureMaps unrolls the faces of deformables that contacts press.
func pressureMaps(rec *record.Recording) (*Section, error) {
	s := &Section{Title: "Pressure on faces", Note: "Faces of deformables unrolled into a plane, at the time of the largest normal force, and at the end where they are pressed then. Pressure is force per area of the undeformed face."}
	for i := range rec.Static.Deformables {
		if len(s.Figures) == mostMaps {
			break
		}
		// no side is asked for: the face that contacts press most over the run
		face, err := rec.Unroll(rec.Static.Deformables[i].Name, r3.Vec{})
		if rec.Err() != nil {
			return nil, rec.Err()
		}
		if err != nil {
			continue // nothing presses on it
		}
		// the largest normal force is when a finger is loaded most; the end is how it grips
		k, err := rec.MostPressed(face)
		if err != nil {
			return nil, err
		}
		var maps []*record.Taxels
		// one map where the largest force is at the end
		for _, k := range slices.Compact([]int{k, rec.Len() - 1}) {
			// cells of about a sixtieth of the face, as curlfree map has them
			x, err := rec.Taxels(face, k, face.DefaultCell())
			if err != nil {
				return nil, err
			}
			// a map without any pressure shows nothing that words do not
			if len(maps) == 0 || x.Normal > 0 {
				maps = append(maps, x)
			}
		}
		// half of a page wide, with letters as in the charts above; frames keep their form
		fig := render.TaxelFigure(face, maps)
		fig.Height *= (mapWidth - mapMargin) / (fig.Width - mapMargin)
		fig.Width = mapWidth
		f, err := chart(fig)
		if err != nil {
			return nil, err
		}
		// two beside each other
		f.Share = 0.5
		f.Caption = fmt.Sprintf("%s: normal force %s N at %s s", face.Body, num(maps[0].Normal), num(maps[0].Time))
		if maps[len(maps)-1].Time < rec.Time(rec.Len()-1) {
			f.Caption += ", none at the end"
		}
		s.Figures = append(s.Figures, f)
	}
	if len(s.Figures) == 0 {
		return nil, nil
	}
	return s, nil
}

// simulated lists which bodies there were, with the quality of their meshes, and the parts of the scene file that say
// what they are made of.
func simulated(dir string, s *record.Summary, rec *record.Recording) *Section {
	// meshes from the recording, which is what ran; materials from the scene file, which may have changed since
	sec := &Section{Title: "What was simulated"}
	path := sceneFile(dir, s)
	mass, why := massesOf(path, s.Inputs, rec)
	if n := len(rec.Static.Deformables); n > 0 {
		t := &Table{Head: []string{"deformable", "vertices", "tetrahedra", "mass", "volume", "edges", "least angle", "mean radius ratio", "least radius ratio"}}
		for i := range rec.Static.Deformables[:min(n, mostBodies)] {
			d := &rec.Static.Deformables[i]
			// of the undeformed mesh: flat or needle-shaped tetrahedra make a body too stiff
			q := meshes.TetQuality(&meshes.Tet{Verts: d.Rest, Tets: d.Tets})
			edge, unit := scaled(q.MaxEdge, "m")
			t.Rows = append(t.Rows, TableRow{Cells: []string{
				d.Name, fmt.Sprint(len(d.Rest)), fmt.Sprint(len(d.Tets)), mass.of(len(rec.Static.Bodies) + i), num(q.Volume*1e6) + " cm³",
				digits(q.MinEdge*edge, 3) + " to " + digits(q.MaxEdge*edge, 3) + " " + unit, fmt.Sprintf("%.0f°", q.MinDihedral*180/math.Pi),
				fmt.Sprintf("%.2f", q.MeanRatio), fmt.Sprintf("%.2f", q.MinRatio),
			}})
		}
		sec.Tables = append(sec.Tables, mass.without(t))
	}
	if n := len(rec.Static.Bodies); n > 0 {
		// bodies without shapes are frames that only carry others
		shapes := make([]int, n)
		for i := range rec.Static.Geoms {
			if b := rec.Static.Geoms[i].Body; b >= 0 {
				shapes[b]++
			}
		}
		t := &Table{Head: []string{"rigid body", "mass", "shapes"}}
		for i, name := range rec.Static.Bodies[:min(n, mostBodies)] {
			t.Rows = append(t.Rows, TableRow{Cells: []string{name, mass.of(i), fmt.Sprint(shapes[i])}})
		}
		sec.Tables = append(sec.Tables, mass.without(t))
		if n > mostBodies {
			sec.Note = fmt.Sprintf("The first %d of %d rigid bodies.", mostBodies, n)
		}
	}
	tables, note := sceneParts(path)
	sec.Tables = append(sec.Tables, tables...)
	// one reason where the scene is not there at all
	if len(tables) > 0 {
		note += why
	}
	sec.Note = strings.TrimSpace(sec.Note + " " + note)
	return sec
}

// estimates are those of the model, which the run did not change.
func estimates(s *record.Summary) *Section {
	if len(s.Estimates) == 0 {
		return nil
	}
	return &Section{Title: "Mesh and time step", Note: "How far deformables bend from the limit of fine meshes, and the damping that the time step adds to that of the materials.", Texts: s.Estimates}
}
