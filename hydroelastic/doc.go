// Package hydroelastic is contact by pressure fields (Elandt, Drumwright, Sherman
// & Ruina 2019; Masterjohn, Guoy, Shepherd & Castro 2022). A compliant body
// carries a pressure p(x), linear on each cell of its mesh: zero on the surface,
// the modulus E on an inner core, and negative in a skirt of the width of the
// margin around it. A rigid body carries a triangle surface. Where two bodies
// overlap they touch on
//
//	{x : p_A(x) = p_B(x)}, of a rigid side its surface                    (1)
//
// cut into convex planar faces, one for each pair of cells. A face of area S at
// its centroid x_C, with unit normal n̂ from A to B, brings
//
//	p = p(x_C), force at rest p S n̂ on B, −p S n̂ on A                     (2)
//	g_A = −∇p_A·n̂, g_B = ∇p_B·n̂, 1/g = 1/g_A + 1/g_B                     (3)
//	φ = −p/g, stiffness k = S g                                           (4)
//
// so that a contact law with k and φ at x_C reproduces the force and how it
// changes with the distance. p is linear on a face: (2) is exact. The force is
// minus the gradient of ∫ min(p_A, p_B) dV over the overlap.
//
// Fields are built once and are immutable; a Query holds the scratch for finding
// surfaces and a Surface receives one.
package hydroelastic
