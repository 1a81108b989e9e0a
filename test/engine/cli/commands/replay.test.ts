import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundledPlugins } from '../../../../engine/plugins/catalog.ts';
import { testMs } from '../../../patience.ts';
import { sluicebox, type CliResult } from '../run-cli.ts';

const root = resolve(import.meta.dirname, '../../../..');
const samples = join(root, 'resources/samples');
/** These write the Logger of messages: the path of the log in a store, the name of the input in a run. */
const BY_LOGGER = ['influx_batch', 'message_schema'];
const FILTERS = bundledPlugins('filter').filter(({ name }) => !BY_LOGGER.includes(name));

let folder: string;
let store: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluicebox-replay-'));
  store = join(folder, 'store');
  // A run drops the one line that has the form of another log; in a store it is a message.
  const logs = join(folder, 'logs');
  await cp(samples, logs, { recursive: true });
  const access = join(logs, 'access.log');
  writeFileSync(access, readFileSync(access, 'utf8').replace(/^.* connect\(\) failed .*\n/m, ''));
  // Some of their lines are refused, which it says.
  const result = await sluicebox(['import', '-q', '--store', store, logs]);
  expect(result.err).toContain('11 records were refused, and in the table access with decode_error');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const replay = (...args: string[]): Promise<CliResult> => sluicebox(['replay', '--store', store, ...args]);
const settings = (table: Readonly<Record<string, string>>): string[] =>
  Object.entries(table).flatMap(([name, value]) => ['-s', `${name}=${value}`]);

/** Injected messages by the names of their filters: the beginning of each payload, and a hash of it and its fields. */
function injectedBy(result: CliResult): Record<string, string[]> {
  const by: Record<string, string[]> = {};
  for (const { Logger, Type, Payload, Fields } of result.lines()) {
    const hash = createHash('sha256')
      .update(JSON.stringify([Type, Payload, Fields]))
      .digest('hex');
    (by[String(Logger)] ??= []).push(`${String(Payload).slice(0, 60)} ${hash}`);
  }
  return by;
}

/** Runs the filters over the file itself. */
async function runOver(log: string, matcher: string, table: Readonly<Record<string, string>>): Promise<CliResult> {
  const sections = FILTERS.map(({ name, meta }) => {
    const own = Object.entries(table).filter(([key]) => Object.hasOwn(meta?.parameters ?? {}, key));
    const config = own.map(([key, value]) => `${key} = ${/^(?:\d+|true)$/.test(value) ? value : JSON.stringify(value)}`).join('\n');
    const head = `[${name}]\ntype = "SandboxFilter"\nplugin = "${name}"\nticker_interval = 7200\nmessage_matcher = ${JSON.stringify(matcher)}\n`;
    return `${head}[${name}.config]\n${config}\n`;
  });
  const input = `[in]\ntype = "FileInput"\npaths = [${JSON.stringify(log)}]\ndecoder = "auto"\nclock = "message"\n`;
  const output = `[out]\ntype = "LogOutput"\nencoder = "json"\nmessage_matcher = "Type !~ /^(nginx|syslog|svc.plugin|svc.sandbox-term)/"\n`;
  const config = join(folder, `${basename(log)}.toml`);
  writeFileSync(config, `${input}${sections.join('')}${output}`);
  return sluicebox(['run', '--until-idle', config], '', { SLUICEBOX_DATA: join(folder, `data-${basename(log)}`) });
}

