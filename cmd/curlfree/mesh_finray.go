package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// finRayFlags are the flags of mesh make finray besides the dimensions.
type finRayFlags struct {
	finger    *meshes.FinRay
	out, unit string
	refine    int
}

func (a *app) makeFinRayCommand() *cobra.Command {
	finger := meshes.DefaultFinRay()
	r := finRayFlags{finger: &finger}
	cmd := &cobra.Command{
		Use:   "finray -o FILE",
		Short: "Make a FinRay finger: tetrahedra (" + extensions(true) + ") or a surface (other formats)",
		Long: `Make a FinRay finger. x runs from the base (0) to the tip, y is the depth with the flat
contact face at y = 0 and the finger on its negative side, z is the width, centred.`,
		Args: flagsOnly,
		RunE: func(*cobra.Command, []string) error { return a.makeFinRay(&r) },
	}
	fl, f := cmd.Flags(), r.finger
	fl.StringVarP(&r.out, "output", "o", "", "file to write")
	fl.StringVar(&r.unit, "unit", "", "unit of the numbers in the file (default m; most CAD programs expect mm)")
	fl.IntVar(&r.refine, "refine", 0, "number of times that all elements are halved")
	for _, p := range []struct {
		name, help string
		v          *float64
	}{
		{"length", "from base to tip", &f.Length}, {"width", "along z", &f.Width},
		{"base-depth", "depth at the base", &f.BaseDepth}, {"tip-depth", "depth at the tip", &f.TipDepth},
		{"wall", "thickness of the walls", &f.Wall}, {"rib", "thickness of the ribs", &f.Rib},
		{"neck", "thickness of a rib at its ends", &f.Neck}, {"base-block", "length of the solid base", &f.BaseBlock},
		{"tip-block", "length of the solid tip", &f.TipBlock},
	} {
		fl.Var((*length)(p.v), p.name, p.help)
	}
	fl.IntVar(&f.Ribs, "ribs", f.Ribs, "number of ribs")
	fl.Float64Var(&f.RibAngle, "rib-angle", f.RibAngle, "inclination of the ribs towards the tip, rad")
	return cmd
}

// makeFinRay makes a finger and writes it in the unit of the file.
func (a *app) makeFinRay(r *finRayFlags) error {
	if r.out == "" {
		return fmt.Errorf("mesh make finray needs -o FILE (%s)", extensions(false))
	}
	if err := checkMeshFile(r.out); err != nil {
		return err
	}
	if err := a.mayWrite(r.out); err != nil {
		return err
	}
	scale, err := meshes.UnitScale(r.unit)
	if err != nil {
		return err
	}
	var file meshes.File
	var verts []r3.Vec
	if isSurfaceFormat(r.out) {
		if file.Tri, err = r.finger.Surface(); err == nil {
			verts = file.Tri.Verts
		}
	} else if file.Tet, err = r.finger.Tets(meshes.FinRayOptions{Refine: r.refine}); err == nil {
		verts = file.Tet.Verts
	}
	if err != nil {
		return fail(exitInput, err)
	}
	info := fileInfo(r.out, file)
	for i := range verts {
		verts[i] = verts[i].Scale(1 / scale)
	}
	if err := writeMesh(r.out, file); err != nil {
		return fail(exitOutput, err)
	}
	return a.report(info, meshes.File{}, &picture{none: true})
}
