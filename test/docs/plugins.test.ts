import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../engine/config/load.ts';
import { DEFAULT_LIMITS, type SandboxKind } from '../../engine/sandbox/contract/types.ts';
import { cliMain, sluicebox } from '../engine/cli/run-cli.ts';
import { line, SandboxBench } from '../engine/sandbox/harness.ts';

const root = resolve(import.meta.dirname, '../..');
const PAGES = ['plugins.md', 'script-decoders.md', 'script-io.md', 'script-state.md', 'script-graphs.md'];
const page = PAGES.map((name) => readFileSync(join(root, 'docs', name), 'utf8')).join('\n');
const folder = mkdtempSync(join(tmpdir(), 'sluicebox-docs-'));
const bench = new SandboxBench();
afterAll(async () => {
  await bench.close();
  rmSync(folder, { recursive: true });
});

interface Block {
  readonly language: string;
  /** The file that the block is, and the kind of the script that a table tests. */
  readonly words: readonly string[];
  readonly text: string;
}

const blocks = [...page.matchAll(/^```(\w+)(.*)\n([^]*?)^```$/gm)].map(([, language = '', words = '', text = '']): Block => ({
  language,
  words: words.trim().split(' ').filter(Boolean),
  text,
}));
for (const { words, text } of blocks) if (words[0] !== undefined) writeFileSync(join(folder, words[0]), text);

/** The rows of all tables: their cells. */
const rows = page
  .split('\n')
  .filter((row) => row.startsWith('| '))
  .map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

describe('the pages about scripts', () => {
  it('has an example of each sort', () => {
    expect(
      blocks
        .map(({ language }) => language)
        .toSorted()
        .join(' '),
    ).toBe('js js js js json json json json json json json json sh sh sh toml ts ts ts ts ts ts');
  });

  it.each(blocks.filter(({ language }) => language === 'json').map(({ words }) => words))('%s passes', async (table, kind) => {
    const script = table.replace('.test.json', '');
    const file = blocks.find(({ words }) => words[0]?.replace(/\.[jt]s$/, '') === script)?.words[0] as string;
    const type = kind === undefined ? [] : ['--type', kind];
    const result = await sluicebox(['sandbox', join(folder, file), ...type, '--test']);
    expect(result.out).toMatch(/^1\.\.\d\n(ok .*\n)+$/);
    expect(result.code).toBe(0);
  });

  it.each(blocks.filter(({ language }) => language === 'sh').map(({ text }) => [text.split('\n')[0], text]))('`%s` …', (_first, text) => {
    const bin = join(folder, 'bin');
    mkdirSync(bin, { recursive: true });
    const command = `#!/bin/sh\nexec '${process.execPath}' --disable-warning=ExperimentalWarning '${cliMain}' "$@"\n`;
    writeFileSync(join(bin, 'sluicebox'), command);
    chmodSync(join(bin, 'sluicebox'), 0o755);
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` };
    const { status, stderr } = spawnSync('sh', ['-e', '-c', text], { cwd: folder, env, encoding: 'utf8' });
    expect({ status, stderr }).toMatchObject({ status: 0 });
  });

  it('has a configuration that can be loaded', async () => {
    const path = join(folder, 'page.toml');
    writeFileSync(path, blocks.find(({ language }) => language === 'toml')?.text ?? '');
    expect((await loadConfig(path)).problems).toEqual([]);
  });

  it('names each function, and the kinds that have it', async () => {
    const api = readFileSync(join(root, 'plugins/api.d.ts'), 'utf8');
    const declared = [...new Set([...api.matchAll(/^declare function (\w+)/gm)].map(([, name = '']) => name))];
    const kinds = ['input', 'decoder', 'filter', 'encoder', 'output'] as const satisfies readonly SandboxKind[];
    const documented = rows.filter((cells) => cells.length === 7 && cells[0]?.startsWith('`') === true);
    const said = documented.map(([name = '', ...cells]) => [/\w+/.exec(name)?.[0], kinds.filter((_, i) => cells[i] === 'yes')]);
    const there = new Map(declared.map((name) => [name, [] as SandboxKind[]]));
    for (const kind of kinds.slice(1)) {
      const found = await bench.evaluate(
        kind,
        line(''),
        declared.map((name) => `typeof ${name}`),
      );
      for (const [i, name] of declared.entries()) if (found[i] === 'function') there.get(name)?.push(kind);
    }
    const asking = `function process_message() { inject_message({ Payload: [${declared.map((name) => `typeof ${name}`).join()}].join() }); return 0; }`;
    const { lines } = await sluicebox(['sandbox', bench.file('asking.js', asking), '--type', 'input']);
    const ofInputs = String(lines()[0]?.['Payload']).split(',');
    for (const [i, name] of declared.entries()) if (ofInputs[i] === 'function') there.get(name)?.unshift('input');
    expect(Object.fromEntries(said)).toEqual(Object.fromEntries(there));
  });

  it('says which limits there are', () => {
    const value = (name: string): number => Number(rows.find(([cell]) => cell === `\`${name}\``)?.[1]);
    const { memory, instructions, output, callMs } = DEFAULT_LIMITS;
    expect([value('memory_limit'), value('instruction_limit'), value('output_limit'), callMs]).toEqual([
      memory,
      instructions,
      output,
      3000,
    ]);
  });
});
