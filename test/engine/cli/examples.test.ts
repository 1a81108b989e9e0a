import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { fileOf, sluicebox } from './run-cli.ts';

const FOLDER = resolve(import.meta.dirname, '../../../resources/examples');

/** Output of the example configurations for the sample logs. */
const PRINTED: Readonly<Record<string, RegExp>> = {
  'full-disks.toml': /^disk \/var is 97 % full\n1 of the disks are nearly full\n$/,
  'http-status.toml':
    /^Timestamp: 2026-03-17T05:30:20Z\nHostname: .+\nPlugin: http_status\nAlert: HTTP Status - algorithm: roc col: 4 msg: detected anomaly/,
  'line-protocol.toml': /^web,Type=web,status=200 value=\d+\.000000 \d{13}\n/,
  'message-kinds.toml': /\n {4}syslog \[4994\]\n/,
  'patterns.toml': /^Failed password for invalid user <\*> from <ip> port <num> ssh2\t\d+$[\s\S]*^new pattern: apt-daily\.service: /m,
  'rare-lines.toml': /^Failed to start logrotate\.service - Rotate log files\.\t1$/m,
  'rate-by-status.toml': /^\{"time":\d+,"rows":24,"columns":11,.*"name":"All".*"name":"200"/m,
  'response-sizes.toml': /"name":"p99","unit":"B"/,
  'silent-programs.toml': /^Fields\[programname\] \w+: silent since [\d-]+T[\d:.]+Z \(\d+ s\)$/m,
  'top-clients.toml': /^Fields\[remote_addr\]\tWeight\n(\S+\t\d+\n)+/m,
  'visitors.toml': /"rows":7,.*"name":"remote_addr"/,
};

/** These look at what happens now; they are run in live-inputs.test.ts. */
const LIVE = ['statsd.toml', 'workstation.toml'];

let state = '';
beforeAll(() => {
  state = join(fileOf('examples', ''), '..', 'examples-state');
});

it('is tested for each example', () => {
  expect(
    readdirSync(FOLDER)
      .filter((name) => name.endsWith('.toml'))
      .toSorted(),
  ).toEqual([...Object.keys(PRINTED), ...LIVE].toSorted());
});

/** The sample logs have lines that are no records of their format. */
const REFUSED = /^sluicebox: \S+ \S+ \[\w+\] \d+ records? (?:was|were) refused by the decoder and dropped/;

/** Output that an example's comment announces: lines behind `#   `, with `→` for tabs and `…` for parts that are left out. */
function announced(name: string): string[] {
  const lines = readFileSync(join(FOLDER, name), 'utf8').split('\n');
  return lines.filter((line) => line.startsWith('#   ')).map((line) => line.slice(4).replaceAll(' → ', '\t'));
}

/** Whether one of the lines printed is this one. */
function isAmong(printed: readonly string[], line: string): boolean {
  const [start = '', ...parts] = line.split('…');
  if (parts.length === 0) return printed.includes(line);
  return printed.some((other) => other.startsWith(start) && parts.every((part) => other.includes(part)));
}

it.each(Object.entries(PRINTED))('%s runs on its sample log, and prints what it says, the same each time', async (name, printed) => {
  const run = async (folder: string): Promise<string> => {
    const { code, err, out } = await sluicebox(['run', join(FOLDER, name), '--until-idle'], '', { SLUICEBOX_DATA: join(state, folder) });
    expect(err.split('\n').filter((line) => line !== '' && !REFUSED.test(line))).toEqual([]);
    expect(code).toBe(0);
    return out;
  };
  const [first, second] = await Promise.all([run('first'), run('second')]);
  expect(first).toMatch(printed);
  expect(second).toBe(first);
  const lines = first.split('\n').map((line) => line.trimEnd());
  expect(announced(name)).not.toEqual([]);
  expect(announced(name).filter((line) => !isAmong(lines, line))).toEqual([]);
});
