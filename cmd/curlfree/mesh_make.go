package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/parts"
	"github.com/curlfree/curlfree/r3"
)

// partNames lists the kinds of parts that mesh make knows.
func partNames() string {
	names := []string{"finray"}
	for _, k := range parts.Kinds() {
		names = append(names, flagName(k.Name))
	}
	return strings.Join(names, ", ")
}

// flagName is the name of a part or parameter on the command line.
func flagName(name string) string { return strings.ReplaceAll(name, "_", "-") }

// otherNames are spellings of a part of two words that are understood, too.
func otherNames(name string) []string {
	if !strings.Contains(name, "_") {
		return nil
	}
	return []string{strings.ReplaceAll(name, "_", ""), name}
}

// lengths is a flag of several lengths, such as 6mm,8mm.
type lengths []float64

func (l *lengths) Type() string { return "lengths" }
func (l *lengths) String() string {
	words := make([]string, len(*l))
	for i, x := range *l {
		words[i] = strconv.FormatFloat(x, 'g', -1, 64)
	}
	return strings.Join(words, ",")
}

// Set parses lengths separated by commas.
func (l *lengths) Set(s string) error {
	*l = nil
	for _, word := range strings.Split(s, ",") {
		var x length
		if err := x.Set(strings.TrimSpace(word)); err != nil {
			return err
		}
		*l = append(*l, float64(x))
	}
	return nil
}

// partFlag holds the value of one parameter while flags are read.
type partFlag struct {
	lengths lengths
	number  float64
	whole   int
	yes     bool
}

// values returns the parameter as numbers.
func (f *partFlag) values(p *parts.Param) []float64 {
	switch {
	case p.List, p.Unit == "m":
		return f.lengths
	case p.Whole:
		return []float64{float64(f.whole)}
	case p.Flag:
		if f.yes {
			return []float64{1}
		}
		return []float64{0}
	}
	return []float64{f.number}
}

// makePartCommand is mesh make KIND for one of the parametric parts.
func (a *app) makePartCommand(k parts.Kind) *cobra.Command {
	var (
		out, unit, with string
		pic             picture
		flags           = make([]partFlag, len(k.Params))
	)
	name := flagName(k.Name)
	cmd := &cobra.Command{
		Use:     name + " -o FILE",
		Aliases: otherNames(k.Name),
		Short:   k.Doc,
		Long:    k.Doc + ": tetrahedra (" + extensions(true) + ") or a surface (other formats).\n\n" + k.About,
		Args:    flagsOnly,
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" && with == "" {
				return fmt.Errorf("mesh make %s wants -o FILE (%s)", name, extensions(false))
			}
			if out != "" {
				if err := checkMeshFile(out); err != nil {
					return err
				}
			}
			params := map[string][]float64{}
			for i := range k.Params {
				if p := &k.Params[i]; cmd.Flags().Changed(flagName(p.Name)) {
					params[p.Name] = flags[i].values(p)
				}
			}
			part, err := parts.Make(k.Name, params)
			if err != nil {
				return fail(exitInput, err)
			}
			made := partInfo{Kind: k.Name, Facts: factsOf(part.Facts())}
			if with != "" {
				if made.Pair, err = pairFacts(part, with); err != nil {
					return fail(exitInput, err)
				}
			}
			return a.writePart(&made, part, out, unit, &pic)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&out, "output", "o", "", "file to write")
	f.StringVar(&unit, "unit", "", "unit of the numbers in the file (default m; most CAD programs expect mm)")
	f.StringVar(&pic.path, "picture", "", "picture to draw")
	f.StringVar(&with, "with", "", `mate to check and place, such as "spur teeth=30 backlash=15um"; module and angles follow this part`)
	for i := range k.Params {
		p, v := &k.Params[i], &flags[i]
		switch {
		case p.List, p.Unit == "m":
			v.lengths = p.Default
			if p.List {
				f.Var(&v.lengths, flagName(p.Name), p.Doc)
			} else {
				f.Var((*oneLength)(&v.lengths), flagName(p.Name), p.Doc)
			}
		case p.Whole:
			f.IntVar(&v.whole, flagName(p.Name), int(p.Default[0]), p.Doc)
		case p.Flag:
			f.BoolVar(&v.yes, flagName(p.Name), p.Default[0] == 1, strings.TrimPrefix(p.Doc, "1: "))
		default:
			f.Float64Var(&v.number, flagName(p.Name), p.Default[0], p.Doc)
		}
	}
	return cmd
}

