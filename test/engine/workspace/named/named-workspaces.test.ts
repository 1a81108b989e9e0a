import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AllRequests, FilePlace, RecordGraph } from '../../../../engine/api/types.ts';
import type { Manifest } from '../../../../engine/workspace/named/manifest.ts';
import { findPlugin } from '../../../../engine/plugins/catalog.ts';
import { sandboxSpec } from '../../../../engine/plugins/sandboxes.ts';
import { startSandboxes } from '../../../../engine/plugins/starter.ts';
import { testMs } from '../../../patience.ts';
import { Engine } from '../engine-fixture.ts';

const LINES = Array.from({ length: 300 }, (_, i) => `line ${i}\n`).join('');
const FILTER = `[counter]
type = "SandboxFilter"
filename = "scripts/count.ts"
message_matcher = "TRUE"
inputs = ["file:LOG"]
`;

const GRAPH: RecordGraph = {
  id: 3,
  title: 'Lines with a 2',
  measure: 'count',
  of: null,
  by: [],
  display: 'bars',
  unit: '',
  any: false,
  filters: [{ kind: 'text', text: '2', label: '2', caseSensitive: false, out: false, enabled: true }],
};

/** A script of this machine, which a workspace does not bring. */
const EVIL = join(mkdtempSync(join(tmpdir(), 'sluicebox-evil-')), 'evil.ts');
/** Stands for an array within an array, and so on. */
const DEEP = 'DEEP';

/** Reads the first line of a workspace, and changes it. */
function rewrite(path: string, change: (manifest: Manifest) => unknown): void {
  const plain = zstdDecompressSync(readFileSync(path));
  const end = plain.indexOf(10);
  const manifest = JSON.parse(plain.subarray(0, end).toString()) as Manifest;
  const line = Buffer.from(JSON.stringify(change(manifest) ?? manifest).replace(`"${DEEP}"`, '['.repeat(200_000) + ']'.repeat(200_000)));
  writeFileSync(path, zstdCompressSync(Buffer.concat([line, plain.subarray(end)])));
}

