import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { until } from '../../until.ts';
import { fileOf } from '../cli/run-cli.ts';
import { startCommand } from '../cli/start-command.ts';

interface LoggedMessage {
  readonly Type: string;
  readonly Logger: string;
  readonly Hostname: string;
  readonly Pid: number;
  readonly Payload: string;
  readonly Fields?: readonly { name: string; value: unknown[]; value_type: number; representation?: string }[];
}

const log = fileOf('watched.log', 'one\nbad\ntwo\n');
const out = fileOf('watched.jsonl', '');
const FILTER = `function process_message() {
  const payload = read_message('Payload');
  if (payload === 'die') throw new Error('asked to');
  return payload === 'bad' ? [-1, 'bad'] : 0;
}
function timer_event() {}`;

const CONFIG = `[svcd]
hostname = "box7"
sample_denominator = 1

[lines]
type = "FileInput"
paths = [${JSON.stringify(log)}]
start = "begin"
decoder = "decoding"

[decoding]
type = "SandboxDecoder"
filename = ${JSON.stringify(fileOf('watched-decoder.js', 'function process_message() { return 0; }'))}

[failing]
type = "SandboxFilter"
filename = ${JSON.stringify(fileOf('watched-filter.js', FILTER))}
message_matcher = "Type == 'logfile'"
ticker_interval = 1

[memory]
type = "SandboxFilter"
plugin = "svc_memstat"
message_matcher = "Type == 'svc.memstat'"
ticker_interval = 1
[memory.config]
rows = 2

[failures]
type = "SandboxFilter"
plugin = "process_message_failures"
message_matcher = "Type == 'svc.all-report'"
ticker_interval = 1

[upper]
type = "SandboxEncoder"
filename = ${JSON.stringify(fileOf('watched-encoder.js', 'function process_message() { return -2; }'))}

[nowhere]
type = "LogOutput"
message_matcher = "Type == 'logfile'"
encoder = "upper"

[everything]
type = "FileOutput"
path = ${JSON.stringify(out)}
message_matcher = "Type != 'logfile'"
encoder = "json"
flush_interval = 50
`;

const written = (): LoggedMessage[] =>
  existsSync(out)
    ? readFileSync(out, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as LoggedMessage)
    : [];

it('reports on itself while it runs, as messages that filters can watch and as text', async () => {
  const config = fileOf('watched.toml', CONFIG);
  const env = { SLUICEBOX_DATA: fileOf('watched-data', '').replace(/data$/, 'state') };
  await using service = startCommand(['run', '--report-interval', '1', config], { env });
  const { child, out: text, err: errors } = service;

  // Each of its parts is asked in its own time.
  await until(() => {
    const report = written().findLast(({ Type }) => Type === 'svc.all-report');
    if (report === undefined) return false;
    expect(report).toMatchObject({ Logger: 'svcd', Hostname: 'box7', Pid: child.pid });
    expect(report.Payload.endsWith('\n')).toBe(true);
    const payload = JSON.parse(report.Payload) as Record<string, ({ Name: string } & Record<string, unknown>)[]>;
    expect(Object.keys(payload).toSorted()).toEqual(['decoders', 'encoders', 'filters', 'globals', 'inputs', 'outputs']);
    expect(payload['globals']?.map(({ Name }) => Name)).toEqual(['inputRecycleChan', 'injectRecycleChan', 'Router']);
    const entry = (section: string, name: string): unknown => payload[section]?.find(({ Name }) => Name === name);
    const count = (value: unknown): unknown => ({ value, representation: 'count' });
    const some = (representation: string): unknown => ({ value: expect.any(Number) as number, representation });
    expect(entry('inputs', 'lines')).toEqual({
      Name: 'lines',
      ProcessMessageCount: count(3),
      ProcessMessageBytes: { value: 12, representation: 'B' },
      UnreadBytes: { value: 0, representation: 'B' },
      ...{ AcknowledgedMessageCount: count(3), OpenBatchCount: count(0), DropMessageCount: count(0) },
      LostFileCount: count(0),
      LostFileBytes: { value: 0, representation: 'B' },
      SynchronousDecode: { value: 'true', representation: '' },
    });
    expect(entry('decoders', 'decoding (lines)')).toMatchObject({ ProcessMessageCount: count(3), ProcessMessageFailures: count(0) });
    expect(entry('filters', 'failing')).toEqual({
      Name: 'failing',
      ...{ InChanCapacity: count(30), InChanLength: count(0), MatchChanCapacity: count(0), MatchChanLength: count(0), LeakCount: count(0) },
      ...{ MatchAvgDuration: some('ns'), Memory: some('B'), MaxMemory: some('B'), MaxInstructions: some('count'), MaxOutput: some('B') },
      ...{ ProcessMessageCount: count(3), ProcessMessageFailures: count(1), ProcessMessageSamples: count(3) },
      ...{ ProcessMessageAvgDuration: some('ns'), ProcessorTime: some('ns'), InjectMessageCount: count(0) },
      ...{ TimerEventSamples: some('count'), TimerEventAvgDuration: some('ns') },
    });
    expect(entry('encoders', 'nowhere-upper')).toMatchObject({ ProcessMessageCount: count(3) });
    expect(entry('outputs', 'nowhere')).toMatchObject({ ProcessMessageCount: count(3), ProcessMessageFailures: count(0) });
    return true;
  }, 'a report with all of it');

  const memory = await until(() => written().find(({ Type }) => Type === 'svc.memstat'));
  expect(memory).toMatchObject({ Logger: 'svcd', Hostname: 'box7', Pid: child.pid });
  expect(memory).not.toHaveProperty('Payload');
  expect(memory.Fields?.map(({ name, representation, value_type }) => [name, representation, value_type])).toEqual([
    ...['HeapSys', 'HeapAlloc', 'HeapIdle', 'HeapInuse', 'HeapReleased'].map((name) => [name, 'B', 2]),
    ['HeapObjects', 'count', 2],
  ]);
  // The bundled filters take both.
  const graph = await until(() => written().find(({ Logger, Payload }) => Logger === 'memory' && /\n\d{6}/.test(Payload)));
  expect(graph.Payload).toMatch(/"name":"HeapSys"/);

  appendFileSync(log, 'die\n');
  const end = await until(() => written().find(({ Type }) => Type === 'svc.sandbox-terminated'));
  expect(end).toMatchObject({ Logger: 'svcd', Hostname: 'box7', Pid: child.pid, Fields: [{ name: 'plugin', value: ['failing'] }] });
  expect(end.Payload).toMatch(/^failing: process_message\(\) watched-filter\.js:3:\d+: Error: asked to$/);

  child.kill('SIGUSR1');
  await until(() => text().endsWith('\n========\n'));
  expect(text()).toMatch(
    /^========\[svc\.all-report\]========\n====Globals====\ninputRecycleChan:\n {4}InChanCapacity: \d+\n[^]*\n====Inputs====\nlines:\n {4}ProcessMessageCount: 4\n {4}SynchronousDecode: true\n====Splitters====\nNONE\n====Decoders====\n[^]*\n====Filters====\n[^]*memory:\n[^]*\n====Outputs====\n[^]*\n====Encoders====\n[^]*\n========\n$/,
  );
  child.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  // None of the filters that watch was given anything that it refuses.
  expect(errors()).not.toMatch(/\[(memory|failures)\]/);
});
