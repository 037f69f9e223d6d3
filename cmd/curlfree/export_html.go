package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/curlfree/curlfree/internal/atomicfile"
	"github.com/curlfree/curlfree/web"
)

// htmlFormat is the name of the export as a page, which is no format of other programs.
const htmlFormat = "html"

// htmlFile is the page in the folder of an export.
const htmlFile = "run.html"

// htmlResult is the JSON object of export --to html.
type htmlResult struct {
	Format string   `json:"format"`
	Files  []string `json:"files"`
	*web.Detail
}

// exportHTML writes a run folder as one page, into the file out if it ends in .html, or
// else into the folder out.
func (a *app) exportHTML(run, out, maxSize string) error {
	limit, err := parseSize(maxSize)
	if err != nil {
		return fail(exitUsage, fmt.Errorf("--max-size %s: %w", maxSize, err))
	}
	path := out
	if !strings.HasSuffix(out, ".html") {
		path = filepath.Join(out, htmlFile)
	}
	rec, err := a.openRun(run)
	if err != nil {
		return err
	}
	defer rec.Close()
	if err := a.mayWrite(path); err != nil {
		return err
	}
	r, err := web.OpenRun(run, rec)
	if err != nil {
		return fail(exitInput, err)
	}
	var detail *web.Detail
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fail(exitOutput, err)
	}
	err = atomicfile.Write(path, func(w io.Writer) (err error) {
		detail, err = web.HTML(w, r, limit)
		return err
	})
	if err != nil {
		return fail(exitOf(rec, exitOutput), err)
	}
	if a.json {
		return a.printJSON(htmlResult{htmlFormat, []string{path}, detail})
	}
	a.say("%s (%.2f MB, %d frames)", path, float64(detail.Bytes)/1e6, detail.Frames)
	if detail.Frames < rec.Len() {
		fmt.Fprintf(a.stderr, "note: to stay below %s, one of %d frames is kept, and places to %.2g m\n", maxSize, detail.Stride, detail.Quantum)
	}
	return nil
}

// parseSize reads a number of bytes such as 20MB or 500kB; an empty text is 0.
func parseSize(s string) (int, error) {
	if s == "" {
		return 0, nil
	}
	for _, u := range []struct {
		name  string
		bytes float64
	}{{"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"B", 1}, {"", 1}} {
		number, ok := strings.CutSuffix(s, u.name)
		if !ok {
			continue
		}
		x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || !(x*u.bytes >= 1 && x*u.bytes < 1e12) {
			break
		}
		return int(x * u.bytes), nil
	}
	return 0, fmt.Errorf("not a size: write 20MB or 500kB")
}
