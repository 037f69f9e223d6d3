package render

import (
	"bufio"
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/gif"
	"math"
	"os"
	"slices"

	"github.com/curlfree/curlfree/internal/authorship"
)

// Frames are written as they come, into a file that gets its name when the film is whole:
//
//	header, palette, endless loop, mark, frames …, trailer
//
// Players show a file that ends after any frame, and Interrupt adds the trailer to what there is.

// GIF writes frames as an endless animated GIF. It is a Sink.
//
// One palette of 255 colours serves all frames. Colours between those of the palette
// are dithered by thresholds that depend on the pixel's place alone, so that parts at
// rest do not flicker; pixels that did not change are transparent and cost little.
type GIF struct {
	// path is the name of the whole film, part its name until then.
	path, part string
	// file is that of the film, nil before the first frame; w buffers what goes to it.
	file *os.File
	w    *bufio.Writer
	// rate is the number of frames per second; of skip frames one is kept.
	rate float64
	skip int
	// palette are 255 colours at most and a last, transparent entry; colors are those
	// colours in 8 bits a channel.
	palette color.Palette
	colors  [][3]int
	// nearest is the palette entry of each colour of 6 bits a channel, −1: not yet known.
	nearest []int16
	// last is the frame before, whole; nil before the first.
	last *image.Paletted
	// shown is the sum of the delays so far, 1/100 s.
	shown int
}

// NewGIF starts an animation of the painter, to be written to a file. It draws
// a few frames from start to end to choose the palette.
func (p *Painter) NewGIF(path string) *GIF {
	const probes = 5
	// frames from the first to the last at equal distances
	n := p.NumFrames()
	var few []*image.RGBA
	for k := range min(n, probes) {
		few = append(few, p.Frame(k*(n-1)/max(1, min(n, probes)-1)))
	}
	// one more entry is transparent, for pixels that did not change
	g := &GIF{path: path, part: partial(path, ".gif"), rate: p.opt.Rate, palette: medianCut(few, 255)}
	// players slow down frames shorter than 2/100 s
	g.skip = max(1, int(math.Ceil(p.opt.Rate/50-1e-9)))
	for _, c := range g.palette {
		p := c.(color.NRGBA)
		g.colors = append(g.colors, [3]int{int(p.R), int(p.G), int(p.B)})
	}
	g.palette = append(g.palette, color.NRGBA{}) // what did not change
	g.nearest = make([]int16, 1<<18)
	for i := range g.nearest {
		g.nearest[i] = -1
	}
	return g
}

// bayer has the thresholds, from −½ to ½, of an ordered dither of 8×8 pixels (Bayer,
// An Optimum Method for Two-Level Rendition of Continuous-Tone Pictures, 1973): bits of
// x XOR y and of y, interleaved from the lowest.
var bayer = func() (t [64]float64) {
	for y := range 8 {
		for x := range 8 {
			v := 0
			for b := range 3 {
				v = v<<2 | (x>>b&1^y>>b&1)<<1 | y>>b&1
			}
			t[8*y+x] = (float64(v)+0.5)/64 - 0.5
		}
	}
	return t
}()

// ditherStep is the distance of neighbouring palette colours that the dither bridges,
// in 1/255 of the range of a channel.
const ditherStep = 8

// Frame appends frame k, or leaves it out where the rate exceeds that of players.
func (g *GIF) Frame(k int, img *image.RGBA) error {
	// players do not show more than 50 frames a second: of faster films every second, third … is kept
	if k%g.skip != 0 {
		return nil
	}
	// the whole frame in palette colours, each pixel with the threshold of its place
	b := img.Bounds()
	// kept until the next frame, which is compared with it
	full := image.NewPaletted(b, g.palette)
	for y := range b.Dy() {
		src, dst := img.Pix[y*img.Stride:], full.Pix[y*full.Stride:]
		for x := range b.Dx() {
			d := ditherStep * bayer[8*(y&7)+x&7]
			dst[x] = g.entry(float64(src[4*x])+d, float64(src[4*x+1])+d, float64(src[4*x+2])+d)
		}
	}
	// the end of the frame is rounded, not its length, so that errors do not add up
	end := int(math.Round(float64(k+g.skip) / g.rate * 100))
	delay := max(2, end-g.shown)
	g.shown += delay
	// the first frame is stored whole, others only where they differ
	frame := full
	if g.last != nil {
		frame = g.changes(full)
	}
	g.last = full
	return g.append(frame, delay)
}

