package web

import (
	"math"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/web/webtest"
)

// Names from scene files are text: none becomes an element or a script. Long ones leave the page its form. Numbers that
// are not finite leave gaps.
func TestNamesOfOddRunsAreText(t *testing.T) {
	const hostile = `</script><script>window.hacked = 1</script><img src=x onerror="window.hacked = 2">`
	long := strings.Repeat("a body of a very long name ", 20)
	rec := browserRecording(func(u float64) r3.Vec { return r3.Vec{0.1 * u, 0, 0.02} })
	rec.Static.Title = hostile + long
	rec.Static.Bodies[0] = hostile
	rec.Static.Geoms[1].Name = hostile
	rec.Static.Geoms = append(rec.Static.Geoms, record.Geom{Name: "工具", Body: 1, X_BG: r3.PoseIdentity(), Mesh: cube(0.01)})
	rec.Static.Bodies = append(rec.Static.Bodies, "工具 Ω ☃ "+long)
	rec.Static.Deformables[0].Name = `"><b>soft</b>`
	for k := range rec.Frames {
		f := &rec.Frames[k]
		f.Poses = append(f.Poses, r3.Pose{R: r3.Identity(), P: r3.Vec{-0.1, 0, 0.02}})
		f.VonMises[0][0] = float32(math.NaN())
		for i := range f.Contacts {
			f.Contacts[i].Elem = [2]int32{}
		}
		// the deformable is now body 2
	}
	run := opened(t, rec)
	run.Signals.Columns[0].Name = hostile
	for i := range run.Signals.Values[0] {
		if i%2 == 0 {
			run.Signals.Values[0][i] = float32(math.Inf(1))
		}
	}
	p := webtest.New(t, 1000, 560)
	p.Open(onDisk(t, run))
	p.Until(`!!curlfree.picked`, chromedp.Evaluate(`curlfree.pick({ body: curlfree.view.bodies[0] })`, nil))
	p.Keep("names")
	if n := p.Number(`window.hacked ?? 0`); n != 0 {
		t.Errorf("a name runs as script %g", n)
	}
	if n := p.Number(`document.querySelectorAll('img, b').length`); n != 0 {
		t.Errorf("names make %g elements", n)
	}
	for _, name := range []string{hostile, "工具 Ω ☃ " + strings.TrimSpace(long), rec.Static.Deformables[0].Name} {
		if !strings.Contains(p.Text(`[...document.querySelectorAll('.tree .name')].map(e => e.textContent.trim()).join('\n')`), name) {
			t.Errorf("the list of bodies lacks %q", name)
		}
	}
	if w := p.Number(`document.documentElement.scrollWidth`); w > 1000 {
		t.Errorf("names widen the page to %g pixels", w)
	}
	// the buttons of the row with the longest name can be reached
	if right := p.Number(`Math.max(...[...document.querySelectorAll('.tree li button')].map(b => b.getBoundingClientRect().right))`); right > 240 {
		t.Errorf("buttons of the list end at %g pixels, beside the panel", right)
	}
	// and the panel of the picked body stays within its side, with its numbers in the picture
	if over := p.Number(`document.getElementById('right').scrollWidth - document.getElementById('right').clientWidth`); over > 0 {
		t.Errorf("the right panel is %g pixels too wide", over)
	}
	p.NoFaults()
}

// Runs of one frame, without bodies, deformables or signals have a page without faults.
func TestPagesOfEmptyRuns(t *testing.T) {
	p := webtest.New(t, 1000, 560)
	one := browserRecording(func(float64) r3.Vec { return r3.Vec{} })
	one.Frames = one.Frames[:1]
	rigid := browserRecording(func(float64) r3.Vec { return r3.Vec{} })
	rigid.Static.Deformables = nil
	for k := range rigid.Frames {
		rigid.Frames[k].Verts, rigid.Frames[k].VonMises = nil, nil
	}
	for name, rec := range map[string]*record.Recording{
		"one frame": one, "rigid": rigid,
		"nothing": {Static: record.Static{Title: "", Gravity: r3.Vec{}}, Frames: []record.Frame{{}}},
	} {
		t.Run(name, func(t *testing.T) {
			p.T = t
			run, err := OpenRun(t.TempDir(), rec) // no signals either
			if err != nil {
				t.Fatal(err)
			}
			p.Open(onDisk(t, run))
			for _, k := range []string{" ", "f", "1", "c"} {
				p.Do(key(k))
			}
			p.Picture("empty-" + strings.ReplaceAll(name, " ", "-"))
			if at := p.Number(`curlfree.frame.time`); at < 0 {
				t.Errorf("time %g", at)
			}
			p.NoFaults()
		})
	}
}
