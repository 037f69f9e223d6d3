// Panels of a live run: see app.js for what a panel can use.

export function addControls(app, socket) {}