// append writes one frame, and before the first one the header: that of a film of one frame, whose own end is left out.
func (g *GIF) append(frame *image.Paletted, delay int) error {
	var b bytes.Buffer
	one := gif.GIF{
		Image: []*image.Paletted{frame}, Delay: []int{delay}, Disposal: []byte{gif.DisposalNone},
		Config: image.Config{ColorModel: g.palette, Width: g.last.Rect.Dx(), Height: g.last.Rect.Dy()},
	}
	if err := gif.EncodeAll(&b, &one); err != nil {
		return err
	}
	film := b.Bytes()
	// signature, sizes and palette: the lowest bits of the flags give the number of colours
	header := 13 + 3<<(film[10]&7+1)
	// the file is made with its first frame, so that a film without one leaves nothing
	if g.file == nil {
		var err error
		if g.file, err = os.Create(g.part); err != nil {
			return err
		}
		g.w = bufio.NewWriter(g.file)
		loop := append([]byte("\x21\xff\x0bNETSCAPE2.0\x03\x01"), 0, 0, 0)
		for _, part := range [][]byte{film[:header], loop, gifComment(authorship.Mark)} {
			if _, err := g.w.Write(part); err != nil {
				return err
			}
		}
	}
	if _, err := g.w.Write(film[header : len(film)-1]); err != nil {
		return err
	}
	// a program that is killed leaves the frames so far
	return g.w.Flush()
}

// end writes the trailer and closes the file.
func (g *GIF) end() error {
	if g.file == nil {
		return nil
	}
	err := g.w.WriteByte(0x3b)
	for _, do := range []func() error{g.w.Flush, g.file.Sync, g.file.Close} {
		if e := do(); err == nil {
			err = e
		}
	}
	g.file = nil
	return err
}

// entry returns the palette entry nearest to a colour, with weights 3, 6 and 1 of red,
// green and blue. Results are kept for colours of 6 bits a channel.
func (g *GIF) entry(r, gr, b float64) uint8 {
	// 6 bits a channel: 262144 colours, whose nearest entries are found once
	q := func(x float64) int { return int(max(0, min(63, x*(63./255)+0.5))) }
	i, j, k := q(r), q(gr), q(b)
	at := &g.nearest[i<<12|j<<6|k]
	// the search for a colour that has not occurred is done once
	if *at < 0 {
		best := math.MaxInt
		for e, c := range g.colors {
			x, y, z := c[0]-i*255/63, c[1]-j*255/63, c[2]-k*255/63
			if d := 3*x*x + 6*y*y + z*z; d < best {
				best = d
				*at = int16(e)
			}
		}
	}
	return uint8(*at)
}

// changes returns the rectangle in which the frame differs from the last, with
// what is the same left transparent.
func (g *GIF) changes(full *image.Paletted) *image.Paletted {
	// the bounding box of the pixels that differ
	box := image.Rectangle{Min: full.Rect.Max}
	for y := range full.Rect.Dy() {
		for x := range full.Rect.Dx() {
			if i := y*full.Stride + x; full.Pix[i] != g.last.Pix[i] {
				box.Min.X, box.Min.Y = min(box.Min.X, x), min(box.Min.Y, y)
				box.Max.X, box.Max.Y = max(box.Max.X, x+1), max(box.Max.Y, y+1)
			}
		}
	}
	// players need a rectangle of at least one pixel for the delay
	if box.Empty() {
		box = image.Rect(0, 0, 1, 1)
	}
	// its pixels, transparent where nothing changed
	out := image.NewPaletted(box, g.palette)
	clear := uint8(len(g.palette) - 1)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			i, j := y*full.Stride+x, (y-box.Min.Y)*out.Stride+x-box.Min.X
			out.Pix[j] = full.Pix[i]
			if full.Pix[i] == g.last.Pix[i] {
				out.Pix[j] = clear
			}
		}
	}
	return out
}

// Close ends the film and gives it its name.
func (g *GIF) Close() error {
	if err := g.end(); err != nil {
		os.Remove(g.part)
		return err
	}
	return os.Rename(g.part, g.path)
}

