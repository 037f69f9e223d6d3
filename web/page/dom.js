// Small helpers for elements.

// el makes an element: el('button', {class: 'x', onclick: f, 'aria-label': 'y'}, children…).
export function el(tag, attributes = {}, ...children) {
  const e = document.createElement(tag)
  for (const [k, v] of Object.entries(attributes)) {
    if (v === undefined || v === null || v === false) continue
    if (k.startsWith('on')) e.addEventListener(k.slice(2), v)
    else if (k === 'style') e.style.cssText = v // attributes of that name are refused by the policy of pages
    else e.setAttribute(k, v === true ? '' : v)
  }
  e.append(...children.filter(c => c !== null && c !== undefined))
  return e
}

const NS = 'http://www.w3.org/2000/svg'

// icon makes a picture of 24 by 24 from the data of a path.
export function icon(path) {
  const s = document.createElementNS(NS, 'svg'), p = document.createElementNS(NS, 'path')
  s.setAttribute('viewBox', '0 0 24 24')
  s.setAttribute('aria-hidden', 'true')
  p.setAttribute('d', path)
  s.append(p)
  return s
}

// button with an icon, a name for readers of screens, and the same as a tip.
export const button = (name, path, onclick, attributes = {}) =>
  el('button', { type: 'button', title: name, 'aria-label': name, onclick, ...attributes }, icon(path))

export const icons = {
  play: 'M8 5v14l11-7z', pause: 'M7 5h4v14H7zM13 5h4v14h-4z', next: 'M6 5l9 7-9 7zM16 5h3v14h-3z', back: 'M18 5l-9 7 9 7zM5 5h3v14H5z',
  loop: 'M7 7h9v3l4-4-4-4v3H5v7h2zm10 10H8v-3l-4 4 4 4v-3h11v-7h-2z',
  home: 'M12 3L3 11h3v9h5v-6h2v6h5v-9h3z',
  camera: 'M9 4L7.5 6H4a2 2 0 00-2 2v10a2 2 0 002 2h16a2 2 0 002-2V8a2 2 0 00-2-2h-3.500L15 4zM12 17a4.500 4.500 0 110-9 4.500 4.500 0 010 9z',
  copy: 'M8 2h11a2 2 0 012 2v13h-2V4H8zM5 6h10a2 2 0 012 2v12a2 2 0 01-2 2H5a2 2 0 01-2-2V8a2 2 0 012-2z',
  theme: 'M12 3a9 9 0 100 18 9 9 0 000-18zm0 2v14a7 7 0 010-14z',
  help: 'M12 2a10 10 0 100 20 10 10 0 000-20zm1 17h-2v-2h2zm2-7l-1 1c-.7.7-1 1.300-1 2.500h-2V15c0-1 .4-2 1.100-2.700l1.300-1.300a2 2 0 10-3.400-1.400H8a4 4 0 117 2.400z',
  list: 'M4 5h3v3H4zm5 .5h11v2H9zM4 10.500h3v3H4zm5 .5h11v2H9zM4 16h3v3H4zm5 .5h11v2H9z',
  chart: 'M4 4h2v14h14v2H4zm4 11l4-5 3 3 5-7v3l-5 7-3-3-4 5z',
  eye: 'M12 5C6.500 5 3 12 3 12s3.500 7 9 7 9-7 9-7-3.500-7-9-7zm0 11a4 4 0 110-8 4 4 0 010 8z',
  glass: 'M12 3l9 5v8l-9 5-9-5V8zm0 2.300L6.500 8.300 12 11.400l5.500-3.100zM5 10v5l6 3.300v-5zm14 0l-6 3.300v5l6-3.300z',
}