// flagsOnly refuses words, among them parameters written as scenes and --with have them.
func flagsOnly(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if name, value, ok := strings.Cut(args[0], "="); ok {
		return fmt.Errorf("mesh make %s takes parameters as flags: write --%s %s", cmd.Name(), flagName(name), value)
	}
	return fmt.Errorf("mesh make %s takes no %q: parameters are flags, see --help", cmd.Name(), args[0])
}

// oneLength is lengths of which there is one.
type oneLength lengths

func (l *oneLength) Type() string   { return "length" }
func (l *oneLength) String() string { return (*lengths)(l).String() }

// Set parses one length.
func (l *oneLength) Set(s string) error {
	var x length
	if err := x.Set(s); err != nil {
		return err
	}
	*l = oneLength{float64(x)}
	return nil
}

// partInfo is what mesh make says of a part.
type partInfo struct {
	*meshInfo `json:",omitempty"`
	Kind      string     `json:"part"`
	Facts     []partFact `json:"facts"`
	Pair      []partFact `json:"pair,omitempty"`
}

type partFact struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit,omitempty"`
}

func factsOf(facts []parts.Fact) []partFact {
	out := make([]partFact, len(facts))
	for i, f := range facts {
		out[i] = partFact(f)
	}
	return out
}

// pairFacts checks a part with the mate that words describe and places the mate.
func pairFacts(part parts.Part, words string) ([]partFact, error) {
	fields := strings.Fields(words)
	if len(fields) == 0 {
		return nil, errors.New(`--with wants a kind of part and its parameters, such as "spur teeth=30"`)
	}
	params := map[string][]float64{}
	for _, f := range fields[1:] {
		name, value, ok := strings.Cut(f, "=")
		if !ok {
			return nil, fmt.Errorf("--with: %q is no parameter: write name=value", f)
		}
		var l lengths
		if err := l.Set(value); err != nil {
			return nil, fmt.Errorf("--with: %s: %w", name, err)
		}
		params[strings.ReplaceAll(name, "-", "_")] = l
	}
	mate, err := parts.MakeMate(part, strings.ReplaceAll(fields[0], "-", "_"), params)
	if err != nil {
		return nil, fmt.Errorf("--with: %w", err)
	}
	pair, err := parts.NewPair(part, mate)
	if err != nil {
		return nil, err
	}
	return factsOf(pair.Facts()), nil
}

// largePart is a size at which machine parts are doubted, m.
const largePart = 2

// writePart meshes a part, writes it and tells what it is.
func (a *app) writePart(made *partInfo, part parts.Part, out, unit string, pic *picture) error {
	pic.none = pic.path == ""
	if out != "" {
		scale, err := meshes.UnitScale(unit)
		if err != nil {
			return err
		}
		var file meshes.File
		if isSurfaceFormat(out) {
			file.Tri, err = part.Surface()
		} else {
			file.Tet, err = part.Tets()
		}
		if err != nil {
			return fail(exitInput, err)
		}
		made.meshInfo = fileInfo(out, file)
		if !pic.none {
			if err := drawMesh(pic.path, file); err != nil {
				return fail(exitOutput, err)
			}
			made.Picture = pic.path
		}
		var verts []r3.Vec
		if file.Tri != nil {
			verts = file.Tri.Verts
		} else {
			verts = file.Tet.Verts
		}
		box := r3.EmptyBox()
		for _, x := range verts {
			box = box.Extend(x)
		}
		if size := box.Size(); max(size[0], size[1], size[2]) > largePart {
			fmt.Fprintf(a.stderr, "warning: the part is %.3g m large: lengths without a unit are in m; write 1mm or 1e-3\n", max(size[0], size[1], size[2]))
		}
		for i := range verts {
			verts[i] = verts[i].Scale(1 / scale)
		}
		if err := writeMesh(out, file); err != nil {
			return fail(exitOutput, err)
		}
	}
	if a.json {
		return a.printJSON(made)
	}
	if made.meshInfo != nil {
		a.printInfo(made.meshInfo)
	}
	a.printFacts("", made.Facts)
	a.printFacts("  with its mate:", made.Pair)
	return nil
}

// printFacts prints lengths in mm and angles in degrees.
func (a *app) printFacts(title string, facts []partFact) {
	if title != "" && len(facts) > 0 {
		a.say("%s", title)
	}
	for _, f := range facts {
		v, unit := f.Value, f.Unit
		switch unit {
		case "m":
			v, unit = v*1e3, "mm"
		case "m/rad":
			v, unit = v*1e3, "mm/rad"
		case "m³":
			v, unit = v*1e6, "cm³"
		case "rad":
			v, unit = v*180/math.Pi, "°"
		}
		a.say("  %s: %s", f.Name, strings.TrimSuffix(fmt.Sprintf("%.5g %s", v, unit), " "))
	}
}
