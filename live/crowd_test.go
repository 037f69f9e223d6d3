package live

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/curlfree/curlfree/internal/cputime"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/web/webtest"
)

// What a server can show is measured without steps: a session that stands still, into whose place frames are published
// in which everything moves.

// Sizes of the crowd: bodies in a square, cells along a side of the sheet above them, whose surface has two triangles a
// square, contacts below each body.
const (
	crowdBodies   = 1000
	crowdSide     = 32
	crowdCells    = 70
	crowdContacts = 4
	crowdRate     = 30 // frames/s that must be kept up with
)

// crowdScene is a square of 1,000 boxes, balls and rods on a floor, below a soft sheet of 20,160 triangles.
func crowdScene() string {
	var b strings.Builder
	b.WriteString("time: {step: 0.01, duration: 1}\nmaterials: {rubber: {youngs_modulus: 2e5, poissons_ratio: 0.3}}\n")
	fmt.Fprintf(&b, "meshes: {sheet: {box: {size: [3.2, 3.2, 0.03], cells: [%d, %d, 1]}}}\n", crowdCells, crowdCells)
	b.WriteString("deformables: {sheet: {mesh: sheet, material: rubber, pose: {xyz: [0, 0, 0.5]}}}\n")
	b.WriteString("bodies:\n  floor: {fixed: true, shapes: [{half_space: {}}]}\n")
	shapes := [3]string{"box: {size: [0.05, 0.05, 0.06]}", "sphere: {radius: 0.03}", "cylinder: {radius: 0.02, length: 0.06}"}
	for i := range crowdBodies {
		fmt.Fprintf(&b, "  part%d: {pose: {xyz: [%g, %g, 0.03]}, shapes: [{%s}]}\n",
			i, 0.1*(float64(i%crowdSide)-15.5), 0.1*(float64(i/crowdSide)-15.5), shapes[i%3])
	}
	return b.String()
}

// crowd makes frames of the scene in which every body turns and hops, and a wave runs through the sheet.
type crowd struct{ start record.Frame }

// at fills a frame of a time, s.
func (c *crowd) at(t float64, f *record.Frame) {
	f.Time = t
	f.Q, f.V = append(f.Q[:0], c.start.Q...), append(f.V[:0], c.start.V...)
	f.Poses, f.Contacts = f.Poses[:0], f.Contacts[:0]
	for i, X := range c.start.Poses {
		phase := 3*t + 0.1*float64(i)
		X.P[2] += 0.02 * (1 + math.Sin(phase))
		X.R = r3.RotExp(r3.Vec{0.2 * math.Sin(phase), 0, phase})
		f.Poses = append(f.Poses, X)
		// forces of a load that rolls over the corners
		for k := range crowdContacts {
			s, z := math.Sincos(phase + float64(k)*math.Pi/2)
			f.Contacts = append(f.Contacts, record.Contact{A: -1, B: i, Pos_W: X.P.Add(r3.Vec{0.02 * z, 0.02 * s, -0.03}), Force_W: r3.Vec{0.1 * s, 0.1 * z, 1 + s}})
		}
	}
	if f.Verts == nil {
		f.Verts, f.Vels, f.VonMises = make([][]r3.Vec, 1), make([][]r3.Vec, 1), make([][]float32, 1)
	}
	f.Verts[0], f.Vels[0] = f.Verts[0][:0], c.start.Vels[0]
	for _, p := range c.start.Verts[0] {
		p[2] += 0.1 * math.Sin(5*p[0]+2*p[1]+3*t)
		f.Verts[0] = append(f.Verts[0], p)
	}
	f.VonMises[0] = f.VonMises[0][:0]
	for k := range c.start.VonMises[0] {
		f.VonMises[0] = append(f.VonMises[0], float32(1e4*(1+math.Sin(0.01*float64(k)+3*t))))
	}
}

// crowdSession is a session that stands still at the start of the scene.
func crowdSession(t testing.TB) (*Session, *crowd) {
	t.Helper()
	s, _ := started(t, crowdScene(), Options{Paused: true, Threads: 1})
	triangles := 0
	for _, d := range s.scene.Static.Deformables {
		triangles += len(d.Tris)
	}
	if n := len(s.first.Poses); n < crowdBodies || triangles < 20_000 {
		t.Fatalf("%d bodies and %d triangles", n, triangles)
	}
	return s, &crowd{s.first}
}

