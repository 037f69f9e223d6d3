// Bodies as they are drawn: rigid shapes, and deformables whose surfaces follow frames.

import * as THREE from 'three'
import { Skin } from './skin.js'
import { paint } from './colormap.js'

// material of a surface. Where a cut opens a body, the inner side of its surface is drawn
// in one tone without light, which looks like the face of the cut.
function material(color, soft, cap = color) {
  const m = new THREE.MeshStandardMaterial({
    color, roughness: soft ? 0.7 : 0.45, metalness: soft ? 0 : 0.08, side: THREE.DoubleSide, shadowSide: THREE.DoubleSide,
  })
  const cut = { value: 0 }, tone = { value: new THREE.Color(cap).lerp(new THREE.Color('#ffffff'), 0.18) }
  m.userData.cut = cut
  m.onBeforeCompile = shader => {
    Object.assign(shader.uniforms, { cut, tone })
    shader.fragmentShader = 'uniform float cut;\nuniform vec3 tone;\n' + shader.fragmentShader.replace(
      '#include <opaque_fragment>', 'if (cut > 0.5 && !gl_FrontFacing) outgoingLight = tone;\n#include <opaque_fragment>')
  }
  return m
}

// Body is a rigid body, the world or a deformable: a group of meshes, with its own
// materials, so that it can be hidden or made transparent.
class Body {
  constructor(name, number) {
    this.name = name
    this.number = number
    this.group = new THREE.Group()
    this.meshes = []
    this.visible = true
    this.glass = false
  }

  add(mesh) {
    mesh.userData.body = this
    mesh.castShadow = mesh.receiveShadow = true
    this.meshes.push(mesh)
    this.group.add(mesh)
  }

  setVisible(on) {
    this.visible = on
    this.group.visible = on
  }

  setGlass(on) {
    this.glass = on
    for (const m of this.meshes) {
      m.material.transparent = on
      m.material.opacity = on ? 0.25 : 1
      m.material.depthWrite = !on
      m.castShadow = !on
      m.material.needsUpdate = true
    }
  }

  setMarked(on) {
    for (const m of this.meshes) m.material.emissive?.setHex(on ? 0x2a3a55 : 0)
  }
}

// geometryOf makes the geometry of a rigid surface.
function geometryOf(mesh) {
  const skin = new Skin(mesh.verts, mesh.tris)
  const g = new THREE.BufferGeometry()
  const position = new Float32Array(3 * skin.vert.length), normal = new Float32Array(3 * skin.vert.length)
  skin.place(mesh.verts, position)
  skin.normals(mesh.verts, normal)
  g.setAttribute('position', new THREE.BufferAttribute(position, 3))
  g.setAttribute('normal', new THREE.BufferAttribute(normal, 3))
  g.setIndex(new THREE.BufferAttribute(skin.index, 1))
  return g
}

// rigidBodies returns the bodies of a scene's shapes: the world first if it has shapes,
// grounds are left to ground.js.
export function rigidBodies(scene) {
  const geometries = scene.meshes.map(geometryOf)
  const bodies = new Map()
  for (let b = 0; b < scene.rigid; b++) bodies.set(b, new Body(scene.bodies[b], b))
  for (const s of scene.shapes) {
    if (s.ground) continue
    if (!bodies.has(s.body)) bodies.set(s.body, new Body('world', s.body))
    const mesh = new THREE.Mesh(geometries[s.mesh], material(s.color, false))
    mesh.position.set(...s.pose.slice(0, 3))
    mesh.quaternion.set(s.pose[4], s.pose[5], s.pose[6], s.pose[3])
    mesh.userData.shape = s.name
    bodies.get(s.body).add(mesh)
  }
  return [...bodies.values()]
}

// placeRigid moves a rigid body to its pose in a frame.
export function placeRigid(body, frame) {
  if (body.number < 0) return
  const p = frame.poses, k = 7 * body.number
  body.group.position.set(p[k], p[k + 1], p[k + 2])
  body.group.quaternion.set(p[k + 4], p[k + 5], p[k + 6], p[k + 3]).normalize()
}

// DeformableBody follows the vertices of a surface and shows a field on it.
export class DeformableBody extends Body {
  constructor(scene, i) {
    super(scene.deformables[i].name, scene.rigid + i)
    this.index = i
    this.data = scene.deformables[i]
    this.own = new THREE.Color(this.data.color)
    this.geometry = null
  }

  // build makes the geometry for the vertices of the first frame that arrives.
  build(verts) {
    this.skin = new Skin(verts, this.data.tris)
    const n = this.skin.vert.length
    this.geometry = new THREE.BufferGeometry()
    for (const name of ['position', 'normal', 'color']) {
      const a = new THREE.BufferAttribute(new Float32Array(3 * n), 3)
      a.setUsage(THREE.DynamicDrawUsage)
      this.geometry.setAttribute(name, a)
    }
    this.geometry.setIndex(new THREE.BufferAttribute(this.skin.index, 1))
    const m = material(0xffffff, true, this.data.color)
    m.vertexColors = true
    const mesh = new THREE.Mesh(this.geometry, m)
    mesh.frustumCulled = false
    this.add(mesh)
    this.setGlass(this.glass)
  }

  // show places the surface as in a frame, coloured by the field of index field with the
  // top of the scale; field −1 shows the body's own colour.
  show(frame, field, top) {
    const verts = frame.verts[this.index]
    if (!this.geometry) this.build(verts)
    const { position, normal, color } = this.geometry.attributes
    this.verts = verts
    this.skin.place(verts, position.array)
    this.skin.normals(verts, normal.array)
    const values = field < 0 ? undefined : frame.fields.get(field)?.[this.index]
    const { vert } = this.skin
    for (let k = 0; k < vert.length; k++) {
      if (values) paint(color.array, k, values[vert[k]], top)
      else this.own.toArray(color.array, 3 * k)
    }
    position.needsUpdate = normal.needsUpdate = color.needsUpdate = true
    this.geometry.computeBoundingSphere()
    this.geometry.boundingBox = null
  }
}
