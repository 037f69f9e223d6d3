package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/curlfree/curlfree/meshes/formats"
	"github.com/curlfree/curlfree/meshes/parts"
	"github.com/curlfree/curlfree/r3"
)

// partNames lists the kinds of parts that mesh make can make.
func partNames() string {
	var names []string
	for _, k := range parts.Kinds() {
		names = append(names, flagName(k.Name))
	}
	return strings.Join(names, ", ")
}

// flagName is the name of a part or parameter on the command line.
func flagName(name string) string { return strings.ReplaceAll(name, "_", "-") }

// otherNames are other accepted spellings of a part with two words.
func otherNames(name string) []string {
	if !strings.Contains(name, "_") {
		return nil
	}
	return []string{strings.ReplaceAll(name, "_", ""), name}
}

// lengths is a flag of several lengths, such as 6mm,8mm.
type lengths []float64

// Type is the name of the type in help texts.
func (l *lengths) Type() string { return "lengths" }

// String returns the lengths in metres, separated by commas.
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

// partFlag has the value of one parameter while flags are read.
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

// partFlags are the flags of mesh make KIND.
type partFlags struct {
	kind            parts.Kind
	out, unit, with string
	pic             picture
	params          []partFlag // in the order of kind.Params
}

// makePartCommand is the command mesh make KIND of a parametric part.
func (a *app) makePartCommand(k parts.Kind) *cobra.Command {
	p := &partFlags{kind: k, params: make([]partFlag, len(k.Params))}
	name := flagName(k.Name)
	cmd := &cobra.Command{
		Use:     name + " -o FILE",
		Aliases: otherNames(k.Name),
		Short:   k.Doc,
		Long:    k.Doc + ": tetrahedra (" + extensions(true) + ") or a surface (other formats).\n\n" + k.About,
		Args:    flagsOnly,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.makePart(cmd, p) },
	}
	f := cmd.Flags()
	f.StringVarP(&p.out, "output", "o", "", "file to write")
	f.StringVar(&p.unit, "unit", "", "unit of the numbers in the file (default m; most CAD programs expect mm)")
	f.StringVar(&p.pic.path, "picture", "", "picture to draw")
	f.StringVar(&p.with, "with", "", `mating part to check and place, such as "spur teeth=30 backlash=15um"; module and angles are those of this part`)
	for i := range k.Params {
		p.params[i].add(cmd, &k.Params[i])
	}
	return cmd
}

// add adds the flag of a parameter to a command.
func (v *partFlag) add(cmd *cobra.Command, p *parts.Param) {
	f, name := cmd.Flags(), flagName(p.Name)
	switch {
	case p.List:
		v.lengths = p.Default
		f.Var(&v.lengths, name, p.Doc)
	case p.Unit == "m":
		v.lengths = p.Default
		f.Var((*oneLength)(&v.lengths), name, p.Doc)
	case p.Whole:
		f.IntVar(&v.whole, name, int(p.Default[0]), p.Doc)
	case p.Flag:
		f.BoolVar(&v.yes, name, p.Default[0] == 1, strings.TrimPrefix(p.Doc, "1: "))
	default:
		f.Float64Var(&v.number, name, p.Default[0], p.Doc)
	}
}

// makePart makes a part from the parameters that were given, and its mating part.
func (a *app) makePart(cmd *cobra.Command, p *partFlags) error {
	if p.out == "" && p.with == "" {
		return fmt.Errorf("mesh make %s needs -o FILE (%s)", flagName(p.kind.Name), extensions(false))
	}
	if p.out != "" {
		if err := checkMeshFile(p.out); err != nil {
			return err
		}
	}
	params := map[string][]float64{}
	for i := range p.kind.Params {
		if q := &p.kind.Params[i]; cmd.Flags().Changed(flagName(q.Name)) {
			params[q.Name] = p.params[i].values(q)
		}
	}
	part, err := parts.Make(p.kind.Name, params)
	if err != nil {
		return fail(exitInput, err)
	}
	made := partInfo{Kind: p.kind.Name, Facts: factsOf(part.Facts())}
	if p.with != "" {
		if made.Pair, err = pairFacts(part, p.with); err != nil {
			return fail(exitInput, err)
		}
	}
	return a.writePart(&made, part, p)
}

// flagsOnly refuses arguments, in particular parameters written as name=value, as in scenes
// and in --with.
func flagsOnly(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if name, value, ok := strings.Cut(args[0], "="); ok {
		return fmt.Errorf("mesh make %s takes parameters as flags: write --%s %s", cmd.Name(), flagName(name), value)
	}
	return fmt.Errorf("mesh make %s: unexpected argument %q: parameters are flags, see --help", cmd.Name(), args[0])
}

// oneLength is a flag of a single length, stored as lengths.
type oneLength lengths

// Type is the name of the type in help texts.
func (l *oneLength) Type() string { return "length" }

// String returns the length in metres.
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

// partInfo is the JSON object of mesh make.
type partInfo struct {
	*meshInfo `json:",omitempty"`
	Kind      string     `json:"part"`
	Facts     []partFact `json:"facts"`
	Pair      []partFact `json:"pair,omitempty"`
}

// partFact is a property of a part or pair, such as its pitch diameter, in SI units.
type partFact struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit,omitempty"`
}

// factsOf converts facts for JSON.
func factsOf(facts []parts.Fact) []partFact {
	out := make([]partFact, len(facts))
	for i, f := range facts {
		out[i] = partFact(f)
	}
	return out
}

// pairFacts checks a part with the mating part that words describe, places that and returns
// the properties of the pair.
func pairFacts(part parts.Part, words string) ([]partFact, error) {
	fields := strings.Fields(words)
	if len(fields) == 0 {
		return nil, errors.New(`--with needs a kind of part and its parameters, such as "spur teeth=30"`)
	}
	params := map[string][]float64{}
	for _, f := range fields[1:] {
		name, value, ok := strings.Cut(f, "=")
		if !ok {
			return nil, fmt.Errorf("--with: %q is not a parameter: write name=value", f)
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

// largePart is a size above which a unit was probably forgotten, m.
const largePart = 2

// writePart meshes a part, writes it and prints its properties.
func (a *app) writePart(made *partInfo, part parts.Part, p *partFlags) error {
	p.pic.none = p.pic.path == ""
	if p.out != "" {
		if err := a.writePartFile(made, part, p); err != nil {
			return err
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

// writePartFile meshes a part, draws it if requested and writes it in the unit of the file.
func (a *app) writePartFile(made *partInfo, part parts.Part, p *partFlags) error {
	if err := a.mayWrite(p.out, p.pic.path); err != nil {
		return err
	}
	scale, err := formats.UnitScale(p.unit)
	if err != nil {
		return err
	}
	var file formats.File
	if isSurfaceFormat(p.out) {
		file.Tri, err = part.Surface()
	} else {
		file.Tet, err = part.Tets()
	}
	if err != nil {
		return fail(exitInput, err)
	}
	made.meshInfo = fileInfo(p.out, file)
	if !p.pic.none {
		if err := drawMesh(p.pic.path, file); err != nil {
			return fail(exitOutput, err)
		}
		made.Picture = p.pic.path
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
	return fail(exitOutput, writeMesh(p.out, file))
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
