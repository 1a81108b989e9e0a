import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { CommandContext } from '../../../../engine/cli/command.ts';
import { compareFiles, type ComparedFiles } from '../../../../engine/cli/query/compared-files.ts';

const DECODING: ComparedFiles['decoding'] = { name: null, settings: {}, scripts: null, quiet: true, onlyDecoded: false, strict: false };

/** A log of 2000 requests, each of whose hosts is one of these. */
const logOf = (hosts: readonly string[]): string =>
  Array.from({ length: 2000 }, (_, i) => {
    const time = new Date(Date.UTC(2026, 10, 30, 10, 0, i)).toISOString();
    return `${JSON.stringify({ time, level: 'info', host: hosts[(i * 7) % hosts.length], msg: 'request done' })}\n`;
  }).join('');

async function compared(files: Readonly<Record<string, string>>, a: string[], b: string[], without: string[] = [], signal?: AbortSignal) {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-compared-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const pathsOf = (names: readonly string[]): string[] => names.map((name) => join(folder, name));
  const complaints: string[] = [];
  const out = { closed: false, flush: () => Promise.resolve() };
  const context = { out, complain: (text: string) => complaints.push(text), signal: signal ?? new AbortController().signal };
  const { answer, code } = await compareFiles(
    {
      sources: [
        { source: 1, paths: pathsOf(a) },
        { source: 2, paths: pathsOf(b) },
      ],
      decoding: DECODING,
      folder: join(folder, 'store'),
      without,
      sides: { a: { sources: [1] }, b: { sources: [2] } },
    },
    context as unknown as CommandContext,
  );
  return { sides: [answer.a.records, answer.b.records], texts: answer.rows.map(({ text }) => text), code, complaints };
}

const [OLD, NEW] = [logOf(['web1', 'web2']), logOf(['web1', 'web9'])];

it.each<[string, string[], string[], string[], object]>([
  ['two that differ', ['a.log'], ['b.log'], [], { sides: [2000, 2000], code: 0, texts: [expect.stringMatching(/[Hh]ost.* web[29]/)] }],
  ['two, without the field that differs', ['a.log'], ['b.log'], ['host'], { sides: [2000, 2000], code: 0, texts: [] }],
  ['several of a side', ['a.log', 'b.log'], ['b.log'], ['host'], { sides: [4000, 2000], code: 0 }],
  [
    'one that is not there, which is told',
    ['a.log'],
    ['absent.log'],
    [],
    { sides: [2000, 0], code: 2, texts: [], complaints: [expect.stringContaining('absent.log')] },
  ],
])('compares files: %s', async (_name, a, b, without, expected) => {
  expect(await compared({ 'a.log': OLD, 'b.log': NEW }, a, b, without)).toMatchObject(expected);
});

it('ends at once when it is interrupted', async () => {
  expect(await compared({ 'a.log': OLD }, ['a.log'], ['a.log'], [], AbortSignal.abort())).toMatchObject({ sides: [0, 0], texts: [] });
});
