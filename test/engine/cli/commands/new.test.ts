import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileOf, sluicebox } from '../run-cli.ts';

const root = resolve(import.meta.dirname, '../../../..');
const folder = fileOf('new-scripts', '').replace(/new-scripts$/, 'new/scripts');

describe('sluicebox new', () => {
  it.each(['decoder', 'filter', 'encoder', 'input', 'output'] as const)(
    'writes a %s that passes its tests and runs on its example',
    async (kind) => {
      const made = await sluicebox(['new', kind, `my_${kind}`, '--in', folder]);
      expect(made).toMatchObject({ code: 0, err: '' });
      const script = join(folder, `my_${kind}.ts`);
      const tests = await sluicebox(['sandbox', script, '--test']);
      expect(tests.out).toMatch(/^1\.\.4\n(ok \d - .*\n){4}$/);
      expect(tests).toMatchObject({ code: 0, err: '' });
      const example = join(folder, `my_${kind}.input.${kind === 'decoder' ? 'log' : kind === 'input' ? 'txt' : 'jsonl'}`);
      const run = await sluicebox(['sandbox', script, example]);
      expect(run.code).toBe(0);
      expect(run.out).toMatch(/disk/);
    },
  );

  it('gives them types that they agree with, as the examples of the documentation do', () => {
    const pages = ['plugins', 'script-decoders', 'script-state', 'script-graphs'].map((name) =>
      readFileSync(join(root, `docs/${name}.md`), 'utf8'),
    );
    const examples = [...pages.join('\n').matchAll(/^```ts (\S+\.ts)\n(.*?)^```$/gms)];
    expect(examples.length).toBeGreaterThan(3);
    for (const [, name = '', text = ''] of examples) writeFileSync(join(folder, name), text);
    const checked = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], { encoding: 'utf8' });
    expect(checked.stdout).toBe('');
    expect(checked.status).toBe(0);
    expect(readFileSync(join(folder, 'api.d.ts'), 'utf8')).toBe(readFileSync(join(root, 'plugins/api.d.ts'), 'utf8'));
  });

  it('prints commands that can be run as they are', async () => {
    const { out } = await sluicebox(['new', 'encoder', 'quoted', '--in', join(folder, "it's here")]);
    const [, path = ''] = /^ {2}sluicebox sandbox (.*) --test$/m.exec(out) ?? [];
    expect(spawnSync('sh', ['-c', `printf '%s' ${path}`], { encoding: 'utf8' }).stdout).toMatch(/new\/scripts\/it's here\/quoted\.ts$/);
  });

  it('overwrites nothing', async () => {
    const script = join(folder, 'my_filter.ts');
    writeFileSync(script, '// mine');
    const again = await sluicebox(['new', 'filter', 'my_filter', '--in', folder]);
    expect(again.code).toBe(1);
    expect(again.err).toMatch(/my_filter\.ts.*there already, and not overwritten/);
    expect(readFileSync(script, 'utf8')).toBe('// mine');
  });

  it.each([
    { args: ['filter'], err: /new needs a kind and a name/ },
    { args: ['graph', 'x'], err: /the kind must be one of decoder, filter, encoder, input, output/ },
    { args: ['filter', '../x'], err: /the name must begin with a letter and be made of letters/ },
  ])('refuses $args', async ({ args, err }) => {
    expect(await sluicebox(['new', ...args])).toMatchObject({ code: 2, err: expect.stringMatching(err) as string });
  });
});

describe('sluicebox sandbox --test', () => {
  const script = fileOf('tested.js', `function process_message() { inject_message({ Payload: read_message('Payload') }); return 0; }`);
  const run = (table: string) => sluicebox(['sandbox', script, '-t', 'decoder', '--test', fileOf('tested.test.json', table)]);

  it('says what differs', async () => {
    const result = await run(
      '[{"title":"same","in":"a","out":"a"},{"title":"other","in":"a","out":"b"},{"title":"none","in":"a","fails":"why"}]',
    );
    expect(result.code).toBe(1);
    expect(result.out).toMatch(
      /^1\.\.3\nok 1 - same\nnot ok 2 - other\n# {3}expected \["b"\]\n# {3}but got .*"Payload":"a".*\nnot ok 3 - none\n/,
    );
  });

  it('names the headers and fields that differ, and shortens long texts', async () => {
    const text = 'x'.repeat(300);
    const result = await run(JSON.stringify([{ title: 'long', in: text, out: { Severity: 3, Payload: text, Fields: { a: 1 } } }]));
    expect(result.out).toMatch(/but got .*"Payload":"x{200}…"/);
    expect(result.out).toMatch(/^# {3}message 1 differs in Severity, Fields\[a\]$/m);
  });

  it('takes dates as the times of ticks', async () => {
    const path = fileOf(
      'ticks.js',
      `function process_message() { return 0; } function timer_event(ns) { inject_payload('txt', 't', String(BigInt(ns))); }`,
    );
    const table = fileOf(
      'ticks.test.json',
      '[{"title":"date","in":{"timer":"2026-11-20T10:00:00Z"},"out":"1795168800000000000"},{"title":"wrong","in":{"timer":"noon"},"out":"x"}]',
    );
    const result = await sluicebox(['sandbox', path, '-t', 'filter', '--test', table]);
    expect(result.out).toMatch(/^1\.\.2\nok 1 - date\nnot ok 2 - wrong\n/);
    expect(result.out).toContain('timer: nanoseconds since 1970 or a date are expected');
  });

  it.each([
    ['{}', /a list of tests is expected/],
    ['[1]', /test 1: an object is expected/],
    ['[{"in":"a"}]', /either out or fails is needed/],
    ['[{"in":"a","out":"a","outt":1}]', /outt is not known/],
    ['no', /cannot be read/],
  ])('refuses the table %s', async (table, err) => {
    expect(await run(table)).toMatchObject({ code: 2, err: expect.stringMatching(err) as string });
  });
});