describe('sluicebox replay', { timeout: 5 * testMs() }, () => {
  it.each([
    ['access.log', 'access', "Type == 'nginx.access'", { message_variable: 'Fields[remote_addr]', fields: 'body_bytes_sent' }],
    ['syslog.log', 'syslog', "Type == 'syslog'", { message_variable: 'Fields[programname]', fields: 'pid' }],
    ['syslog-5424.log', 'syslog_5424', "Type == 'syslog' && Severity < 6", { message_variable: 'Payload', fields: 'syslogfacility' }],
  ])('answers about %s as a run over the file does, with all bundled filters', async (log, table, matcher, own) => {
    const config = { ...own, max_hosts: '3', rows: '100', min_output_weight: '1', alerts: 'true', stats: 'a', stat_labels: 'a' };
    const [replayed, run] = await Promise.all([
      replay(
        '--table',
        table,
        '--where',
        matcher,
        '--ticker',
        '7200',
        '--format',
        'messages',
        ...settings(config),
        ...FILTERS.map(({ name }) => name),
      ),
      runOver(join(folder, 'logs', log), matcher, config),
    ]);
    expect(run.err).not.toContain('.toml:');
    expect(injectedBy(replayed)).toEqual(injectedBy(run));
    expect(Object.keys(injectedBy(replayed)).length).toBeGreaterThan(5);
  });

  it('merges several logs by their times, within a range, and prints graphs, lists, alerts and texts', async () => {
    const mixed = join(folder, 'mixed');
    const line = (host: string, second: number): string =>
      `10.0.0.${host} - - [10/Feb/2025:10:00:${String(second).padStart(2, '0')} +0000] "GET / HTTP/1.1" 200 12 "-" "curl/8"\n`;
    const logs = ['one', 'two', 'late'].map((name) => join(folder, `${name}.log`)) as [string, string, string];
    writeFileSync(logs[0], [1, 3, 5, 4, 7].map((second) => line('1', second)).join(''));
    writeFileSync(logs[1], [2, 3, 6].map((second) => line('2', second)).join(''));
    writeFileSync(logs[2], line('3', 30));
    await sluicebox(['import', '-q', '--store', mixed, ...logs]);
    const script = join(folder, 'seen.js');
    writeFileSync(
      script,
      `export const meta = { name: 'seen', kind: 'filter', summary: '', parameters: { word: { type: 'string', summary: '' } } };
let seen = '';
export function process_message() {
  seen += read_message('Fields[remote_addr]').slice(-1) + (read_message('Timestamp') / 1e9) % 60 + ' ';
  if (read_message('Fields[remote_addr]') === '10.0.0.3') { add_to_payload('third'); inject_payload('alert', ''); }
  return 0;
}
export function timer_event() {
  add_to_payload(seen + read_config('word'));
  inject_payload('txt', 'seen');
  add_to_payload('Host\\tWeight\\na\\t2\\n');
  inject_payload('tsv', 'Hosts');
  add_to_payload(JSON.stringify({ time: 60, rows: 2, columns: 1, seconds_per_row: 60, column_info: [{ name: 'N', unit: 'count', aggregation: 'sum' }] }) + '\\nnan\\n3\\n');
  inject_payload('cbuf', 'Numbers');
}`,
    );
    const json = await sluicebox(['replay', '--store', mixed, '--format', 'json', '-s', 'word=end', script]);
    expect([json.code, json.err]).toEqual([0, '']);
    expect(json.lines()).toEqual([
      { filter: 'seen', kind: 'alert', time: expect.any(String) as string, text: 'third' },
      {
        ...{ filter: 'seen', kind: 'graph', name: 'Numbers', time: '1970-01-01T00:01:00Z', secondsPerRow: 60, annotations: [] },
        columns: [{ name: 'N', unit: 'count', aggregation: 'sum', values: [null, 3] }],
      },
      { filter: 'seen', kind: 'items', variable: 'Host', items: [{ item: 'a', weight: 2 }] },
      { filter: 'seen', kind: 'text', name: 'seen', type: 'txt', text: '11 22 13 23 15 14 26 17 330 end' },
    ]);
    const range = ['--from', '2025-02-10T10:00:03', '--to', '2025-02-10T10:00:07Z', '-s', 'word=.'];
    const text = await sluicebox(['replay', '--store', mixed, ...range, '--where', "Fields[remote_addr] == '10.0.0.1'", script]);
    expect(text.out).toContain('seen: Numbers\ntime                  N (count)\n1970-01-01T00:02:00Z          3\n');
    expect(text.out).toContain('seen: Host\nitem  weight    share\na          2  100.0 %\n');
    expect(text.out).toContain('13 15 14 .\n');
    const table = await sluicebox(['replay', '--store', mixed, '--table', 'Two', '--format', 'json', '-s', 'word=.', script]);
    expect(table.lines().at(-1)).toMatchObject({ text: '22 23 26 .' });
  });

  it('says what is wrong', async () => {
    expect(await replay('--table', 'nothing', 'rate')).toMatchObject({
      code: 2,
      err: expect.stringContaining('no table nothing') as string,
    });
    expect(await replay('--from', 'monday', 'rate')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--from must be a time') as string,
    });
    expect(await replay('-s', 'colour=red', 'rate')).toMatchObject({ code: 1, err: expect.stringContaining('colour') as string });
    expect(await replay('--ticker', '0', 'rate')).toMatchObject({ code: 2 });
    expect(await replay('--where', 'Type ==', 'rate')).toMatchObject({ code: 2 });
    const none = await replay('--to', '1999-01-01', 'rate');
    expect(none).toMatchObject({ code: 0, err: expect.stringContaining('no messages there') as string });
    const script = join(folder, 'ends.js');
    writeFileSync(script, 'export function process_message() { throw new Error("no"); }\nexport function timer_event() {}\n');
    expect(await replay('--table', 'access', script)).toMatchObject({
      code: 1,
      err: expect.stringContaining('the filter has ended: ') as string,
    });
  });
});
