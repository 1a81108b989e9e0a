import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { zstdCompressSync } from 'node:zlib';
import { slowness } from '../../patience.ts';
import { EngineProcess } from '../window/engine-process.ts';
import type { Fault, FaultResult } from './fault.ts';

/** Milliseconds within which a workspace is refused or open, and within which the engine answers anything else meanwhile. */
const OPEN_MS = 20_000;
const ANSWER_MS = 3000;
const SECRET = 'the secret of another folder';

type Head = Readonly<Record<string, unknown>>;

const EMPTY: Head = {
  ...{ sluicebox: 'workspace', version: 1, savedAt: 0, files: [], sections: '', scripts: [] },
  ...{ highlighters: [], filterSets: [], recordGraphs: [], marks: [], window: {} },
};
const fileAt = (path: string, more: Head = {}): Head => ({
  ...{ path, section: `file ${path}`, label: path, decoder: null, timeOffset: 0, records: null },
  ...more,
});
const listing = (...files: readonly Head[]): Head => ({ ...EMPTY, files });

/** An archive with a first line, and the records behind it. */
function archive(head: unknown, ...parts: readonly string[]): Buffer {
  const pieces = parts.flatMap((part) => {
    const lengths = Buffer.alloc(4);
    lengths.writeUInt32BE(part.length);
    return [lengths, Buffer.from(part), Buffer.alloc(4)];
  });
  return zstdCompressSync(Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...pieces]));
}

/** Files of a stranger that are no logs, and where a log would be outside. */
function traps(folder: string): Readonly<Record<string, string>> {
  const at = (name: string): string => join(folder, name);
  execFileSync('mkfifo', [at('fifo.log')]);
  symlinkSync('/nowhere', at('dangling.log'));
  symlinkSync('/dev/zero', at('zero.log'));
  mkdirSync(at('folder.log'));
  writeFileSync(at('huge.log'), '');
  truncateSync(at('huge.log'), 2 ** 40);
  for (const store of ['pipe', 'view', 'holes', 'noise']) mkdirSync(at(`${store}/files`), { recursive: true });
  execFileSync('mkfifo', [at('pipe/manifest.sqlite')]);
  const view = new DatabaseSync(at('view/manifest.sqlite'));
  view.exec(
    'CREATE VIEW source AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n; CREATE VIEW file AS SELECT * FROM source; PRAGMA user_version = 1',
  );
  view.close();
  writeFileSync(at('holes/manifest.sqlite'), '');
  truncateSync(at('holes/manifest.sqlite'), 2 ** 34);
  writeFileSync(at('noise/manifest.sqlite'), Buffer.alloc(1 << 20, 'SQLite format 3\0'));
  return {
    'a pipe': at('fifo.log'),
    'a link to nowhere': at('dangling.log'),
    'a link to a device': at('zero.log'),
    'a folder': at('folder.log'),
    'a terabyte of nothing': at('huge.log'),
    'a device': '/dev/zero',
    'the memory of the process': '/proc/self/mem',
    'all files there are': '/**/*.nothing',
    'a table of a store that is a pipe': at('pipe/access'),
    'a table of a store that is an endless view': at('view/access'),
    'a table of a store full of holes': at('holes/access'),
    'a table of a store of noise': at('noise/access'),
  };
}

/** Workspaces that are refused as they are, or that try to get out of their folder. */
function workspaces(outside: string): Readonly<Record<string, Buffer>> {
  const section = (text: string): Buffer => archive({ ...EMPTY, sections: text });
  const script = (name: string, text: string): Head => ({
    ...EMPTY,
    scripts: [{ name, text }],
    sections: `[evil]\ntype = "SandboxFilter"\nfilename = "scripts/${name}"\nmessage_matcher = "TRUE"\nticker_interval = 1\n`,
  });
  const named = (label: string): Buffer => archive(listing(fileAt('/x', { label, records: 4 })), 'abc\n');
  return {
    'no archive': Buffer.from('no archive'),
    'a cut archive': archive(EMPTY).subarray(0, 40),
    'a line without end': zstdCompressSync(Buffer.alloc(256 << 20, ' ')),
    'values within values': zstdCompressSync(Buffer.from(`${'['.repeat(20 << 20)}\n`)),
    'millions of values': zstdCompressSync(Buffer.from(`[${'[],'.repeat(15 << 20)}[]]\n`)),
    'a name that leads out': named('../../../outside/made.log'),
    'a name of another system': named('..\\..\\outside\\made.log'),
    'a name with odd characters': named('\u202egol.\n\u0007'),
    'a long name': named('x'.repeat(4000)),
    'more records than there is room for': archive(listing(fileAt('/x', { records: 2 ** 52 })), 'abc\n'),
    'fewer records than there are': archive(listing(fileAt('/x', { records: 1 })), 'abc\n'),
    'a script that leads out': archive(script('../../outside/made.js', '')),
    'a script of another folder': archive({ ...EMPTY, sections: `[evil]\ntype = "SandboxFilter"\nfilename = "${outside}/secret.js"\n` }),
    'a script that imports': archive(script('a.js', `import secret from '${outside}/secret.js';\nexport const meta = { secret };\n`)),
    'a script that imports a device': archive(script('b.js', "import x from '/dev/zero';\nfunction process_message() { return x; }\n")),
    'a script without end': archive(script('c.js', 'for (;;) {}\n')),
    'an output': section(`[o]\ntype = "FileOutput"\npath = "${outside}/made"\nmessage_matcher = "TRUE"\nencoder = "json"\n`),
    'a folder of modules': section(`[f]\ntype = "SandboxFilter"\nmodule_directory = "${outside}"\nmessage_matcher = "TRUE"\n`),
    'a section of four million characters': section(`# ${'x'.repeat(3_999_000)}\n`),
    'fifty thousand sections': section(Array.from({ length: 50_000 }, (_, i) => `[s${i}]\ntype = "TcpInput"\n`).join('')),
    'a thousand files that are not there': archive(listing(...Array.from({ length: 1000 }, (_, i) => fileAt(`/nowhere/${i}.log`)))),
  };
}

