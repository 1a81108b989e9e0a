// Waits of a user who works in the window: the shell sends real clicks, wheels and keys, the page measures when it has painted what they ask for.
/* global performance, document, requestAnimationFrame, window, addEventListener, MessageChannel, setTimeout */
'use strict';

const SCROLL_MS = 3000;
const FOLLOW_MS = 5000;
/** A double click means something else. */
const PAUSE_MS = 700;
/** Milliseconds within which an element appears. */
const LONGEST_WAIT_MS = 20_000;
/** Text that the filter looks for. */
const TEXT = '404';

const FILTER = 'input[aria-label="Filter by text or field"]';
const SCROLL_BAR = '[role="scrollbar"][aria-label="Records"]';

/** @param {number} ms @returns {Promise<void>} */
const delay = (ms) => new Promise((done) => void setTimeout(done, ms));

/**
 * Works in a window whose files are read.
 * @param {import('electron').BrowserWindow} window
 * @param {number} times that each is done
 * @param {() => void} following is called when the window follows its file
 */
async function use(window, times, following) {
  const { webContents } = window;
  /** @param {Function} work @param {unknown[]} given @returns {Promise<any>} */
  const page = (work, ...given) => webContents.executeJavaScript(`(${String(work)})(...${JSON.stringify(given)})`);
  const key = (/** @type {string} */ keyCode) => {
    webContents.sendInputEvent({ type: 'keyDown', keyCode });
    webContents.sendInputEvent({ type: 'keyUp', keyCode });
  };
  const place = async (/** @type {string} */ selector, down = 0.5) => {
    for (const end = Date.now() + LONGEST_WAIT_MS; Date.now() < end; await delay(50)) {
      const point = await page(pointIn, selector, down);
      if (point !== null) return point;
    }
    throw new Error(`there is no ${selector}`);
  };
  const click = async (/** @type {string} */ selector, down = 0.5) => {
    const { x, y } = await place(selector, down);
    webContents.sendInputEvent({ type: 'mouseMove', x, y });
    webContents.sendInputEvent({ type: 'mouseDown', x, y, button: 'left', clickCount: 1 });
    webContents.sendInputEvent({ type: 'mouseUp', x, y, button: 'left', clickCount: 1 });
  };
  /** @param {string} expected @param {() => Promise<void>} act @returns {Promise<number>} */
  const painted = async (expected, act) => {
    await page((/** @type {string} */ what) => void window.bench.arm(what), expected);
    await act();
    const ms = await page(() => window.bench.painted);
    await delay(PAUSE_MS);
    return ms;
  };
  const settled = async () => {
    while (await page(() => document.querySelector('progress[aria-label="Filtering"]') !== null)) await delay(50);
  };
  /** @param {(round: number) => Promise<number>} work */
  const rounds = async (work) => {
    const found = [];
    for (let round = 0; round < times; round++) found.push(await work(round));
    return found;
  };

  await page(install, TEXT);
  const jump = await rounds((round) => painted('moved', () => click(SCROLL_BAR, 0.1 + ((round * 7) % 10) / 12)));
  const record = await rounds((round) => painted('inspected', () => click(`[role="grid"] [data-row]:nth-child(${3 + 2 * round})`)));

  await click(FILTER);
  await webContents.insertText(TEXT);
  key('Return');
  await settled();
  const filter = await rounds(async () => {
    await delay(PAUSE_MS);
    await painted('all', () => click('.chip .label'));
    await settled();
    const ms = await painted('filtered', () => click('.chip .label'));
    await settled();
    return ms;
  });
  await click('.chip .label');
  await settled();

  const { x, y } = await place('[role="grid"]');
  await click(SCROLL_BAR, 0.2);
  await delay(PAUSE_MS);
  await page(() => void window.bench.watch());
  for (const end = Date.now() + SCROLL_MS; Date.now() < end; await delay(16))
    webContents.sendInputEvent({ type: 'mouseWheel', x, y, deltaX: 0, deltaY: -180, canScroll: true });
  const scroll = await page(() => window.bench.seen());

  await click('[role="grid"] [data-row]:nth-child(3)');
  key('End');
  await delay(PAUSE_MS);
  following();
  await page(() => void window.bench.watch());
  await delay(FOLLOW_MS);
  const follow = await page(() => window.bench.seen());
  return { jump, record, filter, scroll: scroll.frames, follow: follow.frames, ages: follow.ages };
}

/** In the page: a point of an element; null: it is not there yet. @param {string} selector @param {number} down share of its height */
function pointIn(selector, down) {
  const found = document.querySelector(selector);
  if (found === null) return null;
  const { left, top, width, height } = found.getBoundingClientRect();
  return { x: Math.round(left + width / 2), y: Math.round(top + height * down) };
}

/** In the page: what measures. @param {string} text what the filter looks for */
function install(text) {
  const rows = () => /** @type {HTMLElement[]} */ ([...document.querySelectorAll('[role="grid"] [data-row]')]);
  const first = () => rows()[0]?.dataset.row ?? '';
  const inspector = () => document.querySelector('[data-part="inspector"]')?.textContent ?? '';
  // Some rows have the text in a column without room.
  const filtered = () => {
    const all = rows();
    return all.length > 0 && all.filter(({ textContent }) => textContent.includes(text)).length > all.length / 2;
  };
  /** @type {{ frames: number[], ages: number[], running: boolean }} */
  let look = { frames: [], ages: [], running: false };

  window.bench = {
    painted: Promise.resolve(0),
    /** Measures from the next click until what is expected is painted. */
    arm(/** @type {'moved' | 'inspected' | 'filtered' | 'all'} */ expected) {
      const before = { first: first(), inspector: inspector() };
      const fits = {
        moved: () => first() !== '' && first() !== before.first,
        inspected: () => inspector() !== before.inspector,
        filtered,
        all: () => rows().length > 0 && !filtered(),
      }[expected];
      this.painted = new Promise((resolve) => {
        const begin = (/** @type {Event} */ { timeStamp }) => {
          const watch = () => {
            if (!fits()) return void requestAnimationFrame(watch);
            // Its message comes when the frame is painted.
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => resolve(performance.now() - timeStamp);
            port2.postMessage(null);
          };
          requestAnimationFrame(watch);
        };
        addEventListener('pointerdown', begin, { capture: true, once: true });
      });
    },
    /** Counts frames from now on, and the age of the newest line that each shows. */
    watch() {
      const mine = (look = { frames: [], ages: [], running: true });
      let last = 0;
      let newest = 0;
      const frame = (/** @type {number} */ time) => {
        if (!mine.running) return;
        if (last > 0) mine.frames.push(time - last);
        last = time;
        const written = Number(/\/at\/(\d+)/.exec(rows().at(-1)?.textContent ?? '')?.[1] ?? 0);
        if (written > newest) mine.ages.push(Date.now() - written);
        newest = Math.max(newest, written);
        requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
    },
    seen() {
      look.running = false;
      return look;
    },
  };
}

module.exports = { use };
