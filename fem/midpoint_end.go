package fem

import "github.com/curlfree/curlfree/r3"

// EndMotion is how the end of a step of the midpoint rule follows from its displacement velocities w: with T u = ū + Q½
// (u − ū), the turn of the memory about the mean ū by which a step ends (midpoint.go),
//
//	δv⁺ = δw/θ,   δW = T δw,   δΔv = T δw/θ                                   (1)
//
// It holds until the next Linearize.
type EndMotion struct {
	d     *Data
	turns bool
	half  r3.Mat  // Q½
	rate  float64 // 1/θ
	kept  float64 // that of Δv, 0 after an impact, which leaves none
}

// EndMotion returns that of the step of the last Linearize, of the midpoint rule.
func (d *Data) EndMotion() EndMotion {
	t := &d.free.turn
	m := EndMotion{d: d, turns: t.turns, half: t.half, rate: 1 / d.step.Theta}
	if !d.step.Forgets {
		m.kept = m.rate
	}
	return m
}

// AddTangent adds (1) to the tangents v, W and DV (3·NumVerts) of the end, for dw (Dofs).
func (m *EndMotion) AddTangent(dw, v, W, DV []float64) {
	model := m.d.model
	var mean r3.Vec
	if m.turns {
		for n, i := range model.vertex {
			mean = mean.AddScaled(model.nodalMass[i]/model.mass, r3.Vec(dw[3*n:3*n+3]))
		}
	}
	for n, i := range model.vertex {
		u := r3.Vec(dw[3*n : 3*n+3])
		turned := u
		if m.turns {
			turned = mean.Add(m.half.MulVec(u.Sub(mean)))
		}
		for k := range 3 {
			v[3*int(i)+k] += m.rate * u[k]
			W[3*int(i)+k] += turned[k]
			DV[3*int(i)+k] += m.kept * turned[k]
		}
	}
}

// AddAdjoint adds to dw (Dofs) what the cotangents v, W and DV (3·NumVerts) of the end are by (1).
func (m *EndMotion) AddAdjoint(v, W, DV, dw []float64) {
	model := m.d.model
	bar := func(i int32) (u r3.Vec) {
		for k := range u {
			u[k] = W[3*int(i)+k] + m.kept*DV[3*int(i)+k]
		}
		return u
	}
	var mean r3.Vec // by the mean
	if m.turns {
		for _, i := range model.vertex {
			mean = mean.Add(bar(i))
		}
		mean = mean.Sub(m.half.TMulVec(mean))
	}
	for n, i := range model.vertex {
		u := bar(i)
		if m.turns {
			u = m.half.TMulVec(u).AddScaled(model.nodalMass[i]/model.mass, mean)
		}
		for k := range u {
			dw[3*n+k] += m.rate*v[3*int(i)+k] + u[k]
		}
	}
}
