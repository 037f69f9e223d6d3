package render

import (
	"fmt"

	"github.com/curlfree/curlfree/kinds"
)

// Quality of pictures. A film needs less than a picture in a paper: it is small, it moves, and its frames
// are many. What differs is how many samples, directions and taps light is computed from, never what is shown.

// quality has the numbers that a quality of pictures stands for.
type quality struct {
	// name is that of Options.Quality.
	name string
	// samples is the number of samples of a pixel in each direction, unless the options say another.
	samples int
	// directions is the number of depth maps of the sky. Each throws a sharp shadow: with 40 they
	// can be distinguished on the walls of a bin, with 112 they cannot.
	directions int
	// domeCells bounds the number of cells a side of the sky's maps.
	domeCells int
	// lampCells is the number of cells a side of the lamp's map for a pixel of the longer side of the picture.
	lampCells float64
	// arc is how far the outline of a shadow may be from its arc, pixels.
	arc float64
	// disc are the taps of a look-up in the lamp's map.
	disc *[turns][][2]float64
}

// qualities are all, the first one for single pictures.
var qualities = []quality{
	{name: "final", samples: 3, directions: 112, domeCells: 192, lampCells: 1.6, arc: 0.25, disc: discs(48)},
	{name: "draft", samples: 2, directions: 40, domeCells: 80, lampCells: 1, arc: 1, disc: discs(16)},
}

// final is the quality of single pictures.
var final = &qualities[0]

// QualityNames lists the qualities of pictures, the default first.
func QualityNames() []string {
	var s []string
	for i := range qualities {
		s = append(s, qualities[i].name)
	}
	return s
}

// qualityByName returns a quality, the first for the empty name.
func qualityByName(name string) (*quality, error) {
	if name == "" {
		return final, nil
	}
	for i := range qualities {
		if qualities[i].name == name {
			return &qualities[i], nil
		}
	}
	return nil, fmt.Errorf("no quality %q%s", name, kinds.Suggest(name, QualityNames()))
}

// Bounds of the sizes of depth maps, cells a side.
const (
	minDomeCells = 48
	maxLampCells = 2048
)

// dome is the number of cells a side of the sky's maps, and of the ground's grid, for a picture of a size in pixels.
func (q *quality) dome(size [2]int) int {
	return max(minDomeCells, min(q.domeCells, max(size[0], size[1])/4))
}

// lamp is the number of cells a side of the lamp's map for a picture.
func (q *quality) lamp(size [2]int) int {
	return min(maxLampCells, int(q.lampCells*float64(max(size[0], size[1]))))
}
