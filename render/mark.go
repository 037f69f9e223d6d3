package render

// Marks of authorship: each picture, chart and film carries a comment of its format, by
// which internal/authorship recognizes it.
//
//	PNG   a chunk tEXt with the keyword Comment, behind the header
//	GIF   a comment extension, before the first frame
//	SVG   a comment of XML, behind the drawing
//	PDF   a comment, behind the end of the document
//	MP4   a box of the kind free, behind the film
//
// Programs that show such files pass over comments.

import (
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/png"
	"io"
	"os"

	"github.com/curlfree/curlfree/internal/authorship"
)

// pngHeader is the length of the signature of a PNG and of its chunk IHDR, bytes.
const pngHeader = 8 + 25

// encodePNG writes a PNG with the mark.
func encodePNG(w io.Writer, img image.Image) error {
	m := &pngMarker{w: w}
	return png.Encode(m, img)
}

// pngMarker passes a PNG on and inserts the mark behind its header.
type pngMarker struct {
	w    io.Writer
	head []byte // of the header, until it is complete
	done bool   // the mark is written
}

// Write implements io.Writer.
func (m *pngMarker) Write(b []byte) (int, error) {
	if m.done {
		return m.w.Write(b)
	}
	m.head = append(m.head, b...)
	if len(m.head) < pngHeader {
		return len(b), nil
	}
	m.done = true
	out := append(append(m.head[:pngHeader:pngHeader], pngText("Comment", authorship.Mark)...), m.head[pngHeader:]...)
	_, err := m.w.Write(out)
	return len(b), err
}

// pngText is a chunk tEXt: length, kind, keyword and text, checksum of all but the length.
func pngText(keyword, text string) []byte {
	data := "tEXt" + keyword + "\x00" + text
	b := binary.BigEndian.AppendUint32(nil, uint32(len(data)-4))
	b = append(b, data...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE([]byte(data)))
}

// gifComment is a comment extension of at most 255 bytes.
func gifComment(text string) []byte {
	return append(append([]byte{0x21, 0xfe, byte(len(text))}, text...), 0)
}

// markText appends the mark to what write writes, between two texts.
func markText(write func(io.Writer) error, before, after string) func(io.Writer) error {
	return func(w io.Writer) error {
		if err := write(w); err != nil {
			return err
		}
		_, err := io.WriteString(w, before+authorship.Mark+after)
		return err
	}
}

// markMP4 appends the mark to a film: a box is its length, its kind and its content.
func markMP4(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	b := binary.BigEndian.AppendUint32(nil, uint32(8+len(authorship.Mark)))
	_, err = f.Write(append(append(b, "free"...), authorship.Mark...))
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}
