package web

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
)

// bundle is the page with its styles, modules and the licences of what they use; see
// CONTRIBUTING.md for how it is made.
//
//go:embed dist/page.html
var bundle []byte

// dataMark is the comment of the page in whose place its source and data stand.
const dataMark = "<!--curlfree-data-->"

// block is data that a page's file has.
type block struct {
	// name is the id of the element that has the data.
	name string
	// data are the bytes, packed.
	data []byte
}

// WritePage writes the page as HTML. config is the object that chooses and configures the
// source of frames, see page/source.js: {"kind": "live"} and so on.
func WritePage(w io.Writer, config any) error { return writePage(w, config, nil) }

// writePage writes the page with the data of an embedded source.
func writePage(w io.Writer, config any, blocks []block) error {
	before, after, ok := bytes.Cut(bundle, []byte(dataMark))
	if !ok {
		return fmt.Errorf("the page has no %s", dataMark)
	}
	source, err := json.Marshal(config) // escapes <, so that no element ends in it
	if err != nil {
		return err
	}
	// pieces, since frames may have megabytes
	// in pieces: a page of a run has megabytes
	out := &pageWriter{w: w}
	out.write(before)
	out.write(fmt.Appendf(nil, "<script id=\"curlfree-source\" type=\"application/json\">%s</script>\n", source))
	for _, b := range blocks {
		out.write(fmt.Appendf(nil, "<script id=%q type=\"text/plain\">", b.name))
		out.write(b.data)
		out.write([]byte("</script>\n"))
	}
	out.write(after)
	return out.err
}

// pageWriter keeps the first error of its writes.
type pageWriter struct {
	w   io.Writer
	err error
}

func (p *pageWriter) write(b []byte) {
	if p.err == nil {
		_, p.err = p.w.Write(b)
	}
}

// packed returns data as base64 of gzip, which browsers unpack by themselves.
func packed(data []byte) []byte {
	// gzip, since browsers unpack it without a library; base64, since a page is text
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // fails for levels that do not exist
	z.Write(data)                                         // a buffer takes everything
	z.Close()
	return base64.StdEncoding.AppendEncode(nil, b.Bytes())
}