// Interrupt ends the film after the frames so far.
func (g *GIF) Interrupt() (string, error) {
	if g.file == nil {
		return "", nil
	}
	return g.part, g.end()
}

// Abort drops the film.
func (g *GIF) Abort() {
	if g.file != nil {
		g.file.Close()
		os.Remove(g.part)
		g.file = nil
	}
}

// medianCut chooses n colours for the pictures: the box of the colour cube with the
// largest weighted variance along an axis is cut there at its median, until there are n
// boxes; each has its mean colour (Heckbert, Color Image Quantization for Frame Buffer
// Display, 1982).
func medianCut(pictures []*image.RGBA, n int) color.Palette {
	// colours at 6 bits a channel, with how often they occur
	count := map[[3]uint8]int{}
	for _, img := range pictures {
		for i := 0; i < len(img.Pix); i += 4 {
			count[[3]uint8{img.Pix[i] >> 2, img.Pix[i+1] >> 2, img.Pix[i+2] >> 2}]++
		}
	}
	all := make([]shade, 0, len(count))
	for c, k := range count {
		// the square root keeps colours of small parts
		all = append(all, shade{c, math.Sqrt(float64(k))})
	}
	// map order must not decide
	slices.SortFunc(all, func(a, b shade) int { return slices.Compare(a.c[:], b.c[:]) })
	cubes := []cube{measure(all)}
	for len(cubes) < n {
		// the box to cut
		i := 0
		for k := range cubes {
			if cubes[k].spread > cubes[i].spread {
				i = k
			}
		}
		b := cubes[i]
		if len(b.s) < 2 || b.spread == 0 {
			break
		}
		lower, upper := b.halves()
		cubes[i] = measure(lower)
		cubes = append(cubes, measure(upper))
	}
	// boxes keep their order, so that the palette does not depend on chance
	var p color.Palette
	for _, b := range cubes {
		p = append(p, b.mean())
	}
	return p
}

// shade is a colour of the pictures with its weight.
type shade struct {
	// c is red, green and blue in 6 bits each.
	c [3]uint8
	// w is the square root of the number of its pixels.
	w float64
}

// cube is a box of the colour cube.
type cube struct {
	// s are the colours in the box.
	s []shade
	// axis is the channel along which the colours spread most: 0 red, 1 green, 2 blue.
	axis int
	// spread is the weighted sum of squares from the mean along the axis.
	spread float64
}

// measure finds the axis along which colours spread most. With weights w_i, the spread
// along a channel x is
//
//	Σ w_i (x_i − x̄)²,  x̄ = Σ w_i x_i/Σ w_i.
func measure(s []shade) cube {
	// red, green and blue in turn
	b := cube{s: s}
	for k := range 3 {
		// mean, then the sum of squares from it
		var w, m, v float64
		for _, x := range s {
			w, m = w+x.w, m+x.w*float64(x.c[k])
		}
		m /= w
		for _, x := range s {
			v += x.w * (float64(x.c[k]) - m) * (float64(x.c[k]) - m)
		}
		if v > b.spread {
			b.axis, b.spread = k, v
		}
	}
	return b
}

// halves parts the colours of a box at the median of their weights along its axis. It sorts
// them; neither half is empty.
func (b *cube) halves() (lower, upper []shade) {
	slices.SortStableFunc(b.s, func(x, y shade) int { return cmp.Compare(x.c[b.axis], y.c[b.axis]) })
	total, sum, cut := 0.0, 0.0, 0
	for _, x := range b.s {
		total += x.w
	}
	// at least one colour is below the cut and one above it
	for cut < len(b.s)-1 && (sum < total/2 || cut == 0) {
		sum += b.s[cut].w
		cut++
	}
	return b.s[:cut], b.s[cut:]
}

// mean returns the weighted mean of the colours of a box.
func (b *cube) mean() color.NRGBA {
	var w float64
	var m [3]float64
	for _, x := range b.s {
		w += x.w
		for k := range 3 {
			m[k] += x.w * (float64(x.c[k])*4 + 2) // the middle of four values of 8 bits
		}
	}
	return color.NRGBA{uint8(m[0] / w), uint8(m[1] / w), uint8(m[2] / w), 255}
}
