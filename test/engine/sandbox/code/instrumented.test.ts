import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { BUNDLED_PLUGINS } from '../../../../engine/base/product/bundled.ts';
import { withoutTypes } from '../../../../engine/base/product/prepared.ts';
import { instrument } from '../../../../engine/sandbox/host/instrument.ts';
import { preparedScript } from '../../../../engine/sandbox/host/prepared-script.ts';
import { instrumentedText, keepInstrumented, keptInstrumented } from '../../../../engine/sandbox/code/instrumented.ts';
import { DEFAULT_LIMITS } from '../../../../engine/sandbox/contract/types.ts';
import { ScriptSources } from '../../../../engine/sandbox/code/sources.ts';
import { batchOf, line, SandboxBench } from '../harness.ts';
import type { InstrumentedText } from '../../../../engine/sandbox/contract/protocol.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-instrumented-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files = ['decoders', 'lib', 'base'].flatMap((name) =>
  readdirSync(join(BUNDLED_PLUGINS, name), { recursive: true, encoding: 'utf8' }).flatMap((file) =>
    file.endsWith('.ts') ? [join(BUNDLED_PLUGINS, name, file)] : [],
  ),
);

test('a prepared script is what the host would make of it, and knows the same places', () => {
  enableCompileCache(folder);
  expect(files.length).toBeGreaterThan(50);
  for (const path of files.filter((_, i) => i % 8 === 0)) {
    const text = withoutTypes(readFileSync(path, 'utf8'));
    const prepared = instrumentedText(text) as InstrumentedText;
    for (const own of [false, true]) {
      const made = instrument(text, undefined, undefined, own);
      const script = preparedScript(prepared, () => text, own);
      expect([script.code, script.form], path).toEqual([made.code, made.form]);
      const lines = made.code.split('\n');
      const place: [number, number] = [lines.length >> 1, (lines[(lines.length >> 1) - 1]?.length ?? 0) >> 1];
      expect([script.original(...place), script.loopAround(...place)]).toEqual([made.original(...place), made.loopAround(...place)]);
    }
  }
});

test('of a text that does not parse nothing is prepared: the host says what is wrong', () => {
  enableCompileCache(folder);
  expect(instrumentedText('export const = 1;')).toBeNull();
  expect(instrumentedText('export const = 1;')).toBeNull();
});

test("a user's file is kept under its text and whether it has types", () => {
  enableCompileCache(folder);
  const text = `f('${randomUUID()}');`;
  const made = instrument(text).text;
  expect(keptInstrumented('/a.ts', text)).toBeNull();
  keepInstrumented('/a.ts', text, made);
  expect(['/a.ts', '/b.mts', '/a.js'].map((path) => keptInstrumented(path, text))).toEqual([made, made, null]);
  expect(keptInstrumented('/a.ts', `${text} `)).toBeNull();
});

test("a user's script that a host has instrumented need not be parsed again, and its mistakes are where they were", async () => {
  enableCompileCache(folder);
  const bench = new SandboxBench();
  const source = 'export function process_message(\n): number { for (const a of [null]) (a as any).x;\n return 0; }';
  const reasons: (string | undefined)[] = [];
  const kept: boolean[] = [];
  for (let i = 0; i < 2; i++) {
    const sandbox = await bench.start(source, { extension: '.ts' });
    reasons.push((await sandbox.process(batchOf([line('a')]), null)).terminated?.reason.replace(/\S+\.ts:/, ''));
    const script = bench.file('same.ts', source);
    const sources = (text?: string) => new ScriptSources({ kind: 'decoder', script, modules: [], limits: DEFAULT_LIMITS, text });
    const answers = [sources(), sources(source)].map((one) => one.answer({ want: 'script' }));
    kept.push(...answers.map((answer) => 'file' in answer && answer.file.instrumented !== undefined));
  }
  await bench.close();
  expect(reasons[0]).toMatch(/^process_message\(\) 2:\d+: TypeError/);
  expect(reasons[0]).toBe(reasons[1]);
  expect(kept).toEqual([true, false, true, false]);
});
