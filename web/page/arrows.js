// Contact forces as arrows with their tail at the contact: one for each contact point,
// one for all faces of a deformable against another body, one for each contact surface.

import * as THREE from 'three'
import { roundUp } from './signals.js'

// arrowsOf returns [{at, force}] of a frame. Shown is the force on B, or that on A where forces move A but not B, or
// where they move both, and A alone is rigid: see render/arrows.go.
export function arrowsOf(scene, frame) {
  const out = [], sums = new Map()
  const moves = k => k >= 0 && !scene.kinematic?.includes(k)
  const flip = (a, b) => (moves(a) && (!moves(b) || (a < scene.rigid && b >= scene.rigid)) ? -1 : 1)
  for (const c of frame.contacts) {
    const s = flip(c.a, c.b)
    if (c.a < scene.rigid && c.b < scene.rigid) {
      out.push({ at: c.point, force: c.force.map(x => s * x), a: c.a, b: c.b })
      continue
    }
    const key = c.a + ' ' + c.b
    let p = sums.get(key)
    if (!p) sums.set(key, p = { at: [0, 0, 0], force: [0, 0, 0], weight: 0, a: c.a, b: c.b })
    const w = Math.hypot(...c.force)
    p.weight += w
    for (let k = 0; k < 3; k++) {
      p.at[k] += w * c.point[k]
      p.force[k] += s * c.force[k]
    }
  }
  for (const p of sums.values()) {
    if (p.weight > 0) out.push({ at: p.at.map(x => x / p.weight), force: p.force, a: p.a, b: p.b })
  }
  for (const p of frame.surfaces) {
    if (p.counts.length === 0) continue // faces of deformables are among the contacts
    const s = flip(p.a, p.b)
    out.push({ at: p.center, force: Array.from(p.force, x => s * x), a: p.a, b: p.b })
  }
  return out
}

const UP = new THREE.Vector3(0, 1, 0)

// Arrows draws them as two lists of instances, shafts and heads.
export class Arrows {
  constructor(scene) {
    this.scene = scene
    this.length = 1 // m, of the force F0
    this.top = 0 // largest force so far, N
    this.group = new THREE.Group()
    this.material = new THREE.MeshStandardMaterial({ color: '#d62d48', roughness: 0.6 })
    this.ghost = new THREE.MeshBasicMaterial({ color: '#d62d48', transparent: true, opacity: 0.4, depthTest: false, depthWrite: false })
    this.shaft = new THREE.CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0)
    this.head = new THREE.ConeGeometry(1, 1, 20).translate(0, 0.5, 0)
    this.capacity = 0
  }

  grow(n) {
    if (n <= this.capacity) return
    this.capacity = Math.max(16, 2 * n)
    this.group.clear()
    this.lists = [this.shaft, this.head].map(g => {
      const m = new THREE.InstancedMesh(g, this.material, this.capacity)
      m.frustumCulled = false
      m.castShadow = true
      // seen faintly through the bodies that hide it
      const ghost = new THREE.InstancedMesh(g, this.ghost, this.capacity)
      ghost.instanceMatrix = m.instanceMatrix
      ghost.frustumCulled = false
      ghost.renderOrder = 4
      this.group.add(m, ghost)
      m.userData.ghost = ghost
      return m
    })
  }

  // reference is a round force F0 whose arrow has the length of the key.
  get reference() { return roundUp(this.top) }

  show(frame) {
    const arrows = arrowsOf(this.scene, frame).map(a => ({ ...a, size: Math.hypot(...a.force) }))
    for (const a of arrows) this.top = Math.max(this.top, a.size)
    this.grow(arrows.length)
    let n = 0
    const m = new THREE.Matrix4(), q = new THREE.Quaternion(), d = new THREE.Vector3(), at = new THREE.Vector3()
    const wide = this.length * 0.03
    for (const a of arrows) {
      const length = Math.min(2.5, a.size / this.reference) * this.length
      if (length < 0.03 * this.length) continue
      d.set(...a.force).normalize()
      q.setFromUnitVectors(UP, d)
      at.set(...a.at)
      // heads keep their form until the arrow is as short as they are
      const head = Math.min(0.24 * this.length, 0.6 * length), w = Math.min(1, head / (0.24 * this.length))
      this.lists[0].setMatrixAt(n, m.compose(at, q, new THREE.Vector3(wide * w, length - head, wide * w)))
      at.addScaledVector(d, length - head)
      this.lists[1].setMatrixAt(n, m.compose(at, q, new THREE.Vector3(2.6 * wide * w, head, 2.6 * wide * w)))
      n++
    }
    for (const l of this.lists || []) {
      l.count = l.userData.ghost.count = n
      l.instanceMatrix.needsUpdate = true
    }
  }
}
