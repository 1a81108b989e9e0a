/** The thread of the memory guard: looks at the memory of busy processes every few milliseconds, and kills one that takes more than it may. */
import { workerData } from 'node:worker_threads';
import { Cell, cellOf, Part } from './guard-cells.ts';
import { PrivateMemory } from './private-memory.ts';

/** Milliseconds between two looks, and while a process grows fast. */
const PACE_MS = 4;
const FAST_PACE_MS = 1;
/** Growth between two looks, in bytes, that is fast. */
const FAST = 2 << 20;
/** A process that was busy is looked at for so much longer: the engine may hear late that it has begun something else. */
const LINGER_MS = 100;

interface Watched {
  readonly pid: number;
  readonly memory: PrivateMemory;
  bytes: number;
  busyUntil: number;
}

const cells = workerData as Int32Array<SharedArrayBuffer>;
const watched = new Map<number, Watched>();

const read = (place: number, part: number): number => Atomics.load(cells, cellOf(place, part));

function forget(place: number): void {
  watched.get(place)?.memory.close();
  watched.delete(place);
}

function watchedAt(place: number): Watched | null {
  const pid = read(place, Part.PID);
  const known = watched.get(place);
  if (known !== undefined && known.pid === pid) return known;
  forget(place);
  if (pid === 0) return null;
  const found = { pid, memory: new PrivateMemory(pid), bytes: 0, busyUntil: 0 };
  watched.set(place, found);
  return found;
}

/** Looks at a process. Returns the milliseconds until the next look; Infinity: when there is something new. */
function look(place: number, now: number): number {
  const process = watchedAt(place);
  if (process === null) return Infinity;
  const busy = read(place, Part.BUSY) === 1;
  if (busy) process.busyUntil = now + LINGER_MS;
  if (now > process.busyUntil) return Infinity;
  const bytes = process.memory.read();
  const bound = read(place, Part.BOUND) * 1024;
  const grew = bytes - process.bytes;
  // One that is done gives back what it took, which takes a moment.
  if (bound > 0 && bytes > bound && (busy || grew > 0)) kill(place, process.pid);
  process.bytes = bytes;
  return grew > FAST ? FAST_PACE_MS : PACE_MS;
}

function kill(place: number, pid: number): void {
  Atomics.store(cells, cellOf(place, Part.HEAVY), 1);
  process.kill(pid, 'SIGKILL');
}

/** Like `look`; a process that has ended is looked at no more. */
function lookSafely(place: number, now: number): number {
  try {
    return look(place, now);
  } catch {
    return Infinity;
  }
}

/** Looks at all processes. Returns the milliseconds until the next look. */
function lookAtAll(): number {
  const now = performance.now();
  let wait = Infinity;
  for (let place = 0; place < Atomics.load(cells, Cell.USED); place++) wait = Math.min(wait, lookSafely(place, now));
  return wait;
}

for (;;) {
  const seen = Atomics.load(cells, Cell.WAKE);
  let wait = lookAtAll();
  if (wait === Infinity) {
    // Whatever became busy before the cell was set is seen by one look more; what comes later wakes it.
    Atomics.store(cells, Cell.ASLEEP, 1);
    wait = lookAtAll();
    if (wait !== Infinity) Atomics.store(cells, Cell.ASLEEP, 0);
  }
  Atomics.wait(cells, Cell.WAKE, seen, wait);
}
