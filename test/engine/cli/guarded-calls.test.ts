/** A call with a time limit starts a thread that looks after the clock: a run makes some of them, however long it is. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { expect, test, vi } from 'vitest';
import { testMs } from '../../patience.ts';
import { sluicebox } from './run-cli.ts';

const LINES = 100_000;
/** Lines of a second of the log: a tick of a minute comes with every 1,500 lines. */
const PER_SECOND = 25;

function accessLog(): string {
  const lines: string[] = [];
  for (let i = 0; i < LINES; i++) {
    const time = new Date(Date.UTC(2026, 2, 5) + Math.floor(i / PER_SECOND) * 1000).toISOString();
    const local = `05/Mar/2026:${time.slice(11, 19)} +0000`;
    lines.push(`10.0.${i % 7}.${i % 251} - - [${local}] "GET /a/${i % 997} HTTP/1.1" ${[200, 304, 500][i % 3]} ${i} "-" "curl/8.5.0"\n`);
  }
  return lines.join('');
}

test('a long run with a decoder and a filter makes few calls with a time limit', { timeout: 2 * testMs() }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'guarded-'));
  writeFileSync(join(folder, 'access.log'), accessLog());
  const config = join(folder, 'run.toml');
  writeFileSync(
    config,
    `[svcd]
base_dir = "${folder}/state"
[in]
type = "FileInput"
paths = ["${folder}/access.log"]
follow = false
clock = "message"
decoder = "access"
[access]
type = "SandboxDecoder"
plugin = "nginx_access"
[access.config]
log_format = "combined"
[status]
type = "SandboxFilter"
plugin = "http_status"
message_matcher = "Fields[status] != NIL"
ticker_interval = 60
[out]
type = "FileOutput"
message_matcher = "Fields[payload_name] == 'HTTP Status'"
path = "${folder}/out.txt"
`,
  );
  const run = vi.spyOn(Script.prototype, 'runInContext');
  const { code, err } = await sluicebox(['run', '--until-idle', config]);
  const guarded = run.mock.calls.filter(([, options]) => typeof options === 'object' && options.timeout !== undefined);
  run.mockRestore();
  expect([code, err]).toEqual([0, '']);
  expect(guarded.length).toBeGreaterThan(1);
  expect(guarded.length).toBeLessThanOrEqual(24);
});
