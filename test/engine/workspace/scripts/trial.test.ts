import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TrialReply, TrialRequest } from '../../../../engine/api/types.ts';
import { startSandboxes } from '../../../../engine/plugins/starter.ts';
import { Engine } from '../engine-fixture.ts';
import { tryScript } from '../../../../engine/workspace/scripts/trial.ts';
import { until } from '../../../until.ts';

const line = (status = 200): string => `192.0.2.7 - - [20/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" ${status} 12 "-" "curl"\n`;

describe('a script that is tried', () => {
  const sandboxes = startSandboxes({ hosts: 1 });
  let engine: Engine;
  let source: number;

  beforeAll(async () => {
    engine = new Engine(undefined, sandboxes);
    source = await engine.open(engine.file('access.log', `${line().repeat(300)}no log line\n${line(500).repeat(20)}`));
    await until(async () => (await engine.source(source))?.state === 'following', 'the end of the file');
  });
  afterAll(() => engine.workspace.stop());

  const attempt = (text: string, more: Partial<TrialRequest> = {}): Promise<TrialReply> =>
    engine.ask('script.try', {
      ...{ kind: 'filter', text, path: null, typed: false, source, matcher: 'Type !~ /^svc/', config: {}, records: 100 },
      limits: { memory: 8_388_608, instructions: 100_000, output: 64_512 },
      ...more,
    });

  it('gets the last messages that its matcher selects, and says what it would emit', async () => {
    const script = `let n = 0;
function process_message() {
  n++;
  for (let i = 0; i < 10; i++) n += 0;
  if (n === 20) inject_message({ Type: 'twenty', Fields: { last: read_message('Fields[status]') } });
  return n === 7 ? [-1, 'seven'] : 0;
}
function timer_event() { inject_payload('txt', 'count', n); }`;
    const reply = await attempt(script, { matcher: 'Fields[status] == 500' });
    expect(reply).toMatchObject({ records: 100, selected: 20, processed: 20, failed: 1, emitted: 2 });
    expect(reply.messages.map(({ row, message }) => [row, message.type, message.payload])).toEqual([
      [19, 'svc.sandbox.twenty', null],
      [null, 'svc.sandbox-output', '20'],
    ]);
    expect(reply.messages[0]?.message.fields).toMatchObject([{ name: 'last', values: ['500'] }]);
    expect(reply.problems).toEqual([{ line: 0, column: 0, text: 'seven', fatal: false }]);
    expect(reply.lines[0]).toEqual({ line: 4, steps: 200 });
    expect(reply.instructions.maximum).toBeGreaterThan(10);
  });

  it('is told how to give a reason when it refuses records without one', async () => {
    const { failed, problems } = await attempt('function process_message() { return -1; }\nfunction timer_event() {}', { records: 5 });
    expect(failed).toBe(5);
    expect(problems).toMatchObject([{ text: expect.stringContaining("return [-1, 'the reason']") as string, fatal: false }]);
  });

  it('gets back the graphs that it injects, as they are last', async () => {
    const script = `import { CircularBuffer } from 'circular_buffer';
const buffer = new CircularBuffer(10, 1, 60);
buffer.set_header(1, 'Lines', 'count', 'sum');
export function process_message() { buffer.add(Number(read_message('Timestamp')), 1, 1); return 0; }
export function timer_event() { inject_payload('cbuf', 'Lines a minute', buffer); }`;
    const { graphs, emitted, problems } = await attempt(script);
    expect([emitted, problems]).toEqual([1, []]);
    expect(graphs).toMatchObject([{ title: 'Lines a minute', rowMs: 60_000, columns: [{ name: 'Lines' }] }]);
  });

  it.each([
    ['does not parse', 'let a = 1;\nlet b = ;', 2, /Unexpected/],
    ['throws while it loads', '\n\nnull.x;', 3, /TypeError/],
    ['throws at a message', 'function process_message() {\n  return read_message();\n}', 2, /read_message/],
    ['never ends', 'function process_message() {\n  let a = 0;\n  for (;;) a++;\n}', 3, /instruction_limit/],
    ['lacks its function', 'let a = 1;', 0, /process_message/],
    ['has a wrong meta', 'export const meta = { name: 1 };', 0, /meta/],
  ])('that %s is told where', async (_what, script, at, text) => {
    const { problems } = await attempt(script);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ line: at, fatal: true });
    expect(problems[0]?.text).toMatch(text);
  });

  it('is held by its limits of memory and time', async () => {
    const greedy = await attempt(
      'const all = [];\nfunction process_message() { for (let i = 0; i < 5000; i++) all.push("x".repeat(5000) + i); return 0; }',
    );
    expect(greedy.problems[0]?.text).toMatch(/memory_limit/);
    const slow = await attempt(
      'const a = "ä".repeat(1 << 20);\nfunction process_message() { for (let i = 0; i < 10_000; i++) a.localeCompare(a + "x", "de"); return 0; }',
    );
    expect(slow.problems[0]?.text).toMatch(/the time limit of 1000 ms/);
    expect(slow.processed).toBe(1);
  });

  it('in TypeScript has its parameters read and checked', async () => {
    const script = `export const meta: PluginMeta = { name: 'x', kind: 'filter', summary: 'Counts.', parameters: { title: { type: 'string', summary: 'A title.', default: 'T' } }, examples: [] };
const title: string = String(read_config('title') ?? 'T');
export function process_message(): ProcessStatus { return 0; }
export function timer_event(): void { inject_payload('txt', title, title); }`;
    const reply = await attempt(script, { typed: true, config: { title: 'mine' } });
    expect(reply.parameters).toEqual([{ name: 'title', type: 'string', summary: 'A title.', required: false, default: 'T' }]);
    expect(reply.messages.map(({ message }) => message.payload)).toEqual(['mine']);
    expect((await attempt(script, { typed: true, config: { nothing: 1 } })).problems[0]?.text).toMatch(/^unknown parameter nothing/);
  });

  it('has the defaults and bounds of its draft, not those of the file', async () => {
    const draft = (declared: string): string =>
      `export const meta = { name: 'x', kind: 'filter', summary: '', parameters: { n: { type: 'uint', summary: '', ${declared} } } };
export function process_message() { return 0; }
export function timer_event() { inject_payload('txt', 'n', JSON.stringify(read_config('n'))); }`;
    const said = async (text: string, config = {}): Promise<unknown> =>
      (await attempt(text, { config, path: null })).messages.map(({ message }) => message.payload);
    expect(await said(draft('default: 5'))).toEqual(['5']);
    expect(await said(draft('default: 6'))).toEqual(['6']);
    expect(await said(draft('default: 6'), { n: 4 })).toEqual(['4']);
    expect(await said(draft('required: false'))).toEqual(['null']);
    const beyond = await attempt(draft('default: 6, maximum: 9'), { config: { n: 10 } });
    expect(beyond.problems).toEqual([{ line: 0, column: 0, text: 'parameter n must be a whole number from 0 to 9, not 10', fatal: true }]);
    expect(beyond.parameters).toMatchObject([{ name: 'n', default: 6, maximum: 9 }]);
  });

  it('takes constants for its description from files of its folder only, not from those beside a script that was chosen elsewhere', async () => {
    const text = `import { KEY } from './key.js';
export const meta = { name: 'x', kind: 'filter', summary: '', parameters: { key: { type: 'string', summary: '', default: KEY } } };
export function process_message() { return 0; }
export function timer_event() {}`;
    const key = "export const KEY = 'own';";
    const { store } = engine.workspace;
    for (const name of ['own', 'elsewhere']) mkdirSync(join(engine.folder, name));
    const input = { text, path: null, typed: false, source, matcher: 'TRUE', config: {}, records: 1 } as const;
    const request = { kind: 'filter', ...input, limits: { memory: 8_388_608, instructions: 100_000, output: 64_512 } } as const;
    const surroundings = { starter: sandboxes, store, folder: dirname(engine.file('own/key.js', key)) };
    expect((await tryScript(request, surroundings)).parameters).toMatchObject([{ name: 'key', default: 'own' }]);
    const path = join(dirname(engine.file('elsewhere/key.js', key)), 'x.js');
    const { problems, parameters } = await tryScript({ ...request, path }, surroundings);
    expect([problems[0]?.text, parameters]).toEqual([expect.stringContaining("x.js:1: KEY is imported from './key.js'"), null]);
  });

  it.each([
    ['filter', 'http_status', { name: 'rows', default: 1440, minimum: 2 }],
    ['filter', 'influx_batch', { name: 'tag_fields', default: 'all_base' }],
    [
      'decoder',
      'json_lines',
      { name: 'severity_scale', default: 'pino', values: ['pino', 'python', 'monolog', 'opentelemetry', 'nextcloud', 'windows'] },
    ],
  ] as const)('as a copy of the bundled %s %s has its parameters', async (kind, name, parameter) => {
    const { text } = await engine.ask('script.read', { kind, script: name });
    const reply = await attempt(text, { kind, typed: true, records: 1, limits: { memory: 8_388_608, instructions: 1e6, output: 64_512 } });
    expect(reply.problems.filter(({ fatal }) => fatal)).toEqual([]);
    expect(reply.parameters).toContainEqual(expect.objectContaining(parameter));
  });

  it('as a decoder gets the records as they were read', async () => {
    const script =
      "function process_message() { const p = read_message('Payload'); if (p.startsWith('no')) return [-1, 'no']; inject_message({ Payload: p.slice(0, 9) }); return 0; }";
    const reply = await attempt(script, { kind: 'decoder', records: 30 });
    expect(reply).toMatchObject({ records: 30, processed: 30, failed: 1 });
    expect(reply.messages[0]).toMatchObject({ row: 0, message: { payload: '192.0.2.7' } });
  });

  it('is told that it would feed itself', async () => {
    const script = "function process_message() { return 0; }\nfunction timer_event() { inject_payload('txt', 'n', 1); }";
    expect((await attempt(script, { matcher: 'TRUE' })).problems).toMatchObject([
      { fatal: true, text: expect.stringMatching(/selects what it injects/) },
    ]);
  });

  it('leaves nothing behind', async () => {
    const before = (await engine.ask('engine.state', {})).plugins.length;
    await attempt('function process_message() { inject_message({ Type: "x" }); return 0; }');
    expect((await engine.ask('engine.state', {})).plugins).toHaveLength(before);
    expect(await engine.ask('notice.list', {})).toEqual([]);
  });

  it.each([
    ['a source that is not there', { source: 99 }, 'source.unknown'],
    ['a script that nobody chose', { path: '/etc/x.js' }, 'script.foreign'],
    ['too many records', { records: 5000 }, 'request.invalid'],
  ])('is refused with %s', async (_what, more, code) => {
    await expect(attempt('', more)).rejects.toMatchObject({ code });
  });

  it('is refused with a wrong matcher', async () => {
    await expect(attempt('', { matcher: "Type == 'a" })).rejects.toThrow(/column 11: expected the closing quote, .* opens in column 9 /);
    await expect(attempt('', { matcher: 'TRUE) || (TRUE' })).rejects.toThrow(/column 5: /);
  });
});
