// Command hands closes robot hands on a sphere and lists which of them hold it. It needs the robot files, which
// docs/robots.md names; it writes a scene for each hand, which curlfree runs and shows.
//
//	go run ./examples/hands FOLDER
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
)

// table closes hands in turn and writes a row for each.
func table(ctx context.Context, w io.Writer, hands []hand, do task, files, out string) (failed int, err error) {
	fmt.Fprintln(w, "| hand | file | joints | mimics | sphere, mm | fingers that touch | grip, N | step, ms | moved, mm | holds |")
	fmt.Fprintln(w, "|:--|:--|--:|--:|--:|--:|--:|--:|--:|:--|")
	for i := range hands {
		h := &hands[i]
		file, err := filepath.Abs(filepath.Join(files, h.file))
		if err != nil {
			return failed, err
		}
		dir := filepath.Join(out, h.name)
		s, g, err := choose(h, do, file, dir)
		var r *result
		if err == nil {
			r, err = s.simulate(ctx, g, file, dir)
		}
		if err != nil {
			failed++
			fmt.Fprintf(w, "| %s | `%s` | – | – | %.0f | – | – | %g | – | no: %v |\n", h.name, h.file, 1000*h.diameter, 1000*do.step, strings.NewReplacer("\n", "; ", "|", "/").Replace(err.Error()))
			continue
		}
		holds := "yes"
		if !r.holds() {
			failed++
			holds = fmt.Sprintf("no: %.3g mm/s at the end, gravity %s", 1000*r.speed, r.worst)
		}
		fmt.Fprintf(w, "| %s | `%s` | %d | %d | %.0f | %d | %.1f | %g | %.2g | %s |\n",
			h.name, h.file, r.joints, r.mimics, 1000*h.diameter, r.fingers, r.force, 1000*do.step, 1000*r.moved, holds)
	}
	return failed, nil
}

func main() {
	log.SetFlags(0)
	out := flag.String("o", "out/hands", "folder of scenes and runs")
	only := flag.String("hand", "", "names of hands, with commas between; all")
	do := usual
	flag.Float64Var(&do.step, "step", do.step, "time step, s")
	flag.Float64Var(&do.mass, "mass", do.mass, "mass of the sphere, kg")
	flag.Float64Var(&do.force, "force", do.force, "sum of the normal forces of the fingers, N")
	flag.Float64Var(&do.friction, "friction", do.friction, "friction between hand and sphere")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: hands [flags] FOLDER, the folder of the robot files")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	chosen := hands
	if *only != "" {
		chosen = nil
		for _, name := range strings.Split(*only, ",") {
			n := len(chosen)
			for _, h := range hands {
				if strings.EqualFold(h.name, name) {
					chosen = append(chosen, h)
				}
			}
			if len(chosen) == n {
				log.Fatalf("no hand %q", name)
			}
		}
	}
	failed, err := table(context.Background(), os.Stdout, chosen, do, flag.Arg(0), *out)
	if err != nil {
		log.Fatal(err)
	}
	if failed > 0 {
		log.Fatalf("%d of %d hands do not hold the sphere", failed, len(chosen))
	}
}
