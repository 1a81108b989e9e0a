/** Records that the decoder of a log refuses are read alike by a command, by a service and by the window. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatMessage } from '../../../engine/message/json/json-format.ts';
import { startSandboxes } from '../../../engine/plugins/starter.ts';
import { partOf, rawText, withoutRaw } from '../../../engine/store/segment.ts';
import { fileOf, sluicebox } from '../cli/run-cli.ts';
import { Engine } from '../workspace/engine-fixture.ts';

const json = (minute: number): string => `{"time":"2026-01-02T03:${minute}:00Z","level":"info","msg":"tick","minute":${minute}}\n`;
const access = (minute: number): string => `192.0.2.1 - - [02/Jan/2026:03:${minute}:00 +0000] "GET / HTTP/1.1" 200 1 "-" "curl/8"\n`;
const PANIC = 'panic: no more\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/main.go:7 +0x1d\n';
const EXCEPTION =
  'Exception in thread "main" java.lang.Error: no\n\tat shop.Sale.sell(Sale.java:7)\nCaused by: java.io.IOException: full\n';

const MIXED: readonly (readonly [what: string, log: string, records: readonly string[]])[] = [
  ['a panic in a JSON log', json(10) + PANIC + json(11), ['tick', PANIC.trimEnd(), 'tick']],
  ['an exception in an access log', access(10) + EXCEPTION + access(11), ['', EXCEPTION.trimEnd(), '']],
  [
    'lines of another log',
    `${access(10).repeat(4)}2026/01/02 03:10:30 [error] 7#0: *1 open() "/x" failed, client: 192.0.2.1\n${access(11)}`,
    ['', '', '', '', 'open() "/x" failed', ''],
  ],
  ['a line of no log, and a blank one', `${json(10)}hm\n\n${json(11)}`, ['tick', 'hm', 'tick']],
  [
    'a dated line with a level',
    `${json(10).repeat(3)}2026-01-02 03:10:30 ERROR no room\n${json(11)}`,
    ['tick', 'tick', 'tick', 'no room', 'tick'],
  ],
];

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-mixed-'));
/** What is the same everywhere: each time has its place. */
type Said = Record<string, unknown>;
const said = ({ Uuid: _uuid, Pid: _pid, Hostname: _host, Logger: _path, ...rest }: Said): Said => rest;

let engine: Engine;
beforeAll(() => {
  engine = new Engine(undefined, startSandboxes());
});
afterAll(() => engine.workspace.stop());

async function inWindow(path: string): Promise<{ readonly messages: Said[]; readonly raw: string[] }> {
  const id = await engine.open(path);
  await engine.settled(id);
  const { store } = engine.workspace;
  const [messages, raw]: [Said[], string[]] = [[], []];
  for (const segment of store.segments) {
    const stored = await store.load(segment);
    const text = rawText(stored);
    const batch = withoutRaw(stored);
    for (let row = 0; row < batch.length; row++) {
      if (partOf(segment, row).source !== id) continue;
      messages.push(said(JSON.parse(formatMessage(batch.message(row))) as Said));
      raw.push(text.at(row));
    }
  }
  const source = await engine.source(id);
  expect(source?.records).toBe(messages.length);
  await engine.ask('source.close', { id });
  return { messages, raw };
}

describe.each(MIXED)('%s', (name, log, records) => {
  const path = join(folder, `${name.replaceAll(' ', '-')}.log`);
  let decoded: Said[] = [];
  beforeAll(async () => {
    writeFileSync(path, log);
    decoded = (await sluicebox(['decode', path])).lines().map(said);
  });

  it('is read by a command record by record', () => {
    expect(decoded.map(({ Payload }) => Payload ?? '')).toEqual(records.map((text) => expect.stringContaining(text) as string));
  });

  it('is read by the window in the same way, with all of its text', async () => {
    const { messages, raw } = await inWindow(path);
    expect(messages).toEqual(decoded);
    expect(raw.join('\n').replaceAll(/\n+/g, '\n')).toBe(log.trimEnd().replaceAll(/\n+/g, '\n'));
  });

  it.each([true, false])('is read by a service in the same way, with send_decode_failures = %s', async (sends) => {
    const input = `[all]\ntype = "FileInput"\npaths = ["${path}"]\ndecoder = "auto"\nsend_decode_failures = ${sends}\n`;
    const out = '[out]\ntype = "LogOutput"\nencoder = "json"\nmessage_matcher = "TRUE"\n';
    const data = { SLUICEBOX_DATA: mkdtempSync(join(folder, 'data-')) };
    const { lines } = await sluicebox(['run', '--until-idle', fileOf('mixed.toml', input + out)], '', data);
    const kept = decoded.filter(({ Fields }) => sends || !JSON.stringify(Fields ?? null).includes('decode_failure'));
    expect(
      lines()
        .map(said)
        .map(({ Payload }) => Payload),
    ).toEqual(kept.map(({ Payload }) => Payload));
  });
});
