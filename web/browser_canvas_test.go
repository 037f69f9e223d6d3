package web

import (
	"testing"

	"github.com/curlfree/curlfree/web/webtest"
)

// blockPixels counts the magenta pixels of the canvas alone, without waiting for a refresh of the screen.
const blockPixels = `(() => {
	const from = curlfree.view.canvas, to = document.createElement('canvas')
	to.width = from.width
	to.height = from.height
	const c = to.getContext('2d')
	c.drawImage(from, 0, 0)
	const p = c.getImageData(0, 0, to.width, to.height).data
	let n = 0
	for (let i = 0; i < p.length; i += 4) n += p[i] > p[i + 1] + 60 && p[i + 2] > p[i + 1] + 60
	return n
})()`

// The picture is there when the page says that it is ready, and after a change of its size, also where the screen is
// not refreshed any more, as on a machine that is too slow; and after the graphics card has forgotten all.
func TestPicturesDoNotWaitForTheScreen(t *testing.T) {
	p := webtest.New(t, 1000, 560)
	p.Open(onDisk(t, browserRun(t)))
	whole := p.Number(blockPixels)
	if whole < 200 {
		t.Fatalf("%g pixels of the block", whole)
	}
	// nothing is drawn by refreshes from here on; three frames that were asked for may still come
	p.Run(`window.refresh = window.requestAnimationFrame; window.requestAnimationFrame = () => 0; new Promise(done => setTimeout(done, 300))`)
	p.Run(`new Promise(done => {
		const box = document.getElementById('view')
		new ResizeObserver((_, self) => { if (box.clientWidth === 300) { self.disconnect(); setTimeout(done, 0) } }).observe(box)
		box.style.width = '300px'
	})`)
	if n := p.Number(blockPixels); n < 0.1*whole {
		t.Errorf("%g pixels of the block after a change of size, %g before", n, whole)
	}
	// the screen is refreshed again; a lost context comes back without a frame being asked for
	p.Run(`window.requestAnimationFrame = window.refresh; requestAnimationFrame(function loop() { requestAnimationFrame(loop); if (curlfree.view.dirty) curlfree.view.draw() })`)
	p.Run(`new Promise(done => {
		const lose = curlfree.view.renderer.getContext().getExtension('WEBGL_lose_context')
		curlfree.view.canvas.addEventListener('webglcontextrestored', () => setTimeout(done, 0), { once: true })
		curlfree.view.canvas.addEventListener('webglcontextlost', () => setTimeout(() => lose.restoreContext(), 0), { once: true })
		lose.loseContext()
	})`)
	p.Until(blockPixels + ` > ` + webtest.Number(0.1*whole))
}
