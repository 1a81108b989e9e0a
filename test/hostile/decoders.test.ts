import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { DecoderDetector } from '../../engine/detect/detect.ts';
import { DecoderGroup } from '../../engine/pipeline/decoder-group.ts';
import { startSandboxes } from '../../engine/plugins/starter.ts';
import { UserScripts } from '../../engine/plugins/user-scripts.ts';
import type { SandboxResult } from '../../engine/sandbox/contract/types.ts';
import { batchOf, line, messagesOf, SandboxBench } from '../engine/sandbox/harness.ts';

/** Actions of a decoder at a bad record, and the end that follows; null: it goes on, and so do the others. */
const ATTACKS: readonly (readonly [what: string, body: string, ends: RegExp | null])[] = [
  ['throws', `throw new Error('no');`, /no/],
  ['throws a proxy', `throw new Proxy({}, { get() { throw 1; } });`, /process_message/],
  ['ends itself', 'return 1;', /returned 1/],
  ['loops', 'for (;;);', /instruction_limit/],
  ['loops where nothing counts', `/^(a+)+$/.test('a'.repeat(40) + '!'); 'x'.repeat(2 ** 28).split('').sort();`, /limit/],
  ['writes a million messages', `for (let i = 0; i < 1e6; i++) inject_message({ Payload: 'flood' });`, /limit/],
  ['grows for ever', `const a = []; for (;;) a.push(new Array(1000).fill({ x: 1 }));`, /limit|host/],
  ['squares a number for ever', 'let b = 3n; for (;;) b = b * b;', /limit|host|BigInt/],
  ['recurses', '(function f() { f(); f(); })();', /call stack|instruction_limit/],
  ['injects what is not a message', `inject_message({ get Payload() { throw new Error('trap'); } });`, /trap/],
  ['refuses records with a flood of text', `return [-1, 'x'.repeat(1e6)];`, null],
  ['changes prototypes', changedPrototypes(), null],
  ['takes the functions of others away', `globalThis.inject_message = globalThis.read_message = () => { throw 1; };`, /process_message/],
];

function changedPrototypes(): string {
  const changes = ['Object', 'Array', 'String', 'RegExp', 'Map', 'Promise', 'Uint8Array'].flatMap((type) => [
    `${type}.prototype.toString = () => 'changed'`,
    `${type}.prototype.length = 1e9`,
    `Object.setPrototypeOf(${type}.prototype, new Proxy({}, { get() { throw 1; } }))`,
  ]);
  return [...changes, 'RegExp.prototype.exec = () => ["changed"]', 'globalThis.JSON = globalThis.Array = null']
    .map((change) => `try { ${change}; } catch {}`)
    .join('\n');
}

const decoder = (body: string): string => `function process_message() {
  const text = read_message('Payload');
  if (text === 'evil') { ${body} }
  inject_message({ Payload: text });
  return 0;
}`;

const BATCHES = 10;
const ROWS = 20;
const EVIL = 5;
const batchNumber = (i: number): string[] => Array.from({ length: ROWS }, (_, row) => (i === EVIL && row === 10 ? 'evil' : `${i}.${row}`));

describe('a decoder on several cores that gets a bad record', () => {
  const bench = new SandboxBench({ hosts: 2, graceMs: 300 });
  afterAll(() => bench.close());
  const limits = { callMs: 1500 };
  const witnesses = [1, 2].map((i) => bench.start(decoder(''), { name: `witness ${i}`, kind: 'decoder' }));

  async function askWitnesses(): Promise<void> {
    for (const witness of witnesses) {
      const result = await (await witness).process(batchOf([line('there')]), null);
      expect(messagesOf(result).map(({ payload }) => payload)).toEqual(['there']);
    }
  }

  test.each(ATTACKS)('and %s', async (_what, body, ends) => {
    const first = await bench.start(decoder(body), { kind: 'decoder', limits });
    // So many calls at once start the second one.
    const group = new DecoderGroup({ first, most: 2, start: (spec) => bench.pool.createSandbox(spec), hasIdleCore: () => true });
    const calls = Array.from({ length: BATCHES }, (_, i) => group.process(batchOf(batchNumber(i).map(line)), null));
    await askWitnesses();
    const results = await Promise.allSettled(calls);
    const payloads = (result: PromiseSettledResult<SandboxResult> | undefined): (string | undefined)[] =>
      result?.status === 'fulfilled' ? messagesOf(result.value).map(({ payload }) => payload) : [];
    for (let i = 0; i < EVIL; i++) expect(payloads(results[i])).toEqual(batchNumber(i));
    const bad = results[EVIL];
    if (ends === null) {
      const others = (texts: (string | undefined)[]): (string | undefined)[] => texts.filter((text) => text !== 'evil');
      for (let i = EVIL; i < BATCHES; i++) expect(others(payloads(results[i])).slice(0, 10)).toEqual(others(batchNumber(i)).slice(0, 10));
    } else {
      const reason = bad?.status === 'fulfilled' ? bad.value.terminated?.reason : (bad?.reason as Error).message;
      expect(reason).toMatch(ends);
      expect(group.state).toBe('terminated');
      for (let i = EVIL + 1; i < BATCHES; i++) expect(results[i]).toMatchObject({ status: 'rejected' });
      await expect(group.process(batchOf([line('more')]), null)).rejects.toThrow(ends);
    }
    await group.stop();
    await askWitnesses();
  });
});

describe('a hostile decoder among those that are tried on a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-decoders-'));
  const sandboxes = startSandboxes({ hosts: 1 });
  afterAll(async () => {
    await sandboxes.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const LOG = Array.from({ length: 50 }, (_, i) => `level=info msg="line ${i}" status=200 path=/a/b/c\n`).join('');
  /** Says that every file is its own. */
  const META = `export const meta = { summary: 'Mine.', looks: [{ records: /^/, rank: 0 }] };`;

  test.each<readonly [what: string, text: string]>([
    ['loops at its top level', `${META} for (;;);`],
    ['throws at its top level', `${META} throw new Error('no');`],
    ['grows at its top level', `${META} const a = []; for (;;) a.push(new Array(1000).fill(a.length));`],
    ['has no process_message', META],
    ...ATTACKS.filter(([what]) => !what.startsWith('refuses') && !what.startsWith('changes')).map(
      ([what, body]) => [what, `${META} export function process_message() { ${body} }`] as const,
    ),
    [
      'has a look that backtracks for ever',
      `export const meta = { summary: 'x', looks: [{ records: /^(?:(?:a|[a-z=" ])+)+$/ }] }; export function process_message() { return -1; }`,
    ],
    [
      'has a meta that is not its own',
      `export const meta = { ["__proto__"]: { looks: [] }, looks: [{ records: '[' }, 5, null] }; export function process_message() { return -1; }`,
    ],
    ['is not a script', '\0\u202e<?php'],
  ])('and %s', async (what, text) => {
    const own = mkdtempSync(join(folder, 'scripts-'));
    writeFileSync(join(own, 'mine.js'), text);
    const detector = new DecoderDetector(sandboxes, () => undefined, new UserScripts(own, 'decoder'));
    const found = await detector.detect(LOG);
    expect(found?.name, what).toBe('logfmt');
    expect(found?.records.map(({ payload }) => payload)).toEqual(['line 0', 'line 1', 'line 2']);
    await found?.sandbox.stop();
  });
});
