// Loaded into the shell before its own code (electron --require): tells on standard output, as lines of JSON, when the window is shown, and,
// when all sources are read, what the page saw until then.
'use strict';
const { app } = require('electron');

const tell = (/** @type {string} */ mark, /** @type {unknown} */ value) =>
  process.stdout.write(`${JSON.stringify({ mark, value, at: Date.now() })}\n`);

app.on('browser-window-created', (_event, window) => {
  tell('created', null);
  window.once('show', () => tell('shown', null));
  window.webContents.once('dom-ready', () => {
    tell('dom', null);
    window.webContents.executeJavaScript(`(${String(watch)})()`).then(
      (seen) => tell('seen', seen),
      (error) => tell('failed', String(error)),
    );
  });
});

/** Runs in the page: resolves when the engine has read all files, or, without files, when it has answered. */
function watch() {
  const seen = { usable: 0, rows: 0, decoded: 0, read: 0, records: 0, frames: /** @type {number[]} */ ([]), navigation: performance.timeOrigin };
  const now = () => Math.round(performance.timeOrigin + performance.now());
  return new Promise((resolve) => {
    let last = 0;
    const frame = (/** @type {number} */ time) => {
      if (seen.usable > 0 && last > 0) seen.frames.push(time - last);
      last = time;
      if (seen.usable === 0 && document.querySelector('[data-part="status"] [title="Records in the workspace"]')) seen.usable = now();
      const rows = document.querySelectorAll('[role="grid"] [data-row]');
      if (seen.rows === 0 && rows.length > 0) seen.rows = now();
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    // @ts-ignore The page's own.
    window.sluicebox.on('state', (/** @type {{ sources: { state: string, records: number }[] }} */ state) => {
      if (seen.read > 0) return;
      const { sources } = state;
      seen.records = sources.reduce((sum, source) => sum + source.records, 0);
      const busy = sources.length === 0 || sources.some((source) => source.state === 'opening' || source.state === 'reading');
      if (busy || seen.records === 0) return;
      seen.read = now();
      resolve(seen);
    });
    const empty = location.hash === '#empty';
    if (empty) resolve(seen);
    setTimeout(() => seen.records === 0 && resolve(seen), 8000);
  });
}
