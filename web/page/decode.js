// Decoder of frames, the twin of decode.go; the format is in doc.go.

const FRAME = 0x46 // 'F'
const KEY = 1

// bytesOf decodes base64.
export function bytesOf(base64) {
  const text = atob(base64)
  const out = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) out[i] = text.charCodeAt(i)
  return out
}

export const floatsOf = base64 => new Float32Array(bytesOf(base64).buffer)
export const indicesOf = base64 => new Uint32Array(bytesOf(base64).buffer)

// unpackScene turns the lists of a scene from base64 into arrays.
export function unpackScene(scene) {
  if (scene.version !== 1) throw new Error(`This page reads version 1 of the format, not ${scene.version}: load it again.`)
  for (const m of scene.meshes) {
    m.verts = floatsOf(m.verts)
    m.tris = indicesOf(m.tris)
  }
  for (const d of scene.deformables) {
    d.tris = indicesOf(d.tris)
    d.vertices = indicesOf(d.vertices)
  }
  return scene
}

export const isKey = message => (message[1] & KEY) !== 0

// Decoder reads messages of one encoder in their order. A frame is
//   {key, time, step, signals, stats, poses: Float64Array of x y z w x y z for each body,
//    verts: [Float32Array for each deformable], fields: Map from index to [Float32Array],
//    contacts: [{a, b, point, force}],
//    surfaces: [{a, b, area, normal, maxPressure, maxSlip, force, center, counts, corners, pressure, slip}]}
export class Decoder {
  constructor(scene) {
    this.scene = scene
    this.poses = []
    this.verts = scene.deformables.map(() => [])
    this.levels = scene.fields.map(() => scene.deformables.map(d => new Uint8Array(d.vertices.length)))
    this.began = false
  }

  decode(message) {
    this.data = message
    this.view = new DataView(message.buffer, message.byteOffset, message.byteLength)
    if (message[0] !== FRAME) throw new Error('no frame')
    const key = isKey(message)
    if (!key && !this.began) throw new Error('the first frame is no key frame')
    this.began = true
    this.key = key
    this.at = 14
    const f = { key, time: this.view.getFloat64(2, true), step: this.view.getUint32(10, true) }
    f.signals = this.floats(this.scene.signals.length)
    f.stats = this.floats(this.scene.stats.length)
    f.poses = this.readPoses()
    f.verts = this.scene.deformables.map((d, i) => this.readVerts(d.vertices.length, i))
    f.fields = this.readFields()
    f.contacts = this.readContacts()
    f.surfaces = this.readSurfaces()
    return f
  }

  floats(n) {
    const x = new Float32Array(n)
    for (let i = 0; i < n; i++, this.at += 4) x[i] = this.view.getFloat32(this.at, true)
    return x
  }

  // uint reads seven bits a byte, the lowest first.
  uint() {
    let x = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const b = this.data[this.at++]
      x |= (b & 127) << shift
      if (b < 128) break
    }
    return x >>> 0
  }

  // ints reads a column of integers: differences of differences from prev.
  ints(n, prev) {
    const x = new Int32Array(n)
    const delta = prev && !this.key && prev.length === n
    let last = 0
    for (let i = 0; i < n; i++) {
      const u = this.uint()
      last = (last + ((u >>> 1) ^ -(u & 1))) | 0
      x[i] = delta ? last + prev[i] : last
    }
    return x
  }

  readPoses() {
    const n = this.scene.rigid
    const out = new Float64Array(7 * n)
    for (let k = 0; k < 7; k++) {
      const c = this.poses[k] = this.ints(n, this.poses[k])
      const step = k < 3 ? this.scene.quantum : this.scene.rotation_quantum
      for (let b = 0; b < n; b++) out[7 * b + k] = c[b] * step
    }
    return out
  }

  readVerts(n, i) {
    const out = new Float32Array(3 * n)
    for (let k = 0; k < 3; k++) {
      const c = this.verts[i][k] = this.ints(n, this.verts[i][k])
      for (let j = 0; j < n; j++) out[3 * j + k] = c[j] * this.scene.quantum
    }
    return out
  }

  readFields() {
    const out = new Map()
    for (let count = this.data[this.at++]; count > 0; count--) {
      const k = this.data[this.at++]
      out.set(k, this.levels[k].map(prev => {
        const values = new Float32Array(prev.length)
        const exponent = this.data[this.at++]
        if (this.key || exponent === 0) prev.fill(0)
        if (exponent === 0) return values
        const unit = 2 ** (exponent - 128) / 255
        for (let j = 0; j < prev.length; j++) {
          prev[j] += this.data[this.at++]
          values[j] = prev[j] * unit
        }
        return values
      }))
    }
    return out
  }

  // points reads three columns of n positions.
  points(n, step) {
    const out = new Float64Array(3 * n)
    for (let k = 0; k < 3; k++) {
      const c = this.ints(n, null)
      for (let i = 0; i < n; i++) out[3 * i + k] = c[i] * step
    }
    return out
  }

  readContacts() {
    const n = this.uint()
    if (n === 0) return []
    const out = []
    for (let i = 0; i < n; i++) out.push({ a: this.uint() - 1, b: this.uint() - 1 })
    const points = this.points(n, this.scene.quantum)
    const step = 2 ** (this.data[this.at++] - 128 - 15)
    const forces = this.points(n, step)
    for (let i = 0; i < n; i++) {
      out[i].point = points.subarray(3 * i, 3 * i + 3)
      out[i].force = forces.subarray(3 * i, 3 * i + 3)
    }
    return out
  }

  readSurfaces() {
    const out = []
    for (let count = this.uint(); count > 0; count--) {
      const s = { a: this.uint() - 1, b: this.uint() - 1 }
      const x = this.floats(10)
      Object.assign(s, { area: x[0], normal: x[1], maxPressure: x[2], maxSlip: x[3], force: x.subarray(4, 7), center: x.subarray(7, 10) })
      const n = this.uint()
      s.counts = new Uint32Array(n)
      s.pressure = new Float32Array(n)
      s.slip = new Float32Array(n)
      let total = 0
      for (let j = 0; j < n; j++) total += s.counts[j] = this.uint()
      if (n > 0) {
        const unitP = 2 ** (this.data[this.at++] - 128) / 255
        const unitS = 2 ** (this.data[this.at++] - 128) / 255
        for (let j = 0; j < n; j++) {
          s.pressure[j] = this.data[this.at++] * unitP
          s.slip[j] = this.data[this.at++] * unitS
        }
      }
      s.corners = n > 0 ? this.points(total, this.scene.quantum) : new Float64Array(0)
      out.push(s)
    }
    return out
  }
}