describe('a named workspace', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-named-'));
  const path = join(folder, 'case.sluicebox');
  let one: Engine;
  let log: string;

  const saved = async (engine: Engine, records: AllRequests['workspace.save']['in']['records']): Promise<void> => {
    await engine.grant(path);
    const { id } = await engine.ask('workspace.save', { path, records, window: { zone: 'utc' } });
    const ended = (): unknown =>
      engine.events
        .map(({ name, data }) => (name === 'export' ? (data as { id: number; state: string; problem: string | null }) : null))
        .findLast((info) => info?.id === id && info.state !== 'running');
    await expect.poll(ended).toMatchObject({ state: 'done', problem: null });
  };
  /** An engine of somebody else, to whom the workspace was handed. */
  const other = async (): Promise<Engine> => {
    const engine = new Engine();
    await engine.grant(path, 'workspace');
    return engine;
  };

  beforeEach(async () => {
    one = new Engine();
    log = one.file('app.log', LINES);
    const id = await one.open(log);
    await one.settled(id);
    await one.ask('source.shift', { id, seconds: 90 });
    await one.settled(id);
    const { rows } = await one.rows();
    await one.ask('mark.set', { record: rows[7]?.id ?? -1, on: true });
    const [mark] = await one.ask('mark.list', {});
    await one.ask('mark.note', { key: mark?.key ?? -1, note: 'here it began' });
    const highlighter = {
      name: 'two',
      kind: 'text',
      text: '2',
      field: '',
      caseSensitive: false,
      word: false,
      color: 1,
      enabled: true,
    } as const;
    await one.ask('highlighter.set', { highlighters: [highlighter] });
    await one.ask('recordGraph.set', { graphs: [GRAPH] });
    await one.ask('query.save', { name: 'all', sql: 'SELECT * FROM records' });
  });
  afterEach(async () => {
    await one.workspace.stop();
    rmSync(path, { force: true });
  });

  test.each([true, false])('comes back on the same machine, with its records: %s', async (records) => {
    await saved(one, records);
    const two = await other();
    const look = await two.ask('workspace.look', { path, places: [] });
    expect(look).toMatchObject({ name: 'case', files: [{ path: log, state: records ? 'packed' : 'here' }], marks: 1, scripts: [] });
    const { window, files, name } = await two.ask('workspace.open', { path, places: [], window: {} });
    expect([name, window]).toEqual(['case', { zone: 'utc' }]);
    const [source] = (await two.ask('engine.state', {})).sources;
    await two.settled(source?.id ?? -1);
    expect(files).toEqual([{ path: log, place: source?.location }]);
    expect(source).toMatchObject({ label: 'app.log', timeOffset: 90 });
    expect(source?.location === log).toBe(!records);
    expect(readFileSync(source?.location ?? '', 'utf8')).toBe(LINES);
    await expect.poll(() => two.ask('mark.list', {})).toMatchObject([{ note: 'here it began', text: 'line 7' }]);
    await expect.poll(async () => (await two.ask('mark.list', {}))[0]?.record).not.toBeNull();
    expect(await two.ask('highlighter.list', {})).toHaveLength(1);
    expect(await two.ask('recordGraph.list', {})).toEqual([GRAPH]);
    expect(await two.ask('query.saved', {})).toEqual([{ name: 'all', sql: 'SELECT * FROM records' }]);
    // Only a file that nobody chose is asked for.
    expect(two.asked.map(({ kind, text, by }) => [kind, text, by])).toEqual(records ? [] : [['open', log, 'workspace']]);
    await two.workspace.stop();
  });

  test('takes only the records along that a query selects, with the head of their file, and counts them', async () => {
    const sandboxes = startSandboxes({ hosts: 1 });
    const [decoding, two] = [new Engine(undefined, sandboxes), await other()];
    const head = '#Software: Microsoft Internet Information Services 10.0\n#Fields: date time cs-uri-stem sc-status\n';
    const line = (status: number, second: number): string => `2026-11-20 10:00:0${second} /checkout ${status}\n`;
    const plain = await decoding.open(decoding.file('app.log', LINES));
    const web = await decoding.open(decoding.file('iis.log', `${head}${[200, 503, 200, 503].map(line).join('')}`));
    await decoding.settled(plain);
    await decoding.settled(web);
    const failed = { text: ' 503' };
    const rows = `${head}${line(503, 1)}${line(503, 3)}`;
    expect(await decoding.ask('workspace.size', { query: failed })).toEqual({ records: 2, bytes: rows.length });
    expect(await decoding.ask('workspace.size', { query: { ...failed, sources: [plain] } })).toEqual({ records: 0, bytes: 0 });
    await saved(decoding, failed);
    await two.ask('workspace.open', { path, places: [], window: {} });
    const { sources } = await two.ask('engine.state', {});
    expect(sources.map(({ label }) => label)).toEqual(['iis.log']);
    expect(readFileSync(sources[0]?.location ?? '', 'utf8')).toBe(rows);
    await Promise.all([two.workspace.stop(), decoding.workspace.stop()]);
    await sandboxes.close();
  });

  test('takes the marks of a file along that a section of its own lists', async () => {
    const listed = one.file('listed.log', LINES);
    const file = join(one.folder, 'workspace.toml');
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n[mine]\ntype = "FileInput"\npaths = [${JSON.stringify(listed)}]\n`);
    const source = async (engine: Engine): Promise<number> =>
      (await engine.ask('engine.state', {})).sources.find(({ label }) => label === 'mine')?.id ?? -1;
    await expect.poll(() => source(one)).toBeGreaterThan(0);
    const id = await source(one);
    await one.settled(id);
    const { rows } = await one.rows({ sources: [id] });
    await one.ask('mark.set', { record: rows[9]?.id ?? -1, on: true });
    await saved(one, false);
    const two = await other();
    await two.ask('workspace.open', { path, places: [], window: {} });
    await expect
      .poll(async () => (await two.ask('mark.list', {})).map(({ label, text }) => [label, text]))
      .toContainEqual(['mine', 'line 9']);
    await two.workspace.stop();
  });

  test('leaves no records behind when what is open cannot be kept', async () => {
    await saved(one, true);
    const two = await other();
    await two.settled(await two.open(two.file('own.log', 'mine\n')));
    const file = join(two.folder, 'workspace.toml');
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n[wrong]\ntype = "FileInput"\n`);
    await expect(two.ask('workspace.open', { path, places: [], window: {} })).rejects.toMatchObject({ code: 'workspace.invalid' });
    expect(readdirSync(join(two.folder, 'unpacked'))).toEqual([]);
    expect((await two.ask('engine.state', {})).sources).toHaveLength(1);
    await two.workspace.stop();
  });

  test('brings all of its marks each time it is opened', async () => {
    await saved(one, true);
    const marks = (manifest: Manifest): Manifest['marks'] =>
      Array.from({ length: 1500 }, (_, i) => ({ ...(manifest.marks[0] as Manifest['marks'][number]), ordinal: i }));
    rewrite(path, (manifest) => ({ ...manifest, marks: marks(manifest) }));
    const two = await other();
    for (const _time of [1, 2]) {
      await two.ask('workspace.open', { path, places: [], window: {} });
      expect(await two.ask('mark.list', {})).toHaveLength(1500);
    }
    const { path: before } = await two.ask('workspace.before', {});
    await two.ask('workspace.open', { path: before ?? '', places: [], window: {} });
    expect(await two.ask('mark.list', {})).toHaveLength(1500);
    await two.workspace.stop();
  });

  test('counts the filter scripts and the filters of the window apart', async () => {
    await saved(one, false);
    const two = await other();
    const counts = async (window: Manifest['window']): Promise<readonly [number, number]> => {
      rewrite(path, (manifest) => ({ ...manifest, window }));
      const { filterScripts, filters } = await two.ask('workspace.look', { path, places: [] });
      return [filterScripts, filters];
    };
    const [scripts, none] = await counts({ session: { filter: { stack: 'no list' } } });
    expect([scripts > 0, none]).toEqual([true, 0]);
    expect(await counts({ session: { filter: { stack: [{ text: 'mine' }] } } })).toEqual([scripts, 1]);
    await two.workspace.stop();
  });

  test('undoes no change of the filters that were open before', async () => {
    await saved(one, false);
    const two = await other();
    await two.ask('filter.remove', { name: 'http_status' });
    rewrite(path, (manifest) => ({ ...manifest, sections: manifest.sections.replaceAll(/^\[(http_status|.*_client)/gm, '[$1_') }));
    await two.ask('workspace.open', { path, places: [], window: {} });
    const names = async (): Promise<string[]> => (await two.ask('filter.sections', {})).map(({ name }) => name);
    const there = await names();
    expect(there).not.toContain('http_status');
    expect(await two.ask('filter.undo', {})).toEqual({ undone: null });
    expect(await names()).toEqual(there);
    await two.workspace.stop();
  });

  test('opens what is elsewhere by the place that someone points to', async () => {
    await saved(one, false);
    await one.workspace.stop();
    const moved = join(folder, 'moved.log');
    renameSync(log, moved);
    const two = await other();
    expect(await two.ask('workspace.look', { path, places: [] })).toMatchObject({ files: [{ path: log, state: 'missing' }] });
    const alone = await two.ask('workspace.open', { path, places: [], window: {} });
    expect(alone.files).toEqual([{ path: log, place: null }]);
    expect((await two.ask('engine.state', {})).sources).toEqual([]);
    await two.grant(moved, 'open');
    const { files } = await two.ask('workspace.open', { path, places: [{ path: log, place: moved }], window: {} });
    expect(files).toEqual([{ path: log, place: moved }]);
    const [source] = (await two.ask('engine.state', {})).sources;
    await two.settled(source?.id ?? -1);
    await expect.poll(async () => (await two.ask('mark.list', {}))[0]?.record).not.toBeNull();
    expect(two.asked).toEqual([]);
    await two.workspace.stop();
  });

  test('finds the files that were moved as a folder, and those beside it', async () => {
    const more = one.file('more.log', LINES);
    await one.settled(await one.open(more));
    await saved(one, false);
    await one.workspace.stop();
    const moved = join(folder, 'elsewhere');
    mkdirSync(moved);
    for (const file of [log, more]) renameSync(file, join(moved, basename(file)));
    const two = await other();
    const look = async (places: FilePlace[]): Promise<unknown> =>
      (await two.ask('workspace.look', { path, places })).files.map((file) => [file.path, file.place]);
    const there = join(moved, 'app.log');
    // Nobody chose it.
    expect(await look([{ path: log, place: there }])).toEqual([
      [log, null],
      [more, null],
    ]);
    await two.grant(there, 'open');
    expect(await look([{ path: log, place: there }])).toEqual([
      [log, there],
      [more, join(moved, 'more.log')],
    ]);
    renameSync(join(moved, 'more.log'), join(folder, 'more.log'));
    expect(await look([])).toEqual([
      [log, null],
      [more, join(folder, 'more.log')],
    ]);
    rmSync(join(folder, 'more.log'));
    await two.workspace.stop();
  });

  test('keeps what was open before, to which one can go back', async () => {
    await saved(one, true);
    const two = await other();
    expect(await two.ask('workspace.before', {})).toEqual({ path: null });
    const own = two.file('own.log', 'mine\n');
    await two.settled(await two.open(own));
    await two.ask('workspace.open', { path, places: [], window: { zone: 'local' } });
    const before = (await two.ask('workspace.before', {})).path ?? '';
    const back = await two.ask('workspace.open', { path: before, places: [], window: {} });
    expect(back).toMatchObject({ name: '', window: { zone: 'local' }, files: [{ path: own, place: own }] });
    expect((await two.ask('engine.state', {})).sources.map(({ location }) => location)).toEqual([own]);
    // The one that was left is now the one before, with its records.
    const again = await two.ask('workspace.open', { path: before, places: [], window: {} });
    expect(readFileSync(again.files[0]?.place ?? '', 'utf8')).toBe(LINES);
    await two.ask('workspace.open', { path, places: [], window: {} });
    await two.ask('workspace.open', { path, places: [], window: {} });
    expect(readdirSync(join(two.folder, 'unpacked'))).toHaveLength(2);
    await two.workspace.stop();
  });

  describe('with a script', () => {
    const SCRIPT = 'function process_message() { return 0; }\n';
    beforeEach(async () => {
      await one.ask('script.save', { name: 'count.ts', path: null, text: SCRIPT, apply: false, keepState: false });
      const file = join(one.folder, 'workspace.toml');
      writeFileSync(file, `${readFileSync(file, 'utf8')}\n${FILTER.replace('LOG', log)}`);
      await expect.poll(async () => (await one.ask('filter.sections', {})).map(({ name }) => name)).toContain('counter');
      await saved(one, true);
    });

    test('asks for the script first, and does nothing without an answer', async () => {
      const two = await other();
      two.confirms = () => false;
      const own = two.file('own.log', 'mine\n');
      await two.settled(await two.open(own));
      await expect(two.ask('workspace.open', { path, places: [], window: {} })).rejects.toMatchObject({ code: 'consent.refused' });
      expect(two.asked.map(({ kind, section, by }) => [kind, section, by])).toEqual([['script', 'count.ts', 'workspace']]);
      expect((await two.ask('engine.state', {})).sources.map(({ location }) => location)).toEqual([own]);
      expect(existsSync(join(two.folder, 'scripts', 'count.ts'))).toBe(false);
      expect(await two.ask('workspace.before', {})).toEqual({ path: null });
      await two.workspace.stop();
    });

    test('brings the script, and the filter for the file in its new place', async () => {
      const two = await other();
      const { files } = await two.ask('workspace.open', { path, places: [], window: {} });
      const [counter] = (await two.ask('filter.sections', {})).filter(({ name }) => name === 'counter');
      expect(counter).toMatchObject({ script: join(two.folder, 'scripts', 'count.ts'), inputs: [`file:${files[0]?.place}`] });
      expect(readFileSync(counter?.script ?? '', 'utf8')).toBe(SCRIPT);
      // Files that are there already are not asked for again.
      two.asked.length = 0;
      await two.ask('workspace.open', { path, places: [], window: {} });
      expect(two.asked).toEqual([]);
      await two.workspace.stop();
    });

    test('never writes over a script of the same name', async () => {
      const two = await other();
      await two.ask('script.save', { name: 'count.ts', path: null, text: '// mine\n', apply: false, keepState: false });
      await two.ask('workspace.open', { path, places: [], window: {} });
      const [counter] = (await two.ask('filter.sections', {})).filter(({ name }) => name === 'counter');
      expect(counter?.script).toBe(join(two.folder, 'scripts', 'count_2.ts'));
      expect(readFileSync(join(two.folder, 'scripts', 'count.ts'), 'utf8')).toBe('// mine\n');
      // Opened again, it finds its script under the new name.
      two.asked.length = 0;
      await two.ask('workspace.open', { path, places: [], window: {} });
      expect(two.asked).toEqual([]);
      expect(readdirSync(join(two.folder, 'scripts'))).toEqual(['count.ts', 'count_2.ts']);
      await two.workspace.stop();
    });

    test('takes along what a script imports', async () => {
      const { text, name } = await one.ask('script.read', { kind: 'decoder', script: 'rfc5424' });
      const { path: script } = await one.ask('script.save', { name, path: null, text, apply: false, keepState: false });
      expect(text).toMatch(/from '\.\/bundled-/);
      await saved(one, true);
      const two = await other();
      await two.ask('workspace.open', { path, places: [], window: {} });
      const theirs = join(two.folder, 'scripts', name);
      expect(findPlugin('decoder', theirs).meta).toEqual(findPlugin('decoder', script).meta);
      const sandboxes = startSandboxes({ hosts: 1 });
      await (await sandboxes.start(sandboxSpec('decoder', findPlugin('decoder', theirs), {}))).stop();
      await sandboxes.close();
      await two.workspace.stop();
      // Here it is the same as before.
      const scripts = readdirSync(join(one.folder, 'scripts'));
      await one.grant(path, 'workspace');
      await one.ask('workspace.open', { path, places: [], window: {} });
      expect(readdirSync(join(one.folder, 'scripts'))).toEqual(scripts);
    });
  });

  test('takes what comes over a network along as a file, with its records', async () => {
    const { id } = await one.ask('source.run', { command: 'printf "one\\ntwo\\n"' });
    await expect.poll(async () => (await one.source(id))?.records).toBe(2);
    await saved(one, true);
    const two = await other();
    const { files } = await two.ask('workspace.open', { path, places: [], window: {} });
    expect(two.asked).toEqual([]);
    expect(readFileSync(files[1]?.place ?? '', 'utf8')).toBe('one\ntwo\n');
    expect(await two.ask('workspace.look', { path, places: [] })).toMatchObject({ starts: [] });
    await saved(one, false);
    const three = await other();
    three.confirms = ({ kind }) => kind !== 'command';
    expect((await three.ask('workspace.look', { path, places: [] })).starts).toHaveLength(1);
    await expect(three.ask('workspace.open', { path, places: [], window: {} })).rejects.toMatchObject({ code: 'consent.refused' });
    await Promise.all([two, three].map((engine) => engine.workspace.stop()));
  });

  test('can be opened again whatever its scripts are called', async () => {
    const script = join(one.folder, 'été 1.js');
    writeFileSync(script, 'function process_message() { return 0; }\n');
    const file = join(one.folder, 'workspace.toml');
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n${FILTER.replace('LOG', log).replace('scripts/count.ts', script)}`);
    await expect.poll(async () => (await one.ask('filter.sections', {})).map(({ name }) => name)).toContain('counter');
    await saved(one, false);
    const two = await other();
    await two.ask('workspace.open', { path, places: [], window: {} });
    const [counter] = (await two.ask('filter.sections', {})).filter(({ name }) => name === 'counter');
    expect(counter?.script).toBe(join(two.folder, 'scripts', '_t__1.js'));
    await two.workspace.stop();
  });

  test('brings the script of a decoder from wherever it is', async () => {
    const script = join(one.folder, 'mine.js');
    writeFileSync(script, 'function process_message() { inject_message({ Payload: read_message("Payload") }); return 0; }\n');
    const [source] = (await one.ask('engine.state', {})).sources;
    await one.grant(script, 'script');
    await one.ask('source.decoder', { id: source?.id ?? -1, decoder: script });
    await one.settled(source?.id ?? -1);
    await saved(one, false);
    const two = await other();
    await two.ask('workspace.open', { path, places: [], window: {} });
    const [opened] = (await two.ask('engine.state', {})).sources;
    await two.settled(opened?.id ?? -1);
    expect((await two.ask('engine.state', {})).sources[0]?.decoder?.name).toBe(join(two.folder, 'scripts', 'mine.js'));
    expect(two.asked.map(({ kind, section }) => [kind, section])).toContainEqual(['script', 'mine.js']);
    await two.workspace.stop();
  });

  test('is not saved when it could not be opened again', async () => {
    mkdirSync(join(one.folder, 'scripts'), { recursive: true });
    writeFileSync(join(one.folder, 'scripts', 'long.js'), `// ${'x'.repeat(1_000_000)}\n`);
    await one.grant(path);
    await one.ask('workspace.save', { path, records: false, window: {} });
    const problem = (): unknown => one.events.findLast(({ name }) => name === 'export')?.data;
    await expect
      .poll(problem)
      .toMatchObject({ state: 'failed', problem: 'A workspace takes scripts of up to 1,000,000 characters along; long.js is longer.' });
    expect(existsSync(path)).toBe(false);
  });

  test.skipIf(process.platform === 'win32')('is not waited for where it is a pipe', async () => {
    execFileSync('mkfifo', [path]);
    const two = await other();
    await expect(two.ask('workspace.look', { path, places: [] })).rejects.toMatchObject({ code: 'workspace.damaged' });
    await two.workspace.stop();
  });

  test(
    'a pattern is not searched for on the whole disk',
    async () => {
      await saved(one, false);
      rewrite(path, (m) => ({ ...m, files: m.files.map((one) => ({ ...one, path: '/**/*.never-there' })) }));
      const two = await other();
      expect(await two.ask('workspace.look', { path, places: [] })).toMatchObject({ files: [{ state: 'missing' }] });
      await two.workspace.stop();
    },
    Math.max(15_000, testMs() / 4),
  );

  describe('that was tampered with', () => {
    const file = { path: '/x', section: 's', label: 'x', decoder: null, timeOffset: 0, records: 3 };
    const cases: [string, (manifest: Manifest) => unknown][] = [
      ['a newer form', (m) => ({ ...m, version: 2 })],
      ['another file', () => ({ hello: 'world' })],
      ['a script with a path', (m) => ({ ...m, scripts: [{ name: '../../evil.ts', text: '' }] })],
      ['a script that is not a script', (m) => ({ ...m, scripts: [{ name: 'evil.sh', text: '' }] })],
      ['a filter of another place', (m) => ({ ...m, sections: FILTER.replace('scripts/count.ts', '/etc/evil.ts') })],
      ['a filter with a path', (m) => ({ ...m, sections: FILTER.replace('scripts/count.ts', 'scripts/../../evil.ts') })],
      ['a service', (m) => ({ ...m, sections: '[svcd]\nshare_dir = "/tmp"\n' })],
      ['an output', (m) => ({ ...m, sections: '[o]\ntype = "FileOutput"\npath = "/tmp/x"\nmessage_matcher = "TRUE"\nencoder = "json"\n' })],
      [
        'a file that would be opened unasked',
        (m) => ({ ...m, sections: '["file:/etc/shadow"]\ntype = "FileInput"\npaths = ["/etc/shadow"]\n' }),
      ],
      ['a decoder of another place', (m) => ({ ...m, files: m.files.map((one) => ({ ...one, decoder: { name: EVIL, config: {} } })) })],
      [
        'a decoder that it does not bring',
        (m) => ({ ...m, files: m.files.map((one) => ({ ...one, decoder: { name: 'scripts/evil.ts', config: {} } })) }),
      ],
      [
        'a filter by the path of a script',
        (m) => ({ ...m, sections: FILTER.replace('filename = "scripts/count.ts"', `plugin = "${EVIL}"`) }),
      ],
      ['values within values without end', (m) => ({ ...m, window: { deep: DEEP } })],
      ['no TOML', (m) => ({ ...m, sections: '[' })],
      ['more records than there are', (m) => ({ ...m, files: m.files.map((one) => ({ ...one, records: (one.records ?? 0) + 1 })) })],
      ['fewer records than there are', (m) => ({ ...m, files: m.files.map((one) => ({ ...one, records: (one.records ?? 0) - 1 })) })],
      ['a part that is not there', (m) => ({ ...m, files: [...m.files, file] })],
    ];

    beforeAll(() => writeFileSync(EVIL, 'function process_message() { return 0; }\n'));
    afterAll(() => rmSync(dirname(EVIL), { recursive: true }));

    test.each(cases)('%s is refused, and nothing has changed', async (_what, change) => {
      await saved(one, true);
      rewrite(path, change);
      const two = await other();
      const own = two.file('own.log', 'mine\n');
      await two.settled(await two.open(own));
      await expect(two.ask('workspace.open', { path, places: [], window: {} })).rejects.toMatchObject({ code: 'workspace.damaged' });
      expect((await two.ask('engine.state', {})).sources.map(({ location }) => location)).toEqual([own]);
      expect(existsSync(join(two.folder, 'unpacked')) ? readdirSync(join(two.folder, 'unpacked')) : []).toEqual([]);
      await two.workspace.stop();
    });

    test('records with more than there is room for are refused before anything is unpacked', async () => {
      await saved(one, true);
      rewrite(path, (m) => ({ ...m, files: m.files.map((one) => ({ ...one, records: 2 ** 52 })) }));
      const two = await other();
      await expect(two.ask('workspace.open', { path, places: [], window: {} })).rejects.toMatchObject({ code: 'workspace.room' });
      await two.workspace.stop();
    });

    test('names with paths stay in their folder', async () => {
      await saved(one, true);
      rewrite(path, (m) => ({ ...m, files: m.files.map((one) => ({ ...one, label: '../../../evil', path: '../evil' })) }));
      const two = await other();
      const { files } = await two.ask('workspace.open', { path, places: [], window: {} });
      expect(files[0]?.place).toMatch(/unpacked\/[0-9a-f]{16}\/0\/evil$/);
      await two.workspace.stop();
    });

    test('cut anywhere it is refused', async () => {
      await saved(one, true);
      const whole = readFileSync(path);
      const two = await other();
      for (const part of [0, 0.1, 0.5, 0.9, 0.999]) {
        writeFileSync(path, whole.subarray(0, Math.floor(whole.length * part)));
        await expect(two.ask('workspace.open', { path, places: [], window: {} })).rejects.toMatchObject({ code: 'workspace.damaged' });
      }
      // Its last frame may be empty: each byte of it counts.
      const last = whole.length - 20;
      for (let i = 0; i < whole.length; i += i < last - 37 ? 37 : 1) {
        const bad = Buffer.from(whole);
        bad[i] = (bad[i] ?? 0) ^ 0x55;
        writeFileSync(path, bad);
        await expect(two.ask('workspace.open', { path, places: [], window: {} })).rejects.toMatchObject({ code: 'workspace.damaged' });
      }
      writeFileSync(path, Buffer.concat([whole, Buffer.from('more')]));
      await expect(two.ask('workspace.open', { path, places: [], window: {} })).rejects.toMatchObject({ code: 'workspace.damaged' });
      await two.workspace.stop();
    });
  });

  test('a path that nobody chose is asked for', async () => {
    await saved(one, true);
    const two = new Engine();
    two.confirms = () => false;
    await expect(two.ask('workspace.look', { path, places: [] })).rejects.toMatchObject({ code: 'consent.refused' });
    expect(two.asked.map(({ kind, text }) => [kind, text])).toEqual([['open', path]]);
    await two.workspace.stop();
  });
});