// publish publishes frames of a crowd at a rate, 1/s, until ctx ends.
func (c *crowd) publish(ctx context.Context, s *Session, rate float64) {
	began := time.Now()
	for k := 1; ctx.Err() == nil; k++ {
		shot := s.board.blank()
		c.at(float64(k)/crowdRate, &shot.Frame)
		shot.Step = k
		shot.Stats = append(shot.Stats[:0], make([]float64, len(StatNames()))...)
		shot.Status = Status{Speed: 1, Saved: []float64{0}}
		s.board.publish(shot)
		time.Sleep(time.Until(began.Add(time.Duration(float64(k) / rate * float64(time.Second)))))
	}
}

// A server packs and sends 1,000 moving bodies with 4,000 contacts and a sheet of 20,160 triangles with its stress 30
// times a second: CURLFREE_LONG=1 go test ./live -run Crowd -v. The processor time includes what makes the
// frames and what reads them.
func TestAServerShowsACrowd(t *testing.T) {
	if os.Getenv("CURLFREE_LONG") == "" {
		t.Skip("10 s of the clock: CURLFREE_LONG=1 runs it")
	}
	s, c := crowdSession(t)
	_, address, _ := served(t, s, ServerOptions{})
	p := dial(t, address)
	p.write(`{"do": "fields", "fields": ["von_mises"]}`)
	ctx, cancel := context.WithCancel(context.Background())
	published := make(chan bool)
	go func() {
		defer close(published)
		c.publish(ctx, s, crowdRate)
	}()
	binaries := func(kind websocket.MessageType, b []byte) bool {
		return kind == websocket.MessageBinary && len(b) > 10_000
	}
	p.until(binaries)
	bytes, frames, began, cpu := 0, 0, time.Now(), cputime.Used()
	for time.Since(began) < 5*time.Second {
		p.until(func(kind websocket.MessageType, b []byte) bool {
			bytes += len(b)
			return binaries(kind, b)
		})
		frames++
	}
	rate := float64(frames) / time.Since(began).Seconds()
	cpu = (cputime.Used() - cpu) / time.Duration(frames)
	cancel()
	<-published
	t.Logf("%.1f frames/s, %.1f kB a frame, %.2f MB/s, %v of processor time a frame", rate, float64(bytes)/float64(frames)/1e3, float64(bytes)/time.Since(began).Seconds()/1e6, cpu)
	if rate < 0.97*crowdRate {
		t.Errorf("%.1f frames a second of %d", rate, crowdRate)
	}
}

// BenchmarkFrameOfACrowd is the time in which a server packs and a network of this machine takes a frame of 1,000
// moving bodies with 4,000 contacts and a sheet of 20,160 triangles with its stress.
func BenchmarkFrameOfACrowd(b *testing.B) {
	s, c := crowdSession(b)
	_, address, _ := served(b, s, ServerOptions{})
	p := dial(b, address)
	p.write(`{"do": "fields", "fields": ["von_mises"]}`)
	p.until(func(kind websocket.MessageType, m []byte) bool { return kind == websocket.MessageBinary })
	// frames are made before, and published again and again
	var frames [8]record.Frame
	for k := range frames {
		c.at(float64(k)/crowdRate, &frames[k])
	}
	var cpu []time.Duration
	size := 0
	for k := 0; b.Loop(); k++ {
		b.StopTimer()
		shot := s.board.blank()
		made := frames[k%len(frames)]
		shot.Frame, shot.Step, shot.Stats = made, k+1, make([]float64, len(StatNames()))
		began := cputime.Used()
		b.StartTimer()
		s.board.publish(shot)
		p.until(func(kind websocket.MessageType, m []byte) bool {
			size = len(m)
			return kind == websocket.MessageBinary
		})
		cpu = append(cpu, cputime.Used()-began)
	}
	slices.Sort(cpu)
	b.ReportMetric(cpu[len(cpu)/2].Seconds()*1e3, "cpu-ms/frame")
	b.ReportMetric(float64(size)/1e3, "kB/frame")
}

// A browser draws the crowd. CURLFREE_PICTURES keeps the picture for eyes.
func TestABrowserShowsACrowd(t *testing.T) {
	if os.Getenv("CURLFREE_LONG") == "" {
		t.Skip("1,000 bodies in a browser: CURLFREE_LONG=1 runs it")
	}
	s, c := crowdSession(t)
	_, address, _ := servedToBrowsers(t, s)
	ctx, cancel := context.WithCancel(context.Background())
	published := make(chan bool)
	go func() {
		defer close(published)
		c.publish(ctx, s, crowdRate)
	}()
	defer func() {
		cancel()
		<-published
	}()
	p := webtest.New(t, 1280, 720)
	p.Open(address)
	// frames of two seconds of the crowd
	p.Until(`curlfree.frame?.step > 60`)
	p.Keep("crowd")
	p.NoFaults()
}
