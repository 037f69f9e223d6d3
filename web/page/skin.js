// Smooth normals with sharp edges. Corners of triangles that meet in a smooth edge share
// a slot, which has one normal; at a crease each side has its own.

const CREASE = Math.cos(35 * Math.PI / 180)

// unit normals of triangles, three numbers each
function faceNormals(verts, tris) {
  const out = new Float32Array(tris.length)
  for (let t = 0; t < tris.length; t += 3) {
    const a = 3 * tris[t], b = 3 * tris[t + 1], c = 3 * tris[t + 2]
    const ux = verts[b] - verts[a], uy = verts[b + 1] - verts[a + 1], uz = verts[b + 2] - verts[a + 2]
    const vx = verts[c] - verts[a], vy = verts[c + 1] - verts[a + 1], vz = verts[c + 2] - verts[a + 2]
    const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx
    const n = Math.hypot(x, y, z) || 1
    out[t] = x / n; out[t + 1] = y / n; out[t + 2] = z / n
  }
  return out
}

// welded numbers the places of vertices: files such as STL repeat vertices.
function welded(verts) {
  const numbers = new Map(), id = new Uint32Array(verts.length / 3)
  for (let i = 0; i < id.length; i++) {
    const key = verts[3 * i] + ',' + verts[3 * i + 1] + ',' + verts[3 * i + 2]
    let k = numbers.get(key)
    if (k === undefined) numbers.set(key, k = numbers.size)
    id[i] = k
  }
  return id
}

// Skin is the topology of a surface for shading: index names the slot of each corner,
// vert the vertex of each slot.
export class Skin {
  constructor(verts, tris) {
    this.tris = tris
    const id = welded(verts), normals = faceNormals(verts, tris)
    const parent = new Uint32Array(tris.length)
    for (let c = 0; c < parent.length; c++) parent[c] = c
    const root = c => {
      while (parent[c] !== c) c = parent[c] = parent[parent[c]]
      return c
    }
    const join = (a, b) => { parent[root(a)] = root(b) }
    // join corners across smooth edges
    const first = new Map()
    const places = id.reduce((a, b) => Math.max(a, b), 0) + 1
    this.open = false
    for (let t = 0; t < tris.length; t += 3) {
      for (let e = 0; e < 3; e++) {
        const c0 = t + e, c1 = t + (e + 1) % 3
        const a = id[tris[c0]], b = id[tris[c1]]
        const key = Math.min(a, b) * places + Math.max(a, b)
        const o = first.get(key)
        if (o === undefined) { first.set(key, c0); continue }
        const u = o - o % 3
        if (normals[t] * normals[u] + normals[t + 1] * normals[u + 1] + normals[t + 2] * normals[u + 2] < CREASE) continue
        const o1 = u + (o % 3 + 1) % 3
        if (id[tris[o]] === a) { join(c0, o); join(c1, o1) } else { join(c0, o1); join(c1, o) }
      }
    }
    this.open = 2 * first.size > tris.length
    // number the slots
    const slot = new Map()
    this.index = new Uint32Array(tris.length)
    const vert = []
    for (let c = 0; c < tris.length; c++) {
      const r = root(c)
      let k = slot.get(r)
      if (k === undefined) { slot.set(r, k = vert.length); vert.push(tris[c]) }
      this.index[c] = k
    }
    this.vert = Uint32Array.from(vert)
  }

  // place writes the positions of the slots.
  place(verts, out) {
    for (let k = 0; k < this.vert.length; k++) {
      const v = 3 * this.vert[k]
      out[3 * k] = verts[v]; out[3 * k + 1] = verts[v + 1]; out[3 * k + 2] = verts[v + 2]
    }
  }

  // normals writes the unit normal of each slot: the mean of its faces, weighted by
  // their angles there, so that it does not depend on how flat sides are split.
  normals(verts, out) {
    out.fill(0)
    const n = faceNormals(verts, this.tris), p = [0, 0, 0]
    for (let t = 0; t < this.tris.length; t += 3) {
      for (let e = 0; e < 3; e++) {
        const a = 3 * this.tris[t + e], b = 3 * this.tris[t + (e + 1) % 3], c = 3 * this.tris[t + (e + 2) % 3]
        let uu = 0, vv = 0, uv = 0
        for (let k = 0; k < 3; k++) {
          const u = verts[b + k] - verts[a + k], v = verts[c + k] - verts[a + k]
          uu += u * u; vv += v * v; uv += u * v
        }
        const angle = Math.acos(Math.max(-1, Math.min(1, uv / (Math.sqrt(uu * vv) || 1))))
        const k = 3 * this.index[t + e]
        out[k] += angle * n[t]; out[k + 1] += angle * n[t + 1]; out[k + 2] += angle * n[t + 2]
      }
    }
    for (let k = 0; k < out.length; k += 3) {
      const l = Math.hypot(out[k], out[k + 1], out[k + 2]) || 1
      out[k] /= l; out[k + 1] /= l; out[k + 2] /= l
    }
  }
}
