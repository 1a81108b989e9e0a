import { rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { slowness } from '../../patience.ts';
import { freePort } from '../../ports.ts';
import { LogWriter } from '../log-writer.ts';
import { Service } from '../service.ts';
import { recordText, Tally, type TallyFigures } from '../tally.ts';
import { SlowTarget } from './slow-target.ts';

export interface RotationOptions {
  /** Files that each log is written to, one after the other. */
  readonly files: number;
  readonly recordsPerFile: number;
  /** Time in which a file is written. */
  readonly fileMs: number;
  /** Whether a pattern fits the rotated files, or the name of the log alone is given. */
  readonly pattern: boolean;
}

export interface RotationResult extends TallyFigures {
  readonly seconds: number;
  /** Records that had come when all were written. */
  readonly inTime: number;
  /** Lost records of each log. */
  readonly lostOf: Readonly<Record<string, number>>;
  /** The last line of the log of the service that says what was lost; empty: none. */
  readonly told: string;
  readonly said: string;
}

const KINDS = { renamed: 'rename', copied: 'copytruncate', packed: 'delayed gzip' } as const;
const LOGS = Object.keys(KINDS) as (keyof typeof KINDS)[];
const KEPT = 3;
/** Share of what is written that the receiver takes meanwhile. */
const SHARE = 1 / 3;
const PACE_MS = 20;
const SILENCE_MS = 15_000;

const ENCODER = `function process_message() {
  inject_payload('txt', '', read_message('Payload'), '\\n');
  return 0;
}
`;

/** Rotates logs faster than they are taken, three older files of each being kept, and counts what comes out. */
export async function rotationSoak({ files, recordsPerFile, fileMs, pattern }: RotationOptions): Promise<RotationResult> {
  const start = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'sluicebox-rotation-'));
  const tally = new Tally();
  const bytesPerSecond = (LOGS.length * recordsPerFile * (recordText('renamed', 100_000).length + 1) * 1000) / fileMs;
  const target = new SlowTarget(bytesPerSecond * SHARE, (line) => tally.count(line, 0));
  const port = await freePort();
  await target.listen(port);
  const logs = LOGS.map((name) => new LogWriter(name, join(folder, `${name}.log`), KINDS[name], recordsPerFile, KEPT));
  const perLog = files * recordsPerFile;
  const total = perLog * LOGS.length;
  for (const log of logs) log.write(1);
  const service = new Service(configuration(folder, port, pattern), folder);
  try {
    await until(() => tally.distinct >= LOGS.length, tally);
    const begun = performance.now();
    while (logs.some(({ written }) => written < perLog)) {
      const due = Math.min(perLog, Math.floor(((performance.now() - begun) / fileMs) * recordsPerFile));
      // Each file is there for a while, also when this process was held up.
      for (const log of logs) log.write(Math.min(due - log.written, Math.ceil(recordsPerFile / 4)));
      await delay(PACE_MS);
    }
    const inTime = tally.distinct;
    target.hurry();
    await until(() => tally.distinct >= total, tally);
    // What would come twice comes behind that: packed files are left alone for a second.
    await delay(2500);
    await service.stop();
    const told = service.said.split('\n').findLast((line) => / lost\b/.test(line)) ?? '';
    const written = new Map(logs.map(({ name, written: count }) => [name, count]));
    const figures = tally.figures(written, () => true);
    const lostOf = Object.fromEntries(
      [...written].map(([name, count]) => [name, tally.figures(new Map([[name, count]]), () => true).lost]),
    );
    return { ...figures, lostOf, seconds: (performance.now() - start) / 1000, inTime, told, said: service.said };
  } finally {
    await service.kill();
    await target.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Waits until a condition holds, or nothing comes any more. */
async function until(condition: () => boolean, tally: Tally): Promise<void> {
  let last = -1;
  for (let since = performance.now(); !condition() && performance.now() - since < SILENCE_MS * slowness();) {
    await delay(20);
    if (tally.distinct !== last) since = performance.now();
    last = tally.distinct;
  }
}

function configuration(folder: string, port: number, pattern: boolean): string {
  writeFileSync(join(folder, 'line.js'), ENCODER);
  const inputs = LOGS.map((name) => {
    const path = join(folder, `${name}.log${pattern ? '*' : ''}`);
    return `[${name}]\ntype = "FileInput"\npaths = [${JSON.stringify(path)}]\n`;
  });
  const path = join(folder, 'rotation.toml');
  writeFileSync(
    path,
    `[svcd]
base_dir = ${JSON.stringify(join(folder, 'base'))}

${inputs.join('\n')}
[line]
type = "SandboxEncoder"
filename = ${JSON.stringify(join(folder, 'line.js'))}

[tcp]
type = "TcpOutput"
address = "127.0.0.1:${port}"
message_matcher = "Type == 'logfile'"
encoder = "line"
use_buffering = false
`,
  );
  return path;
}
