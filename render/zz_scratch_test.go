package render

import (
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/curlfree/curlfree/record"
)

func cpuNow() time.Duration {
	var ru syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &ru)
	return time.Duration(ru.Utime.Nano() + ru.Stime.Nano())
}

func BenchmarkScratch(b *testing.B) {
	dir := os.Getenv("RUNDIR")
	rec, err := record.ReadRun(dir)
	if err != nil {
		b.Fatal(err)
	}
	opt, _ := RecordedOptions(&rec.Static)
	opt.Size = [2]int{960, 720}
	opt.Quality = os.Getenv("Q")
	p, err := NewPainter(rec, opt)
	if err != nil {
		b.Fatal(err)
	}
	nt := 0
	for i := range p.geoms {
		nt += len(p.geoms[i].surface.tris)
	}
	for i := range p.soft {
		nt += len(p.soft[i].surface.tris)
	}
	n := p.NumFrames()
	fmt.Println("tris", nt, "frames", n)
	t0 := cpuNow()
	c := 0
	for b.Loop() {
		img := p.Frame((7 + c*11) % n)
		if c == 0 && os.Getenv("OUT") != "" {
			_ = WritePNG(os.Getenv("OUT"), img)
		}
		c++
	}
	b.ReportMetric(float64((cpuNow()-t0).Milliseconds())/float64(b.N), "cpu-ms/frame")
}