/** Opens a workspace. @returns whether the engine was held up, or did not come to an end */
async function open(engine: EngineProcess, path: string): Promise<{ readonly late: number; readonly opened: boolean }> {
  let [longest, isDone] = [0, false];
  const beats = (async () => {
    while (!isDone) {
      const begun = performance.now();
      await engine.request('engine.state', {});
      longest = Math.max(longest, performance.now() - begun);
      await delay(50);
    }
  })();
  const asked = (async () => {
    await engine.grant('workspace', path);
    await engine.request('workspace.look', { path, places: [] });
    await engine.request('workspace.open', { path, places: [], window: {} });
    return true;
  })().catch(() => false);
  const limit = OPEN_MS * slowness();
  const opened = await Promise.race([asked, delay(limit, null)]);
  // What it opens is read by then, or refused.
  if (opened === true) await delay(500);
  isDone = true;
  await Promise.race([beats, delay(limit)]);
  return { late: opened === null ? limit : Math.max(0, longest - ANSWER_MS * slowness()), opened: opened === true };
}

async function openAll(confirms: boolean): Promise<FaultResult> {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-stranger-'));
  const [outside, data, theirs] = ['outside', 'data', 'theirs'].map((name) => join(folder, name)) as [string, string, string];
  for (const each of [outside, data, theirs]) mkdirSync(each);
  writeFileSync(join(outside, 'secret.js'), `export default '${SECRET}';\n`);
  writeFileSync(join(outside, 'secret.log'), `${SECRET}\n`);
  const before = readdirSync(outside).join();
  const all: Record<string, Buffer> = workspaces(outside);
  const places = traps(theirs);
  for (const [name, place] of Object.entries(places)) all[name] = archive(listing(fileAt(place)));
  all['everything at once'] = archive(listing(...Object.values(places).map((place) => fileAt(place))));
  if (!confirms) all['a log of another folder'] = archive(listing(fileAt(join(outside, 'secret.log'))));
  const engine = new EngineProcess(data, confirms);
  let [late, opened, lost] = [0, 0, 0];
  const said: string[] = [];
  try {
    for (const [name, bytes] of Object.entries(all)) {
      const path = join(theirs, `${name.replaceAll(' ', '-')}.sluicebox`);
      writeFileSync(path, bytes);
      const result = await open(engine, path);
      if (result.opened) opened++;
      if (result.late > 0) said.push(`${name}: ${Math.round(result.late)} ms late`);
      late = Math.max(late, Math.round(result.late));
      const told = JSON.stringify(await engine.request('engine.state', {}));
      const isRead = told.includes(SECRET) || (await engine.lines()).some((line) => line.includes(SECRET));
      const isWritten = readdirSync(outside).join() !== before || readFileSync(join(outside, 'secret.log'), 'utf8') !== `${SECRET}\n`;
      if (isRead || isWritten) said.push(`${name}: ${isRead ? 'read' : 'wrote'} what is outside`);
      if (isRead || isWritten) lost++;
    }
    const tried = Object.keys(all).length;
    return {
      tried,
      lost,
      repeated: 0,
      late,
      note: `${tried - opened} refused, ${opened} opened with what is told of each file`,
      said: said.join('\n'),
    };
  } finally {
    await engine.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Workspaces that come from anywhere, and bring or name what they should not. */
export const strangers: readonly Fault[] = [true, false].map((confirms) => ({
  name: `a stranger's workspace with traps, ${confirms ? 'all of which the user confirms' : 'of which the user confirms nothing'}`,
  promise: 'told',
  missing: () => (process.platform === 'win32' ? 'no pipes here' : null),
  run: () => openAll(confirms),
}));
