import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { fileOf, sluicebox } from './run-cli.ts';

const FOLDER = resolve(import.meta.dirname, '../../resources/examples');

/** What the example configurations print about the sample logs. */
const PRINTED: Readonly<Record<string, RegExp>> = {
  'http-status.toml': /"name":"HTTP_500"[\s\S]*\n(nan\t[\d\t]+nan\t\w+\tnan\n)+/,
  'line-protocol.toml': /^web,Type=web,status=200 value=\d+\.000000 \d{13}\n/,
  'message-kinds.toml': /\n {4}syslog \[4993\]\n/,
  'patterns.toml': /^Failed password for invalid user <\*> from <ip> port <num> ssh2\t\d+$[\s\S]*^new pattern: apt-daily\.service: /m,
  'rare-lines.toml': /^Failed to start logrotate\.service - Rotate log files\.\t1$/m,
  'rate-by-status.toml': /^\{"time":\d+,"rows":24,"columns":6,.*"name":"All".*"name":"200"/m,
  'response-sizes.toml': /"name":"p99","unit":"B"/,
  'silent-programs.toml': /^Fields\[programname\] \w+: silent since [\d-]+T[\d:.]+Z \(\d+ s\)$/m,
  'top-clients.toml': /^Fields\[remote_addr\]\tWeight\n(\S+\t\d+\n)+/m,
  'visitors.toml': /"rows":7,.*"name":"remote_addr"/,
};

let state = '';
beforeAll(() => {
  state = join(fileOf('examples', ''), '..', 'examples-state');
});

it('is tested for each example', () => {
  expect(readdirSync(FOLDER).toSorted()).toEqual(Object.keys(PRINTED));
});

it.each(Object.entries(PRINTED))('%s runs on its sample log, and prints the same each time', async (name, printed) => {
  const run = async (folder: string): Promise<string> => {
    const { code, err, out } = await sluicebox(['run', join(FOLDER, name), '--until-idle'], '', { SLUICEBOX_DATA: join(state, folder) });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    return out;
  };
  const [first, second] = await Promise.all([run('first'), run('second')]);
  expect(first).toMatch(printed);
  expect(second).toBe(first);
});
