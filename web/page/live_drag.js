// Dragging bodies of a live run: a spring between the point that was picked and the pointer,
// in the plane of that point which faces the camera. Its place is sent again every 100 ms: what
// a page drags that hangs is let go.

import * as THREE from 'three'
import { el } from './dom.js'

const period = 33, confirm = 100 // ms between two messages, of a pointer that moves and of one that rests

export function addDrag(app, link) {
  const { view } = app, dom = view.parent
  let hand = false, held = null, last = 0
  const toggle = el('button', { type: 'button', class: 'text', id: 'live-drag', 'aria-pressed': false, title: 'Drag bodies (g), or hold Ctrl', onclick: () => set(!hand) }, 'Drag bodies')
  app.toolbar.prepend(toggle)
  const set = on => {
    hand = on
    toggle.setAttribute('aria-pressed', on)
    toggle.style.background = on ? 'var(--on)' : ''
    view.canvas.style.cursor = on ? 'grab' : ''
  }
  app.key('g', 'drag bodies with the pointer', () => set(!hand))

  const line = new THREE.Line(new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(new Float32Array(6), 3)),
    new THREE.LineBasicMaterial({ color: 0xd62d48, depthTest: false }))
  const ball = new THREE.Mesh(new THREE.SphereGeometry(view.size / 120, 16, 12), new THREE.MeshBasicMaterial({ color: 0xd62d48, depthTest: false }))
  line.frustumCulled = line.visible = ball.visible = false
  line.renderOrder = ball.renderOrder = 10
  view.overlay.add(line, ball)

  // where the picked point is in a frame
  const place = frame => {
    if (held.corner !== undefined) return new THREE.Vector3().fromArray(frame.verts[held.body.index], 3 * held.corner)
    return held.local.clone().applyQuaternion(held.body.group.quaternion).add(held.body.group.position)
  }
  const draw = () => {
    line.visible = ball.visible = !!held
    if (held) {
      const p = place(app.frame), a = line.geometry.attributes.position
      p.toArray(a.array, 0)
      held.target.toArray(a.array, 3)
      a.needsUpdate = true
      ball.position.copy(held.target)
    }
    view.invalidate()
  }
  const send = now => {
    const drag = { body: held.body.name, target: held.target.toArray() }
    if (held.vertex !== undefined) drag.vertex = held.vertex
    else drag.point = held.local.toArray()
    link.send({ input: { drag } })
    last = now
    held.sent = true
  }
  // the place of the pointer in the plane of the drag
  const at = e => {
    const r = view.canvas.getBoundingClientRect(), ray = new THREE.Raycaster()
    ray.setFromCamera(new THREE.Vector2(2 * (e.clientX - r.left) / r.width - 1, 1 - 2 * (e.clientY - r.top) / r.height), view.camera)
    return ray.ray.intersectPlane(held.plane, new THREE.Vector3())
  }
  // before the camera's controls, which would turn it
  dom.addEventListener('pointerdown', e => {
    if (e.button !== 0 || !(hand || e.ctrlKey)) return
    const hit = view.pickAt(e.clientX, e.clientY)
    if (!hit || hit.body.number < 0) return
    const point = new THREE.Vector3().fromArray(hit.point)
    held = { body: hit.body, target: point, plane: new THREE.Plane().setFromNormalAndCoplanarPoint(view.camera.getWorldDirection(new THREE.Vector3()), point) }
    if (hit.vertex !== undefined) Object.assign(held, { vertex: hit.vertex, corner: hit.corner })
    else held.local = point.clone().sub(hit.body.group.position).applyQuaternion(hit.body.group.quaternion.clone().invert())
    view.orbit.enabled = false
    dom.setPointerCapture(e.pointerId)
    send(performance.now())
    draw()
  }, true)
  dom.addEventListener('pointermove', e => {
    if (!held) return
    const target = at(e)
    if (!target) return
    held.target = target
    const now = performance.now()
    if (now - last >= period) send(now)
    else if (!held.later) held.later = setTimeout(() => { if (held) { held.later = 0; send(performance.now()) } }, period)
    draw()
  })
  const hold = () => held && performance.now() - last >= confirm && send(performance.now())
  setInterval(hold, confirm / 2)
  const drop = () => {
    if (!held) return
    clearTimeout(held.later)
    held = null
    view.orbit.enabled = true
    link.send({ input: { drag: {} } })
    draw()
  }
  dom.addEventListener('pointerup', drop)
  dom.addEventListener('pointercancel', drop)
  window.addEventListener('blur', drop)
  app.onFrame.push(() => {
    if (!held) return
    hold() // timers of a busy page come late
    draw()
  })
  app.dragged = () => held // for tests
  return null
}
