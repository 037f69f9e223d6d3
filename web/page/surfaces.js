// Contact surfaces of pressure fields: their faces in the colours of pressure or sliding
// speed, in front of the bodies that hide them.

import * as THREE from 'three'
import { paint } from './colormap.js'

export class Surfaces {
  constructor() {
    this.material = new THREE.MeshBasicMaterial({ vertexColors: true, side: THREE.DoubleSide, depthTest: false, transparent: true, opacity: 0.92 })
    this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), this.material)
    this.mesh.frustumCulled = false
    this.mesh.renderOrder = 5
    this.edges = new THREE.LineSegments(new THREE.BufferGeometry(),
      new THREE.LineBasicMaterial({ color: 0x000000, transparent: true, opacity: 0.22, depthTest: false }))
    this.edges.frustumCulled = false
    this.edges.renderOrder = 6
    this.group = new THREE.Group()
    this.group.add(this.mesh, this.edges)
    this.top = 0
  }

  // show draws the faces of a frame by the quantity 'pressure' or 'slip'.
  show(frame, quantity, top) {
    const position = [], color = [], edges = [], c = [0, 0, 0]
    for (const s of frame.surfaces) {
      let first = 0
      s.counts.forEach((n, j) => {
        paint(c, 0, s[quantity][j], top)
        const corner = k => s.corners.subarray(3 * (first + k % n), 3 * (first + k % n) + 3)
        for (let k = 0; k < n; k++) {
          edges.push(...corner(k), ...corner(k + 1))
          if (k < 1 || k > n - 2) continue
          position.push(...corner(0), ...corner(k), ...corner(k + 1))
          color.push(...c, ...c, ...c)
        }
        first += n
      })
    }
    const fill = (mesh, name, list) => mesh.geometry.setAttribute(name, new THREE.Float32BufferAttribute(list, 3))
    this.mesh.geometry.dispose()
    this.edges.geometry.dispose()
    this.mesh.geometry = new THREE.BufferGeometry()
    this.edges.geometry = new THREE.BufferGeometry()
    fill(this.mesh, 'position', position)
    fill(this.mesh, 'color', color)
    fill(this.edges, 'position', edges)
  }
}

// largest returns the largest pressure or sliding speed of a frame's surfaces.
export function largest(frame, quantity) {
  let top = 0
  for (const s of frame.surfaces) for (const x of s[quantity]) top = Math.max(top, x)
  return top
}
