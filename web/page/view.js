// The picture: camera, light, bodies, and what is drawn on top of them.

import * as THREE from 'three'
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js'
import { DeformableBody, placeRigid, rigidBodies } from './bodies.js'
import { Ground } from './ground.js'
import { Arrows } from './arrows.js'
import { Surfaces } from './surfaces.js'

const vec = list => new THREE.Vector3(...list)

// View draws a scene into an element. Other modules use: scene3 (three.js), camera,
// orbit, canvas, bodies, frame, pickAt, invalidate, overlay (a group for own things).
export class View {
  constructor(parent, scene) {
    this.scene = scene
    this.options = scene.render || {}
    this.renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true, powerPreference: 'high-performance' })
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1))
    this.renderer.shadowMap.enabled = true
    this.renderer.shadowMap.type = THREE.PCFShadowMap
    this.renderer.localClippingEnabled = true
    this.canvas = this.renderer.domElement
    this.canvas.tabIndex = 0
    this.canvas.setAttribute('role', 'img')
    this.canvas.setAttribute('aria-label', 'Picture of the simulated bodies. Drag to turn, right button to move, wheel to zoom.')
    parent.appendChild(this.canvas)
    this.parent = parent
    this.scene3 = new THREE.Scene()
    this.low = vec(scene.low)
    this.high = vec(scene.high)
    this.center = this.low.clone().add(this.high).multiplyScalar(0.5)
    this.size = this.high.clone().sub(this.low).length()
    this.addBodies()
    this.addCamera()
    // an eighth of the height of the first view, as in offline pictures: the scene may be far larger
    this.arrows.length = this.camera.position.distanceTo(this.orbit.target) * Math.tan(this.fov * Math.PI / 360) / 4
    this.addLight()
    this.plane = new THREE.Plane()
    this.dirty = true
    this.beforeDraw = []
    // what a card forgets, such as one that was busy for too long, is drawn again
    this.canvas.addEventListener('webglcontextrestored', () => this.invalidate())
    new ResizeObserver(() => this.resize()).observe(parent)
    this.resize()
    const loop = () => {
      requestAnimationFrame(loop)
      this.orbit.update()
      if (this.dirty) this.draw()
    }
    requestAnimationFrame(loop)
  }

  addBodies() {
    const { scene } = this
    this.rigid = rigidBodies(scene)
    this.soft = scene.deformables.map((_, i) => new DeformableBody(scene, i))
    this.bodies = [...this.rigid, ...this.soft]
    for (const b of this.bodies) this.scene3.add(b.group)
    this.grounds = scene.shapes.filter(s => s.ground).map(s => ({ body: s.body, ground: new Ground(s, this.size) }))
    for (const { body, ground } of this.grounds) {
      const on = this.rigid.find(b => b.number === body && body >= 0)
      ;(on ? on.group : this.scene3).add(ground.group)
    }
    this.arrows = new Arrows(scene)
    this.surfaces = new Surfaces()
    this.overlay = new THREE.Group()
    this.scene3.add(this.arrows.group, this.surfaces.group, this.overlay)
  }

  // addCamera places the camera as the scene says, or to the front, the right and above.
  addCamera() {
    const o = this.options, g = vec(this.scene.gravity)
    this.up = o.Up ? vec(o.Up).normalize() : g.length() > 0 ? g.negate().normalize() : new THREE.Vector3(0, 0, 1)
    this.fov = o.FOV || 30 // vertical angle of view, degrees, of a picture of the scene's form
    this.camera = new THREE.PerspectiveCamera(this.fov, 1, this.size / 500, this.size * 100)
    this.camera.up.copy(this.up)
    this.orbit = new OrbitControls(this.camera, this.canvas)
    this.orbit.enableDamping = true
    this.orbit.dampingFactor = 0.15
    this.orbit.addEventListener('change', () => this.invalidate())
    this.home()
  }

  home() {
    const o = this.options
    this.orbit.target.copy(o.Target ? vec(o.Target) : this.center)
    if (o.Camera) {
      this.camera.position.copy(vec(o.Camera))
    } else {
      const back = this.up.z > 0.99 ? new THREE.Vector3(0.62, -1, 0.55) : this.up.clone().multiplyScalar(0.55).add(this.acrossUp())
      const distance = 0.62 * this.size / Math.tan(this.fov * Math.PI / 360)
      this.camera.position.copy(this.orbit.target).addScaledVector(back.normalize(), distance)
    }
    this.orbit.update()
    this.invalidate()
  }

  acrossUp() {
    const x = Math.abs(this.up.x) < 0.9 ? new THREE.Vector3(1, 0, 0) : new THREE.Vector3(0, 1, 0)
    return x.sub(this.up.clone().multiplyScalar(x.dot(this.up))).normalize()
  }

  // setCamera looks at the target from a direction, from as far away as now.
  lookFrom(direction) {
    const d = this.camera.position.distanceTo(this.orbit.target)
    this.camera.position.copy(this.orbit.target).addScaledVector(vec(direction).normalize(), d)
    this.orbit.update()
    this.invalidate()
  }

  addLight() {
    this.sky = new THREE.HemisphereLight(0xffffff, 0x9aa0aa, 1.6)
    this.sky.position.copy(this.up)
    this.sun = new THREE.DirectionalLight(0xfff4e6, 2.4)
    this.sun.castShadow = true
    this.sun.shadow.mapSize.set(2048, 2048)
    this.sun.shadow.normalBias = this.size / 800
    this.sun.shadow.bias = -0.0004
    this.sun.shadow.radius = 3
    this.fill = new THREE.DirectionalLight(0xdfe9ff, 0.7)
    this.lamp = new THREE.DirectionalLight(0xffffff, 0.55) // from the reader: no face that is seen is black
    this.scene3.add(this.lamp, this.lamp.target, this.sky, this.sun, this.sun.target, this.fill, this.fill.target)
    const side = this.acrossUp(), other = new THREE.Vector3().crossVectors(this.up, side)
    this.sunFrom = this.up.clone().multiplyScalar(1.5).addScaledVector(side, 0.75).addScaledVector(other, -0.55).normalize()
    this.fillFrom = this.up.clone().multiplyScalar(0.5).addScaledVector(side, -1).addScaledVector(other, -0.4).normalize()
  }

  // aimLight keeps the shadows where the camera looks.
  aimLight() {
    const t = this.orbit.target, reach = Math.max(0.7 * this.size, this.camera.position.distanceTo(t) * Math.tan(this.camera.fov * Math.PI / 360) * 1.6)
    this.sun.target.position.copy(t)
    this.sun.position.copy(t).addScaledVector(this.sunFrom, 4 * reach)
    this.lamp.target.position.copy(t)
    this.lamp.position.copy(this.camera.position)
    this.fill.target.position.copy(t)
    this.fill.position.copy(t).addScaledVector(this.fillFrom, 4 * reach)
    const c = this.sun.shadow.camera
    if (c.right !== reach) {
      c.left = c.bottom = -reach
      c.right = c.top = reach
      c.near = reach
      c.far = 8 * reach
      c.updateProjectionMatrix()
    }
  }

  resize() {
    const w = Math.max(1, this.parent.clientWidth), h = Math.max(1, this.parent.clientHeight)
    if (w === this.width && h === this.height) return
    this.width = w
    this.height = h
    this.renderer.setSize(w, h, false)
    this.camera.aspect = w / h
    // a narrower picture than the scene's keeps its width, not its height
    const form = this.options.Size ? this.options.Size[0] / this.options.Size[1] : 4 / 3
    const wider = Math.max(1, form / this.camera.aspect)
    this.camera.fov = 2 * Math.atan(wider * Math.tan(this.fov * Math.PI / 360)) * 180 / Math.PI
    this.camera.updateProjectionMatrix()
    // a canvas of another size is empty: on slow machines it would stay so until the next refresh, and flash on others
    if (this.frame) this.draw()
    else this.invalidate()
  }

  invalidate() { this.dirty = true }

  draw() {
    this.dirty = false
    for (const f of this.beforeDraw) f()
    this.aimLight()
    const d = this.camera.position.distanceTo(this.orbit.target)
    this.camera.near = d / 200
    this.camera.far = 20 * d + 20 * this.size
    this.camera.updateProjectionMatrix()
    this.renderer.render(this.scene3, this.camera)
  }

  setTheme(dark) {
    const canvas = document.createElement('canvas')
    canvas.width = 4
    canvas.height = 256
    const c = canvas.getContext('2d'), g = c.createLinearGradient(0, 0, 0, 256)
    g.addColorStop(0, dark ? '#20262f' : '#ffffff')
    g.addColorStop(1, dark ? '#0d1014' : '#dfe4ea')
    c.fillStyle = g
    c.fillRect(0, 0, 4, 256)
    const t = new THREE.CanvasTexture(canvas)
    t.colorSpace = THREE.SRGBColorSpace
    this.scene3.background = t
    this.sky.intensity = dark ? 1.15 : 1.5
    this.sky.groundColor.set(dark ? 0x565b66 : 0x9aa0aa)
    for (const { ground } of this.grounds) ground.setTheme(dark)
    this.invalidate()
  }

  // show draws a frame; field and quantity choose the colours, see app.js.
  show(frame, field, top, quantity, surfaceTop) {
    this.frame = frame
    for (const b of this.rigid) placeRigid(b, frame)
    for (const b of this.soft) b.show(frame, field, top)
    if (this.clip) this.setCut(...this.clip) // new materials
    this.arrows.show(frame)
    this.surfaces.show(frame, quantity, surfaceTop)
    this.invalidate()
  }

  // setCut hides what is beyond the place u of the axis 'x', 'y' or 'z'; '' for no cut.
  setCut(axis, u, flip) {
    this.clip = axis ? [axis, u, flip] : null
    const s = flip ? 1 : -1
    this.plane.normal.set(axis === 'x' ? s : 0, axis === 'y' ? s : 0, axis === 'z' ? s : 0)
    this.plane.constant = -s * u
    const planes = axis ? [this.plane] : null
    for (const b of this.bodies) {
      for (const m of b.meshes) {
        if (!!m.material.clippingPlanes !== !!planes) m.material.needsUpdate = true
        m.material.clippingPlanes = planes
        m.material.userData.cut.value = planes ? 1 : 0
        m.material.clipShadows = true // what is cut away throws none
      }
    }
    this.invalidate()
  }

  // pickAt returns what is at a place of the window: {body, point: [x, y, z] in m,
  // vertex: nearest vertex of the model for deformables}; null for nothing.
  pickAt(x, y) {
    const r = this.canvas.getBoundingClientRect()
    this.scene3.updateMatrixWorld() // the frame may not be drawn yet
    const ray = new THREE.Raycaster()
    ray.setFromCamera(new THREE.Vector2(2 * (x - r.left) / r.width - 1, 1 - 2 * (y - r.top) / r.height), this.camera)
    const targets = this.bodies.filter(b => b.visible && !b.glass).flatMap(b => b.meshes)
    for (const hit of ray.intersectObjects(targets, false)) {
      if (this.clip && this.plane.distanceToPoint(hit.point) < 0) continue
      const body = hit.object.userData.body
      const out = { body, point: hit.point.toArray() }
      if (body.skin) {
        const corners = [hit.face.a, hit.face.b, hit.face.c].map(k => body.skin.vert[k])
        const away = v => Math.hypot(...[0, 1, 2].map(k => body.verts[3 * v + k] - out.point[k]))
        const nearest = corners.reduce((a, b) => (away(b) < away(a) ? b : a))
        out.vertex = body.data.vertices[nearest]
        out.corner = nearest
      }
      return out
    }
    return null
  }

  // cameraKeys writes the camera as keys of a scene file.
  cameraKeys() {
    const list = v => '[' + v.toArray().map(x => Number(x.toPrecision(4))).join(', ') + ']'
    return `render:\n  camera: ${list(this.camera.position)}\n  target: ${list(this.orbit.target)}\n  fov_deg: ${Number(this.fov.toPrecision(4))}\n`
  }
}
