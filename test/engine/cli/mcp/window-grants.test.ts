import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askedPath, lastAsked } from '../../../../engine/assistants/asked.ts';
import { assistantsFolder, formatGrants, grantsPath, type Grant } from '../../../../engine/assistants/grants.ts';
import { testMs } from '../../../patience.ts';
import { startCommand } from '../start-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-window-grants-'));
const [data, logs, other] = [join(folder, 'data'), join(folder, 'logs'), join(folder, 'other')];
const [access, secret, file] = [join(logs, 'access.log'), join(other, 'secret.log'), grantsPath(data)];
const TURBINE = String.raw`export const meta = {
  name: 'turbine', kind: 'decoder', summary: 'Decodes reports of turbines.',
  split: { before: /== \d{4}-\d\d-\d\d /, preamble: /^turbines of .*$/i },
  looks: [{ text: /^Turbines of \w+\n/, records: [/^== /, /^rpm: \d+$/m] }],
};
export function process_message() {
  inject_message({ Payload: /^== \S+ (\S+)/.exec(read_message('Payload'))[1] });
  return 0;
}`;
const SECRET = 'the-words-of-the-secret-file';
const line = (uri: string, at = 0): string =>
  `203.0.113.${at} - anna [10/Feb/2025:10:00:${String(at).padStart(2, '0')} +0000] "GET ${uri} HTTP/1.1" 200 12 "-" "curl/8"\n`;
const grantOf = (path: string): Grant => ({ location: path, path, root: path });

