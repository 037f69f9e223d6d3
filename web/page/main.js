// Start: find the source of frames, make the page, show the first frame.

import { openSource } from './source.js'
import { App } from './app.js'

async function start() {
  const source = await openSource()
  const app = new App(source)
  window.curlfree = app // for consoles and tests
  if (source.live) return
  // a recording opens where its picture is taken, and plays from the start
  await app.timeline.seek(0)
  document.body.classList.add('ready')
}

start().then(() => document.body.classList.add('ready')).catch(err => {
  document.getElementById('fault').textContent = err.message
  document.getElementById('fault').hidden = false
  console.error(err)
})
