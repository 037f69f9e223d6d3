// The list of bodies: show, make transparent, pick.

import { button, el, icons } from './dom.js'

const MANY = 12 // bodies from which on a filter helps

export class Tree {
  constructor(parent, view, pick) {
    this.view = view
    this.rows = new Map()
    const list = el('ul', { class: 'tree', 'aria-label': 'Bodies' })
    for (const body of view.bodies) {
      if (!body.meshes.length && !body.data) continue // nothing to show
      const eye = button(`Show ${body.name}`, icons.eye, () => {
        body.setVisible(!body.visible)
        this.update()
      }, { class: 'toggle' })
      const glass = button(`Make ${body.name} transparent`, icons.glass, () => {
        body.setGlass(!body.glass)
        this.update()
      }, { class: 'toggle' })
      const color = body.data ? body.data.color : '#' + body.meshes[0].material.color.getHexString()
      const name = el('button', { type: 'button', class: 'name', onclick: () => pick(body) }, el('span', { class: 'dot', style: `background:${color}` }), body.name)
      const row = el('li', {}, name, glass, eye)
      this.rows.set(body, { row, eye, glass })
      list.append(row)
    }
    const all = this.view.bodies
    const bar = el('div', { class: 'bar' },
      el('button', { type: 'button', class: 'text', onclick: () => this.each(all, b => { b.setVisible(true); b.setGlass(false) }) }, 'Show all'),
      el('button', { type: 'button', class: 'text', onclick: () => this.each(all, b => b.setGlass(true)) }, 'All transparent'))
    if (this.rows.size > MANY) {
      bar.append(el('input', {
        type: 'search', placeholder: 'Filter', 'aria-label': 'Filter bodies by name',
        oninput: e => { for (const [b, r] of this.rows) r.row.hidden = !b.name.includes(e.target.value) },
      }))
    }
    parent.append(bar, list)
    this.update()
  }

  each(bodies, change) {
    bodies.forEach(change)
    this.update()
  }

  update() {
    for (const [body, { eye, glass, row }] of this.rows) {
      eye.setAttribute('aria-pressed', body.visible)
      glass.setAttribute('aria-pressed', body.glass)
      row.classList.toggle('off', !body.visible)
    }
    this.view.invalidate()
  }

  mark(picked) {
    for (const [body, { row }] of this.rows) row.classList.toggle('picked', body === picked)
  }
}