/** Replaces the file of grants by a rename, as the window does. */
function grant(text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
const grantPaths = (paths: readonly string[], redact = false): void => grant(formatGrants({ redact, files: paths.map(grantOf) }));

interface Answer {
  readonly isError: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: { readonly data: Readonly<Record<string, unknown>> };
}

let command: ReturnType<typeof startCommand>;
let asked = 0;

async function call(name: string, args: object = {}): Promise<Answer> {
  const id = ++asked;
  command.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })}\n`);
  const found = (): string | undefined =>
    command
      .out()
      .split('\n')
      .slice(0, -1)
      .find((text) => text.includes(`"id":${id},`));
  await expect.poll(found, { timeout: testMs() / 2, interval: 20 }).toBeDefined();
  return (JSON.parse(found() ?? '') as { result: Answer }).result;
}
const filesOf = async (): Promise<string[]> =>
  ((await call('list_files')).structuredContent?.data.files as { name: string }[]).map(({ name }) => name);

beforeAll(() => {
  for (const one of [data, logs, other, assistantsFolder(data), join(data, 'lookups'), join(data, 'scripts')])
    mkdirSync(one, { mode: 0o700 });
  writeFileSync(access, Array.from({ length: 20 }, (_, at) => line(`/page/${at}`, at)).join(''));
  writeFileSync(secret, line(`/${SECRET}`).repeat(3));
  writeFileSync(join(data, 'scripts', 'turbine.js'), TURBINE);
  writeFileSync(join(data, 'lookups', 'blocked.csv'), 'addr\n203.0.113.7\n203.0.113.8\n');
  command = startCommand(['mcp', '--window', '--user-data-dir', data], {});
});

afterAll(async () => {
  command.child.stdin.end();
  await command.ended;
  rmSync(folder, { recursive: true, force: true });
});

describe('what the window grants', { timeout: testMs() }, () => {
  it('is nothing at first, then what it says at each moment, with its lookups', async () => {
    expect(await filesOf()).toEqual([]);
    expect((await call('search')).content[0]?.text).toContain('in Settings, Assistants');
    grantPaths([access]);
    expect(await filesOf()).toEqual(['access.log']);
    expect((await call('search', { where: 'remote_addr in @blocked' })).structuredContent?.data).toMatchObject({
      total: 2,
      records: [{ record: 'access.log#8' }, { record: 'access.log#9' }],
    });
    const sql = "SELECT count(*) AS n FROM access WHERE in_lookup(remote_addr, 'blocked') AND lookup(remote_addr, 'blocked', 'addr') <> ''";
    expect((await call('query', { sql })).content[0]?.text).toContain('"rows":[[2]]');
    grantPaths([access, secret]);
    expect(await filesOf()).toEqual(['access.log', 'secret.log']);
    grantPaths([secret]);
    expect(await filesOf()).toEqual(['secret.log']);
    expect((await call('search', { files: ['f1'] })).isError).toBe(true);
    expect((await call('record', { record: 'access.log#1' })).isError).toBe(true);
    expect((await call('query', { sql: 'SELECT * FROM access' })).isError).toBe(true);
  });

  it('is read with pseudonyms from when on it says so, and originals are not told any more', async () => {
    grantPaths([access], true);
    const found = await call('search', { limit: 1 });
    expect(found.structuredContent?.data).toMatchObject({ total: 20, records: [{ record: 'access.log#1' }] });
    expect(found.content[0]?.text).not.toMatch(/anna|203\.0\.113/);
    expect((await call('search', { files: ['f1'] })).isError).toBe(true);
    const unknown = await call('search', { where: 'remote_addr in @nothing' });
    for (const { content } of [await call('list_files'), unknown]) expect(content[0]?.text).not.toContain(folder);
    expect(unknown.isError).toBe(true);
    grantPaths([access]);
    expect((await call('search', { limit: 1 })).content[0]?.text).toContain('anna');
  });

  it.each<[what: string, put: () => void]>([
    ['is no JSON', () => grant('{"version":1,"redact":false,"files":[')],
    ['has a path that climbs', () => grant(formatGrants({ redact: false, files: [grantOf(`${logs}/../other/secret.log`)] }))],
    ['has a path of this process', () => grant(formatGrants({ redact: false, files: [grantOf('other/secret.log')] }))],
    ['has a root elsewhere', () => grant(formatGrants({ redact: false, files: [{ ...grantOf(secret), root: logs }] }))],
    ['has more than it may', () => grant(`{"version":1,"redact":false,"redact2":1,"files":[${JSON.stringify(grantOf(secret))}]}`)],
    ['is of another version', () => grant(`{"version":2,"redact":false,"files":[${JSON.stringify(grantOf(secret))}]}`)],
    ['has too many files', () => grantPaths(Array.from({ length: 1001 }, (_, at) => `${secret}${at}`).with(0, secret))],
    ['is huge', () => grant(`${' '.repeat(5 << 20)}${formatGrants({ redact: false, files: [grantOf(secret)] })}`)],
    [
      'is a link',
      () => {
        writeFileSync(join(other, 'grants.json'), formatGrants({ redact: false, files: [grantOf(secret)] }));
        rmSync(file, { force: true });
        symlinkSync(join(other, 'grants.json'), file);
      },
    ],
    [
      'can be written by others',
      () => {
        grantPaths([secret]);
        chmodSync(file, 0o666);
      },
    ],
    [
      'is in a folder that others can write to',
      () => {
        grantPaths([secret]);
        chmodSync(assistantsFolder(data), 0o777);
      },
    ],
    [
      'names a file that has become a link',
      () => {
        const moved = join(logs, 'moved.log');
        writeFileSync(moved, line('/moved'));
        grantPaths([moved]);
        rmSync(moved);
        symlinkSync(secret, moved);
      },
    ],
  ])('is nothing when its file %s', async (what, put) => {
    // Windows has no such rights.
    if (process.platform === 'win32' && what.includes('others')) return;
    put();
    expect(await filesOf()).toEqual([]);
    for (const args of [{}, { files: ['f1'] }, { files: ['f2'] }, { text: SECRET }]) {
      const answer = await call('search', args);
      expect([answer.isError, answer.content[0]?.text.includes(SECRET)]).toEqual([true, false]);
    }
    expect((await call('query', { sql: 'SELECT * FROM messages' })).isError).toBe(true);
    rmSync(file, { force: true });
    chmodSync(assistantsFolder(data), 0o700);
  });

  it('is decoded by the decoders of the window', async () => {
    const own = join(logs, 'own.log');
    writeFileSync(own, 'Turbines of Kent\n== 2021-03-05 north\nrpm: 1200\n== 2021-03-06 south\nrpm: 7\n');
    grantPaths([own]);
    expect((await call('search')).structuredContent?.data).toMatchObject({
      total: 2,
      records: [
        { record: 'own.log#1', text: 'north' },
        { record: 'own.log#2', text: 'south' },
      ],
    });
  });

  it('is noted with each question in words and rows, with the records that an answer named, and without its text', async () => {
    grantPaths([access]);
    await call('search', { text: '/page/3', files: ['f1'] });
    await call('search', { where: 'status ==' });
    const noted = async () => (await lastAsked(askedPath(data))).slice(0, 2);
    await expect.poll(async () => (await noted())[0]?.error, { timeout: testMs() / 2 }).toContain('where');
    expect(await noted()).toMatchObject([
      { tool: 'search', question: 'where status ==', files: [], rows: null, records: [] },
      {
        ...{ tool: 'search', question: 'text /page/3', files: ['access.log'], rows: 1, error: null },
        records: [{ name: 'access.log#4', path: access, time: Date.parse('2025-02-10T10:00:03Z') }],
      },
    ]);
    expect(readFileSync(askedPath(data), 'utf8')).not.toMatch(/anna|curl/);
    appendFileSync(access, line('/later', 30));
    await expect.poll(async () => (await call('search', {})).structuredContent?.data.total, { timeout: testMs() / 2 }).toBe(21);
  });
});
