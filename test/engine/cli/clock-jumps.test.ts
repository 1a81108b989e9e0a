/** The whole service while the clock of the machine jumps; with libfaketime, where it is installed. */
import { appendFileSync, existsSync, globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { until } from '../../until.ts';
import { startCommand } from './start-command.ts';

const [LIBRARY] = globSync('/usr/lib/*/faketime/libfaketime.so.1');

it.runIf(LIBRARY !== undefined)('records and ticks flow on when the clock is set ahead and back', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-clock-'));
  const at = (name: string): string => join(folder, name);
  const setClock = (offset: string): void => writeFileSync(at('offset'), `${offset}\n`);
  const linesOf = (name: string): string[] => (existsSync(at(name)) ? readFileSync(at(name), 'utf8').split('\n').slice(0, -1) : []);
  writeFileSync(at('in.log'), '');
  writeFileSync(at('payload.js'), 'function process_message() { inject_payload("txt", "", `${read_message("Payload")}\\n`); return 0; }\n');
  writeFileSync(
    at('tick.js'),
    'let seen = 0;\nfunction process_message() { seen++; return 0; }\n' +
      'function timer_event(ns) { inject_payload("txt", "seen", `${seen}`); }\n',
  );
  writeFileSync(
    at('p.toml'),
    `[in]
type = "FileInput"
paths = [${JSON.stringify(at('in.log'))}]
[count]
type = "SandboxFilter"
filename = "tick.js"
message_matcher = "Type == 'logfile'"
ticker_interval = 1
[payload]
type = "SandboxEncoder"
filename = "payload.js"
[ticks]
type = "FileOutput"
path = ${JSON.stringify(at('ticks.txt'))}
message_matcher = "Fields[payload_name] == 'seen'"
encoder = "payload"
[out]
type = "FileOutput"
path = ${JSON.stringify(at('out.txt'))}
message_matcher = "Type == 'logfile'"
encoder = "payload"
use_buffering = true
[times]
type = "FileOutput"
path = ${JSON.stringify(at('times.txt'))}
message_matcher = "Type == 'logfile'"
encoder = "json"
`,
  );
  setClock('+0');
  const clock = { FAKETIME_TIMESTAMP_FILE: at('offset'), FAKETIME_NO_CACHE: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1', NO_FAKE_STAT: '1' };
  await using service = startCommand(['run', at('p.toml')], {
    env: { SLUICEBOX_DATA: at('data'), LD_PRELOAD: LIBRARY as string, ...clock },
  });
  const lines: string[] = [];
  for (const offset of ['+1h', '+10y', '-10y', '+0']) {
    setClock(offset);
    // The second line has no end: it is delivered after a second of silence, and what follows on its own.
    lines.push(`${lines.length} whole at ${offset}`, `${lines.length + 1} open at ${offset}`);
    appendFileSync(at('in.log'), lines.slice(-2).join('\n'));
    await until(
      () => linesOf('out.txt').length === lines.length,
      () => `line ${lines.length} at ${offset}: ${service.err()}`,
    );
    await until(() => linesOf('ticks.txt').at(-1) === String(lines.length), `the tick at ${offset}`);
  }
  service.child.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  expect(linesOf('out.txt')).toEqual(lines);
  const years = linesOf('times.txt').map((line) => {
    const { Timestamp } = JSON.parse(line) as { Timestamp: string };
    return new Date(Number(BigInt(Timestamp) / 1_000_000n)).getUTCFullYear() - new Date().getUTCFullYear();
  });
  expect(years.slice(2, 6).map((year) => Math.round(year / 10))).toEqual([1, 1, -1, -1]);
  expect(service.err()).toBe('');
});
