// Grounds: squares with a grid of round size that fade towards their edges and receive
// shadows.

import * as THREE from 'three'
import { roundUp } from './signals.js'

// texture draws squares of the grid, with fading edges.
function fade() {
  const size = 512
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = size
  const c = canvas.getContext('2d')
  const g = c.createRadialGradient(size / 2, size / 2, 0.30 * size, size / 2, size / 2, 0.5 * size)
  g.addColorStop(0, '#fff')
  g.addColorStop(1, '#000')
  c.fillStyle = g
  c.fillRect(0, 0, size, size)
  return new THREE.CanvasTexture(canvas)
}

export class Ground {
  constructor(shape, size, placeOf) {
    this.shape = shape
    this.group = new THREE.Group()
    this.group.position.set(...shape.pose.slice(0, 3))
    this.group.quaternion.set(shape.pose[4], shape.pose[5], shape.pose[6], shape.pose[3])
    this.edge = Math.max(shape.ground, 4 * size)
    this.material = new THREE.MeshStandardMaterial({
      color: shape.color, roughness: 0.95, metalness: 0, transparent: true, alphaMap: fade(), side: THREE.DoubleSide,
      polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
    })
    const plane = new THREE.Mesh(new THREE.PlaneGeometry(this.edge, this.edge), this.material)
    plane.receiveShadow = true
    plane.renderOrder = -2
    this.group.add(plane)
    // the square of the grid: some tenth of the ground
    this.square = roundUp(this.edge / 16)
    const n = Math.floor(this.edge / this.square / 2)
    const points = [], alpha = []
    const limit = this.edge / 2
    for (let i = -n; i <= n; i++) {
      const u = i * this.square
      // pieces, so that lines fade along their length
      const reach = Math.sqrt(Math.max(0, limit * limit - u * u))
      const cut = 24
      for (let s = 0; s < cut; s++) {
        const a = reach * (2 * s / cut - 1), b = reach * (2 * (s + 1) / cut - 1)
        for (const [x, y] of [[u, a], [u, b], [a, u], [b, u]]) {
          points.push(x, y, 0)
          const r = Math.hypot(x, y) / limit
          alpha.push(1, 1, 1, Math.max(0, Math.min(1, (1 - r) / 0.4)))
        }
      }
    }
    const g = new THREE.BufferGeometry()
    g.setAttribute('position', new THREE.Float32BufferAttribute(points, 3))
    g.setAttribute('color', new THREE.Float32BufferAttribute(alpha, 4))
    this.lines = new THREE.LineSegments(g, new THREE.LineBasicMaterial({ transparent: true, opacity: 0.28, vertexColors: true, depthWrite: false }))
    this.lines.renderOrder = -1
    this.group.add(this.lines)
  }

  setTheme(dark) {
    this.material.color.set(this.shape.color)
    // a light ground would glare on a dark page
    if (dark) this.material.color.multiplyScalar(0.11)
    this.lines.material.color.set(dark ? '#9fb2c8' : '#6b7280')
  }
}
