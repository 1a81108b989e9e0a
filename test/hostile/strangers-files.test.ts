import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { messageOf } from '../../engine/base/errors.ts';
import { tlsConnection } from '../../engine/base/net/tls.ts';
import { signerOf } from '../../engine/cli/inject/message-flags.ts';
import { claimPidFile } from '../../engine/cli/pid-file.ts';
import { damageIn } from '../../engine/cli/store/unreadable-files.ts';
import { CheckpointFile } from '../../engine/inputs/checkpoint.ts';
import { damageOf } from '../../engine/lake/file-end.ts';
import { TextFile } from '../../engine/lake/text-file.ts';
import { serversOf } from '../../engine/nats/parameters.ts';
import { UnsentFile } from '../../engine/outputs/unsent-file.ts';
import { bundledScript } from '../../engine/sandbox/code/script-bundle.ts';
import { ScriptSources } from '../../engine/sandbox/code/sources.ts';
import { DEFAULT_LIMITS } from '../../engine/sandbox/contract/types.ts';
import { readState } from '../../engine/sandbox/wire/preservation.ts';
import { WorkspaceFile } from '../../engine/workspace/file/workspace-file.ts';
import { KeptFile } from '../../engine/workspace/marks/kept-file.ts';
import { ArchiveReader } from '../../engine/workspace/named/archive.ts';
import { sluicebox } from '../engine/cli/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-strangers-'));
/** Larger than any file that is read as a whole; it takes no room on the disk. */
const LARGE_BYTES = 5 * 2 ** 30;

const FILES: readonly (readonly [what: string, make: (path: string) => void, says: RegExp])[] = [
  ['a pipe', (path) => execFileSync('mkfifo', [path]), /is a pipe|not a (?:regular )?file|no file/],
  ['a device', (path) => symlinkSync('/dev/zero', path), /is a (?:device|link)|not a (?:regular )?file|no file/],
  ['a folder', (path) => mkdirSync(path), /is a (?:folder|directory)|not a (?:regular )?file|no (?:file|script)|EISDIR/],
  [
    'a large file',
    (path) => {
      writeFileSync(path, '');
      truncateSync(path, LARGE_BYTES);
    },
    /too large|has more than|not a workspace|end as a Parquet|bytes instead of|not text|no text|binary/,
  ],
];

let made = 0;
const madeBy = (make: (path: string) => void, name: string): string => {
  const path = join(folder, `${made++}`, name);
  mkdirSync(dirname(path));
  make(path);
  return path;
};

/** What is said of a file that cannot be read. */
async function said(work: () => unknown): Promise<string> {
  try {
    const result = await work();
    return typeof result === 'string' ? result : 'it was read';
  } catch (error) {
    return messageOf(error);
  }
}

const settings = { name: 'a', kind: 'filter', modules: [], limits: DEFAULT_LIMITS } as const;
const signing = { signer: 'a', 'signer-version': '0', hmac: 'md5' } as const;

type Reader = readonly [who: string, name: string, read: (path: string) => unknown, named?: false];

/** Readers of files, and whether what they say is put behind the name of the file by whoever called them. */
const READERS: readonly Reader[] = [
  ['the files of a script', 'a.js', (script) => JSON.stringify(new ScriptSources({ ...settings, script }).answer({ want: 'script' }))],
  ['the bundle of a script', 'a.js', bundledScript, false],
  ['a preserved state', 'a.data', (path) => readState(path)],
  ['certificates', 'a.pem', (ca_file) => tlsConnection({ root_cafile: ca_file } as never)],
  ['credentials of NATS', 'a.nk', (nkey_file) => serversOf({ servers: [], nkey_file } as never)],
  ['a key of messages', 'a.key', (path) => signerOf({ ...signing, 'key-file': path }), false],
  ['unsent data', 'a', (path) => new UnsentFile(path, () => undefined).load()],
  ['a workspace file', 'workspace.toml', (path) => new WorkspaceFile(path).read(), false],
  [
    'a kept value',
    'a.json',
    (path) => {
      let text = '';
      new KeptFile({ path, parse: JSON.parse, format: JSON.stringify, failed: (why) => (text = why) }).read();
      return text;
    },
  ],
  ['a workspace of a stranger', 'a.sluicebox', (path) => new ArchiveReader(path).head()],
  ['damage of a stored file', 'a.parquet', damageIn, false],
  ['the end of a stored file', 'a.parquet', (path) => damageOf(path, { bytes: 100, endCrc: 0 }), false],
  [
    'a checkpoint',
    'a.json',
    async (path) => {
      let told = '';
      await new CheckpointFile(dirname(path), 'a', ({ text }) => (told = text)).load();
      return told;
    },
  ],
  ['a script of the command', 'a.js', async (path) => (await sluicebox(['sandbox', path, '-t', 'decoder'], 'a\n')).err],
  ['a decoder of logs', 'a.js', async (path) => (await sluicebox(['decode', path, '-'], 'a\n')).err],
  ['tests of a script', 'a.json', async (path) => (await sluicebox(['sandbox', 'json_lines', '--test', path])).err],
  ['formats of lnav', 'a.json', async (path) => (await sluicebox(['new', 'decoder', '--from-lnav', path, '--in', folder])).err],
  [
    'a pattern file',
    'a',
    async (path) => (await sluicebox(['decode', 'grok', '-s', 'match=%{WORD:a}', '-s', `patterns_file=${path}`, '-'], 'a\n')).err,
  ],
];

/** What is not there yet is made. */
const MAY_BE_MISSING: ReadonlySet<string> = new Set([
  'a preserved state',
  'unsent data',
  'a workspace file',
  'a kept value',
  'a checkpoint',
]);

describe('a file that is none', () => {
  describe.each(READERS.map((reader) => [reader[0], reader] as const))('for %s', (_who, [who, name, read, named]) => {
    it.each(FILES)('as %s is refused', async (_, make, says) => {
      const path = madeBy(make, name);
      const before = process.memoryUsage().rss;
      const text = await said(() => read(path));
      expect(text).toMatch(says);
      if (named !== false) expect(text).toContain(path);
      expect(process.memoryUsage().rss - before, who).toBeLessThan(256 << 20);
    });
  });

  it.each(READERS.filter(([who]) => !MAY_BE_MISSING.has(who)).map((reader) => [reader[0], reader] as const))(
    'for %s is missed',
    async (_, [, name, read, named]) => {
      const path = join(folder, 'missing', name);
      const text = await said(() => read(path));
      expect(text).toMatch(/ENOENT|there is no|does not exist|is not there/);
      if (named !== false) expect(text).toContain(path);
    },
  );

  it.each(FILES.slice(0, 3))('as %s is no log that is stored', async (_, make, says) => {
    const path = madeBy(make, 'a.log');
    await expect(TextFile.open(path)).rejects.toThrow(says);
  });

  it.each(FILES.slice(0, 3))('as %s is no pid_file', async (_, make) => {
    const path = madeBy(make, 'pid');
    await expect(claimPidFile(path)).rejects.toThrow(`${path} is there and is not a regular file`);
  });

  it('as a pipe is no target of messages', async () => {
    const path = madeBy((at) => execFileSync('mkfifo', [at]), 'target');
    const { code, err } = await sluicebox(['inject', path, '--payload', 'a']);
    expect(code).not.toBe(0);
    expect(err).toContain(path);
  });
});
