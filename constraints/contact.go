package constraints

import (
	"fmt"
	"slices"
	"strings"

	"curlfree/cliques"
	"curlfree/geometry"
	"curlfree/r3"
)

// ContactModel turns one contact into one term of the problem.
type ContactModel interface {
	// Append adds the contact, overlapping or ahead of it, with three equations
	// in the contact frame (t1, t2, n) of ContactFrame.
	Append(c *geometry.Contact, pair *Pair, k Kinematics, p *cliques.Problem) cliques.Handle
}

// ContactParams are the parameters a contact model may read. See
// DefaultContactParams.
type ContactParams struct {
	StictionTolerance float64 // v_s, m/s
	Sigma             float64 // σ, regularisation of friction
	Beta              float64 // β, near-rigid limit of SAP
}

// DefaultContactParams returns the parameters of models that are given none.
func DefaultContactParams() ContactParams {
	return ContactParams{DefaultStictionTolerance, DefaultSigma, DefaultBeta}
}

// DefaultContactModel is the name of the model of scenes that name none.
const DefaultContactModel = "lagged"

// contactModel is a choice by name; each contact law's file registers its own.
type contactModel struct {
	name string
	make func(ContactParams) ContactModel
}

var contactModels []contactModel

// RegisterContactModel makes a model known by its name; it is called from init.
func RegisterContactModel(name string, make func(ContactParams) ContactModel) {
	if slices.Contains(ContactModels(), name) {
		panic("constraints: contact model " + name + " registered twice")
	}
	contactModels = append(contactModels, contactModel{name, make})
}

// ContactModels returns the names of the contact models, sorted.
func ContactModels() []string {
	names := make([]string, len(contactModels))
	for i, m := range contactModels {
		names[i] = m.name
	}
	slices.Sort(names)
	return names
}

// NewContactModel returns the model of a name, or an error that lists the names.
func NewContactModel(name string, params ContactParams) (ContactModel, error) {
	for _, v := range []struct {
		name  string
		value float64
		ok    bool
	}{
		{"stiction tolerance", params.StictionTolerance, params.StictionTolerance > 0},
		{"sigma", params.Sigma, params.Sigma > 0},
		{"beta", params.Beta, params.Beta >= 0},
	} {
		if !v.ok {
			return nil, fmt.Errorf("constraints: contact %s is %g, want a positive number", v.name, v.value)
		}
	}
	for _, m := range contactModels {
		if m.name == name {
			return m.make(params), nil
		}
	}
	return nil, fmt.Errorf("constraints: no contact model %q, choose one of %s", name, strings.Join(ContactModels(), ", "))
}

// ContactFrame returns R_WC of a contact: columns t1, t2, n, a deterministic
// function of the normal. Normal velocities > 0 separate.
func ContactFrame(c *geometry.Contact) r3.Mat {
	t1, t2 := r3.Basis(c.Normal_W)
	return r3.FromColumns(t1, t2, c.Normal_W)
}

// ContactForce returns the force (world, N) that a contact exerts on B at
// c.Pos_W, its negative on A, after the solve.
func ContactForce(p *cliques.Problem, h cliques.Handle, c *geometry.Contact) r3.Vec {
	g := p.Impulse(h)
	return ContactFrame(c).MulVec(r3.Vec{g[0], g[1], g[2]}).Scale(1 / p.H)
}

// sides is scratch for the two material points of a contact.
type sides [2]geometry.Feature

// appendContact opens a constraint with the rows
//
//	vc = R_WCᵀ (v_B − v_A) + b
//
// at the point c.Pos_W of both bodies, so that their impulses cancel in force
// and moment.
func appendContact(c *geometry.Contact, law cliques.Law, k Kinematics, p *cliques.Problem) cliques.Handle {
	h := p.AddConstraint(law)
	f := cliques.New[sides](p)
	f[0], f[1] = c.A, c.B
	for i := range f {
		if f[i].N == 0 {
			f[i].Pos_W = c.Pos_W
		}
	}
	R_WC := ContactFrame(c)
	for row := range 3 {
		separation(k, p, row, &f[0], &f[1], R_WC.Col(row))
	}
	return h
}

// separation adds dir·(v(b) − v(a)) to a row.
func separation(k Kinematics, p *cliques.Problem, row int, a, b *geometry.Feature, dir_W r3.Vec) {
	if b.Body != geometry.World {
		k.PointRow(p, row, b, dir_W, 1)
	}
	if a.Body != geometry.World {
		k.PointRow(p, row, a, dir_W, -1)
	}
}
