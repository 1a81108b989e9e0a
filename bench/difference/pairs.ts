import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { incidentOf, type Incident } from './incidents.ts';
import { RecordSource } from './records.ts';
import { KINDS, newWorld, timesOf, type World } from './world.ts';
import { written } from './written.ts';

/** Two logs, of a time before and of the time in which something happens, or nothing. */
export interface Pair {
  readonly name: string;
  readonly a: string;
  readonly b: string;
  /** null: it is quiet. */
  readonly incident: Incident | null;
}

/** Writes a pair into a folder. */
export function writePair(folder: string, seed: number, isQuiet: boolean): Pair {
  const kind = KINDS[seed % KINDS.length] as World['kind'];
  const world = newWorld(kind, isQuiet ? seed + 500_000 : seed);
  const incident = isQuiet ? null : incidentOf(world, Math.floor(seed / KINDS.length));
  const source = new RecordSource(world);
  const paths = ([0, 1] as const).map((side) => {
    const path = join(folder, `${kind}-${seed}-${'ab'[side]}.log`);
    writeFileSync(path, textOf(world, source, side, incident));
    return path;
  }) as [string, string];
  return { name: `${kind} ${seed}: ${incident?.name ?? 'quiet'}`, a: paths[0], b: paths[1], incident };
}

function textOf(world: World, source: RecordSource, side: 0 | 1, incident: Incident | null): string {
  let text = '';
  for (const time of timesOf(world, side)) {
    const at = (time - world.start - side * world.length) / world.length;
    const fields = source.next();
    const own = side === 1 && incident !== null ? incident.change(fields, at) : fields;
    const shift = side === 1 ? (incident?.shift?.(at) ?? 0) : 0;
    if (own !== null) text += written(world.kind, time + shift, own);
    const extra = side === 1 ? incident?.extra?.(at) : incident?.extraOfA?.(at);
    if (extra !== null && extra !== undefined) text += written(world.kind, time + shift, extra);
  }
  return text;
}
