// Package render draws recordings: lit pictures of bodies, fields and contact forces,
// animations, and charts of the tables of a run. It draws on the CPU, needs no
// display, and needs nothing but the recording.
//
// # From a recording to a picture
//
// NewPainter prepares once the data that do not change from picture to picture; Painter.Picture
// then draws any instant:
//
//	sample       state at time t, interpolated between recorded frames
//	place        vertices and normals of all surfaces in world axes
//	castShadows  depth maps of the lamp and of the sky
//	bodies       triangles that the camera may see, with colours and ambient light, cut open if requested
//	ground       a plane, whose pixels are computed from their place in the picture
//	stage.draw   rasterization with z-buffer, several samples a pixel
//	annotate     title, time, scale of colours, key of arrows
//
// A picture is the same, bit for bit, for any number of processors: it is drawn in
// bands of fixed height, and each item of a parallel loop writes its own slot.
//
// # Surfaces
//
// Triangles whose normals differ by less than the crease angle share a normal at their
// common vertex (skin). Curved surfaces are split into curved triangles until their
// outlines are round to a quarter of a pixel (tessellation). Where two bodies have
// coplanar faces a depth bias decides which is seen: the body that was drawn first;
// bodies hide the ground, and contact surfaces show on bodies.
//
// # Light
//
// Colours are linear light; pictures are encoded in sRGB at the end. With the albedo c,
// normal n, direction to the lamp l, up u and direction to the camera e, the radiance
// of a point of a body is (ambient, diffuse and specular light)
//
//	c (0.70 s (n·l)⁺ + a (0.36 h + 0.20 (1 − h) + 0.20 (n·e)⁺)) + g ((n·(l+e)/|l+e|)⁺)⁴⁰
//	h = (1 + n·u)/2
//
// where s is the part of the lamp that the point sees, a the part of the sky, and g the
// gloss. Field colours keep a quarter of their brightness in shadow, so that they can
// be compared with the scale.
//
// The lamp's shadow is a shadow map (Williams, Casting Curved Shadows on Curved
// Surfaces, 1978) with a lamp of finite size: the share of taps within a disc that are
// lit (Reeves et al., Rendering Antialiased Shadows with Depth Maps, 1987). The depth
// that a tap is compared with follows the plane of the surface, which else would throw
// a shadow on itself. The sky's part is the cosine-weighted average of shadow maps from
// many directions over the hemisphere, evaluated at vertices and on a grid over the
// ground; a map counts with the bilinear share of its four nearest cells.
//
// # The automatic camera
//
// It looks from the front right and above. The subject is the set of bodies that move during the
// recording and bodies at rest near it, never the ground. The camera is as near as
// possible while all points of the subject, at all times, are inside the part of the
// picture that title and scales leave free. See view.frame.
//
// # Charts
//
// A Figure is a grid of Charts; Figure.Write draws it as PNG, SVG or PDF at the width of
// a paper's column. Axes are titled "quantity (unit)", see AxisTitle. Figure.Spectrum
// turns lines over time into their amplitude spectra.
package render
