import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync, appendFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Service } from '../service.ts';
import { slopeOf, type Point } from './slope.ts';

export interface GrowthOptions {
  readonly minutes: number;
  /** Lines in a second. */
  readonly rate: number;
}

export interface GrowthResult {
  readonly lines: number;
  /** MB of memory a minute that each kind of process grew by after it was warm. */
  readonly slopes: Readonly<Record<'engine' | 'hosts', number>>;
  /** MB at the end. */
  readonly sizes: Readonly<Record<'engine' | 'hosts', number>>;
  readonly problem: string | null;
}

/** Part of the time in which code is compiled and pools fill. */
const WARM = 0.4;
const PACE_MS = 20;
const LOOK_MS = 2000;
const ROTATED_BYTES = 30 << 20;
const SAMPLE = join(import.meta.dirname, '../../../resources/samples/access.log');

const FILTER = `const seen = new Map();
function process_message() { const status = read_message('Fields[status]'); seen.set(status, (seen.get(status) ?? 0) + 1); return 0; }
function timer_event() { inject_payload('json', 'seen', JSON.stringify([...seen])); }
`;

/** Has a service read a log for long, and looks how much memory it holds. */
export async function growthSoak({ minutes, rate }: GrowthOptions): Promise<GrowthResult> {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-growth-'));
  const log = join(folder, 'access.log');
  writeFileSync(log, '');
  const service = new Service(configure(folder, log), folder);
  const sample = readFileSync(SAMPLE, 'utf8').trim().split('\n');
  const points: Record<'engine' | 'hosts', Point[]> = { engine: [], hosts: [] };
  const start = performance.now();
  let [lines, bytes, looked] = [0, 0, 0];
  try {
    for (let now = start; now - start < minutes * 60_000 && service.isRunning; now = performance.now()) {
      const due = Math.min(rate, Math.floor(((now - start) / 1000) * rate) - lines);
      const text = Array.from({ length: due }, (_, i) => `${sample[(lines + i) % sample.length]}\n`).join('');
      appendFileSync(log, text);
      lines += due;
      bytes += text.length;
      if (bytes > ROTATED_BYTES) {
        renameSync(log, `${log}.1`);
        writeFileSync(log, '');
        bytes = 0;
      }
      if (now - looked > LOOK_MS) {
        looked = now;
        const at = (now - start) / 60_000;
        points.engine.push([at, heldBy(service.pid)]);
        points.hosts.push([at, service.hosts().reduce((sum, pid) => sum + heldBy(pid), 0)]);
      }
      await delay(PACE_MS);
    }
    const problem = service.isRunning ? null : `the service has ended by itself:\n${service.said}`;
    await service.stop();
    const warm = (all: readonly Point[]): readonly Point[] => all.filter(([at]) => at >= minutes * WARM);
    const last = (all: readonly Point[]): number => all.at(-1)?.[1] ?? NaN;
    return {
      lines,
      slopes: { engine: slopeOf(warm(points.engine)), hosts: slopeOf(warm(points.hosts)) },
      sizes: { engine: last(points.engine), hosts: last(points.hosts) },
      problem,
    };
  } finally {
    await service.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

function configure(folder: string, log: string): string {
  const path = (name: string): string => JSON.stringify(join(folder, name));
  writeFileSync(join(folder, 'seen.js'), FILTER);
  writeFileSync(
    join(folder, 'growth.toml'),
    `[svcd]\nbase_dir = ${path('base')}
[logs]\ntype = "FileInput"\npaths = [${JSON.stringify(log)}]\ndecoder = "auto"
[seen]\ntype = "SandboxFilter"\nfilename = ${path('seen.js')}\nmessage_matcher = "Type == 'nginx.access'"\nticker_interval = 5\npreserve_data = true
[missing]\ntype = "FileOutput"\npath = ${path('missing.json')}\nencoder = "json"\nmessage_matcher = "Fields[status] == 404"
`,
  );
  return join(folder, 'growth.toml');
}

/** MB that a process alone holds; 0: it is gone. */
function heldBy(pid: number): number {
  try {
    return (Number(/^RssAnon:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024) / 1e6;
  } catch {
    return 0;
  }
}
