// Loaded into the shell before its own code (electron --require). Tells, in lines of JSON on standard output, when the window is shown, and
// what the page saw once all files are read.
/* global process, performance, document, requestAnimationFrame, window */
'use strict';
const { app } = require('electron');
const { use } = require('./window-use-probe.cjs');

/** @param {string} mark @param {unknown} value */
const tell = (mark, value) => process.stdout.write(`${JSON.stringify({ mark, value, at: Date.now() })}\n`);

app.on('browser-window-created', (_event, window) => {
  window.once('show', () => tell('shown', null));
  window.webContents.once('dom-ready', () => {
    const files = process.env.SLUICEBOX_BENCH_FILES === '1';
    const watched = window.webContents.executeJavaScript(`(${String(watch)})(${files})`).then((seen) => tell('seen', seen));
    const rounds = Number(process.env.SLUICEBOX_BENCH_USE);
    const used =
      rounds > 0 ? watched.then(() => use(window, rounds, () => tell('following', null))).then((seen) => tell('used', seen)) : watched;
    used.catch((error) => tell('failed', String(error)));
  });
});

/**
 * Runs in the page: resolves when all files are read; without files, when the engine has answered.
 * @param {boolean} files
 */
function watch(files) {
  const seen = { usable: 0, rows: 0, read: 0, records: 0, frames: /** @type {number[]} */ ([]) };
  const now = () => Math.round(performance.timeOrigin + performance.now());
  return new Promise((resolve) => {
    let last = 0;
    const frame = (/** @type {number} */ time) => {
      if (seen.usable > 0) seen.frames.push(time - last);
      last = time;
      if (seen.usable === 0 && document.querySelector('[data-part="status"] [title^="Records in the workspace"]')) {
        seen.usable = now();
        if (!files) resolve(seen);
      }
      if (seen.rows === 0 && document.querySelector('[role="grid"] [data-row]')) seen.rows = now();
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    /** @type {Map<number, { id: number, state: string, records: number }>} Sources come only when they have changed. */
    const known = new Map();
    // @ts-ignore The page's own.
    window.sluicebox.on(
      'state',
      (/** @type {{ sources: { changed: { id: number, state: string, records: number }[] } }} */ { sources }) => {
        for (const source of sources.changed) known.set(source.id, source);
        const all = [...known.values()];
        seen.records = all.reduce((sum, { records }) => sum + records, 0);
        const busy = all.some(({ state }) => state === 'opening' || state === 'reading');
        if (busy || seen.records === 0 || seen.read > 0) return;
        seen.read = now();
        resolve(seen);
      },
    );
  });
}
