package study

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"
)

// printParallel prints a line for GNU parallel and one for xargs. Cases that have a result are passed
// over by study exec itself.
func printParallel(p *Plan, opt *SubmitOptions, out io.Writer) error {
	at := p.Status(true)
	if len(at.Missing) == 0 {
		opt.Say("nothing to run: all %d cases have results", at.Cases)
		return nil
	}
	// the line may be run in another folder
	dir, err := filepath.Abs(p.Dir)
	if err != nil {
		return err
	}
	n := len(p.tasks(at.Missing, at, opt))
	// as many at a time as there are cores, unless a limit is given
	parallel, xargs := "+0", "\"$(nproc)\""
	if opt.ArrayLimit > 0 {
		parallel = strconv.Itoa(opt.ArrayLimit)
		xargs = parallel
	}
	// parallel gives its command to a shell and needs it quoted twice; xargs starts it without one
	exec := fmt.Sprintf("%s study exec %s --chunk {}/%d --threads 1 --wait", shellQuote(opt.Program), shellQuote(dir), n)
	_, err = fmt.Fprintf(out, "seq 0 %d | parallel -j %s %s\nseq 0 %d | xargs -P %s -I {} %s\n", n-1, parallel, shellQuote(exec), n-1, xargs, exec)
	return err
}
