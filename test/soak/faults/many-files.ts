import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { slowness } from '../../patience.ts';
import { freePort } from '../../ports.ts';
import { SlowTarget } from '../rotation/slow-target.ts';
import { Service } from '../service.ts';
import { recordText, Tally } from '../tally.ts';
import { settled } from './delivery.ts';
import type { Fault } from './fault.ts';

const RECORDS = 3;
const LATE_MS = 60_000;

/** Reads so many files of one pattern, with at most so many descriptors. */
function many(files: number, limit: number | undefined): Fault {
  return {
    name: `${files.toLocaleString('en')} files in one pattern${limit === undefined ? '' : ` with ulimit -n ${limit}`}`,
    promise: 'once',
    run: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'sluicebox-many-'));
      const tally = new Tally();
      const target = new SlowTarget(Infinity, (line) => tally.count(line, 0));
      const port = await freePort();
      await target.listen(port);
      mkdirSync(join(folder, 'logs'));
      for (let file = 0; file < files; file++) {
        const lines = Array.from({ length: RECORDS }, (_, i) => `${recordText('log', file * RECORDS + i)}\n`);
        writeFileSync(join(folder, 'logs', `${file}.log`), lines.join(''));
      }
      writeFileSync(
        join(folder, 'line.js'),
        `function process_message() { inject_payload('txt', '', read_message('Payload'), '\\n'); return 0; }\n`,
      );
      const config = join(folder, 'many.toml');
      writeFileSync(
        config,
        `[svcd]
base_dir = ${JSON.stringify(join(folder, 'base'))}
[many]
type = "FileInput"
paths = [${JSON.stringify(join(folder, 'logs', '*.log'))}]
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
      const begun = performance.now();
      const service = new Service(config, folder, limit === undefined ? {} : { files: limit });
      try {
        await settled(tally, files * RECORDS);
        const ms = performance.now() - begun;
        await service.stop();
        const { lost, repeated } = tally.figures(new Map([['log', files * RECORDS]]), () => true);
        const late = Math.max(0, Math.round(ms - LATE_MS * slowness()));
        return { tried: 1, lost, repeated, late, note: `read in ${(ms / 1000).toFixed(1)} s`, said: service.said };
      } finally {
        await service.kill();
        await target.close();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

export const manyFiles: readonly Fault[] = [many(10_000, undefined), many(1000, 64)];
