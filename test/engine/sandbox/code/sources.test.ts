import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { findPlugin, modulesFolder } from '../../../../engine/plugins/catalog.ts';
import type { SandboxEndedError } from '../../../../engine/sandbox/contract/errors.ts';
import type { SourceFile } from '../../../../engine/sandbox/contract/protocol.ts';
import { copiesFolder } from '../../../../engine/sandbox/code/copied.ts';
import { ScriptSources } from '../../../../engine/sandbox/code/sources.ts';
import { DEFAULT_LIMITS, type Sandbox, type SandboxLimits } from '../../../../engine/sandbox/contract/types.ts';
import { copyBundled } from '../../../../engine/workspace/scripts/bundled-copy.ts';
import { PluginBench } from '../../../plugins/support/plugin-bench.ts';
import { batchOf, line } from '../harness.ts';

const bench = new PluginBench({ graceMs: 300 });
afterAll(() => bench.close());

const NGINX = findPlugin('decoder', 'nginx_access').path;
const COUNTED = DEFAULT_LIMITS.instructions + 1;

describe('the step counter', () => {
  const parts = { kind: 'decoder' as const, script: NGINX, modules: [modulesFolder()], limits: DEFAULT_LIMITS };
  const own = bench.file('own.js', 'function process_message() { return 0; }');
  const limits = (some: Partial<SandboxLimits>): SandboxLimits => ({ ...DEFAULT_LIMITS, ...some });

  function isUncounted(sources: ScriptSources, request: Parameters<ScriptSources['answer']>[0]): boolean {
    const answer = sources.answer(request);
    if ('error' in answer) throw new Error(answer.error);
    return answer.file.uncounted === true;
  }

  test.each([
    ['is left out of a bundled script', parts, true],
    ['is left out where there is no limit of steps', { ...parts, limits: limits({ instructions: 0 }) }, true],
    ['is there where a limit is set', { ...parts, limits: limits({ instructions: 5 }) }, false],
    ['is there where no clock stops a call', { ...parts, limits: limits({ callMs: 0 }) }, false],
    ['is there where the steps of lines are wanted', { ...parts, profile: true }, false],
    ['is there in a draft of a bundled script', { ...parts, text: 'function process_message() { return 0; }' }, false],
    ['is there in an input, whose call may go on for ever', { ...parts, kind: 'input' as const }, false],
    ["is there in a user's script", { ...parts, script: own }, false],
  ])('%s', (_, spec, expected) => {
    expect(isUncounted(new ScriptSources(spec), { want: 'script' })).toBe(expected);
  });

  test("is there in a bundled module of a user's script, and not in one of a bundled script", () => {
    expect(isUncounted(new ScriptSources({ ...parts, script: own }), { want: 'module', name: 'json' })).toBe(false);
    expect(isUncounted(new ScriptSources(parts), { want: 'module', name: 'json' })).toBe(true);
  });

  test("is there in a user's module that stands in front of a bundled one", () => {
    bench.file('json.js', 'exports.decode = (text) => text;');
    const sources = new ScriptSources({ ...parts, modules: [bench.folder, modulesFolder()] });
    expect(isUncounted(sources, { want: 'module', name: 'json' })).toBe(false);
  });
});

describe("a copy of a bundled file beside a user's script", () => {
  const SCAN = 'lib/time/minute_date.ts';

  async function importedCopy(change: (text: string) => string): Promise<SourceFile> {
    const folder = mkdtempSync(join(bench.folder, 'copied-'));
    const script = join(folder, 'rfc3164.ts');
    writeFileSync(script, await copyBundled(findPlugin('decoder', 'rfc3164').path, folder));
    const copy = join(folder, copiesFolder(), SCAN);
    writeFileSync(copy, change(readFileSync(copy, 'utf8')));
    const sources = new ScriptSources({ kind: 'decoder', script, modules: [modulesFolder()], limits: DEFAULT_LIMITS });
    const answer = sources.answer({ want: 'import', specifier: `./${copiesFolder()}/${SCAN}`, from: script });
    if ('error' in answer) throw new Error(answer.error);
    return answer.file;
  }

  test('has its types taken off here, and is counted', async () => {
    expect(await importedCopy((text) => text)).toMatchObject({ stripped: true, text: expect.not.stringContaining(': string') as string });
    expect((await importedCopy((text) => text)).uncounted).toBeUndefined();
  });

  test('is for the host as any script of a user when it was changed', async () => {
    expect((await importedCopy((text) => `${text} `)).stripped).toBeUndefined();
    expect((await importedCopy((text) => text.replace(/from '[^']*'/, "from './a\\x27'"))).stripped).toBeUndefined();
  });
});

describe('a bundled script', () => {
  const startRegex = (pattern: string, limits: Partial<SandboxLimits>): Promise<Sandbox> =>
    bench.startPlugin('decoder', 'regex', { config: { pattern }, limits });

  test('is ended by the clock at the line that never ends, and its neighbours go on', async () => {
    const neighbour = await bench.start(`function process_message() { inject_message({ Payload: 'there' }); return 0; }`, {
      kind: 'decoder',
    });
    // Back-references keep V8 from its engine in linear time.
    const sandbox = await startRegex('^(?<a>(x+)+)\\2$', { callMs: 1500 });
    const rows = ['xx', 'xxxx', `${'x'.repeat(60)}!`, 'xx'].map(line);
    const result = await sandbox.process(batchOf(rows), null);
    expect(result.terminated).toMatchObject({ code: 'limit.time', limit: 1500, row: 2 });
    expect(result.injected?.length).toBe(2);
    const other = await neighbour.process(batchOf([line('')]), null);
    expect(other.injected?.payload).toEqual({ constant: 'there' });
    await neighbour.stop();
  });

  test('is ended by a limit of steps that was set', async () => {
    const failed = await startRegex('^(?<a>x+)$', { instructions: 1 }).catch((error: unknown) => error);
    expect(failed).toMatchObject({ end: { code: 'limit.instructions', limit: 1 } });
  });

  test('is ended by its limit of memory', async () => {
    const limits = { memory: 1_000_000 };
    const sandbox = await bench.startPlugin('filter', 'log_templates', { config: { max_patterns: 1e6, prefix_words: 3 }, limits });
    const word = (i: number): string => String.fromCharCode(...[...String(i)].map((digit) => 97 + Number(digit))).repeat(20);
    const lines = Array.from({ length: 4000 }, (_, i) => line(`${word(i)} ${word(i * 7)} ${word(i * 11)} done`));
    const ended = await sandbox
      .process(batchOf(lines), null)
      .then(({ terminated }) => terminated ?? sandbox.process(batchOf(lines), null).then((result) => result.terminated))
      .catch((error: unknown) => (error as SandboxEndedError).end);
    expect(ended).toMatchObject({ code: 'limit.memory', limit: 1_000_000 });
  });

  test.each([COUNTED, DEFAULT_LIMITS.instructions])(
    'names the same place when it does not load, with a limit of %d',
    async (instructions) => {
      const failed = await startRegex('^x$', { instructions }).catch((error: unknown) => error);
      expect(failed).toMatchObject({ end: { code: 'script.throws', place: { file: 'regex.ts', line: 112 } } });
    },
  );
});
