/** Stores of strangers: none makes its reader wait, read for ever, or touch anything outside of its folder. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { messageOf } from '../../../engine/base/errors.ts';
import { Store } from '../../../engine/lake/store.ts';
import { sluicebox } from '../cli/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-strange-store-'));
const whole = join(folder, 'whole');
let copies = 0;

beforeAll(async () => {
  writeFileSync(join(folder, 'a.log'), '{"level":"info","msg":"a"}\n{"level":"info","msg":"b"}\n');
  expect((await sluicebox(['import', '--store', whole, join(folder, 'a.log')])).code).toBe(0);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MANIFEST = 'manifest.sqlite';
const pipe = (path: string): unknown => execFileSync('mkfifo', [path]);

/** The one Parquet file that a store lists. */
function listed(store: string): string {
  using database = new DatabaseSync(join(store, MANIFEST), { readOnly: true });
  return String(database.prepare('SELECT name FROM file').get()?.name);
}

function sql(store: string, text: string): void {
  using database = new DatabaseSync(join(store, MANIFEST), { enableForeignKeyConstraints: false, defensive: false });
  database.exec(text);
}

/** Changes the bytes of the manifest. */
function change(store: string, edit: (bytes: Buffer) => Uint8Array): void {
  writeFileSync(join(store, MANIFEST), edit(readFileSync(join(store, MANIFEST))));
}

const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n';
const PAGE = 4096;

/** An inner page whose rows are all below the same page. */
function inner(child: number, cells = 400): Buffer {
  const page = Buffer.alloc(PAGE);
  page[0] = 5;
  page.writeUInt16BE(cells, 3);
  const start = PAGE - 5 * cells;
  page.writeUInt16BE(start, 5);
  page.writeUInt32BE(child, 8);
  for (let i = 0; i < cells; i++) {
    page.writeUInt16BE(start + 5 * i, 12 + 2 * i);
    page.writeUInt32BE(child, start + 5 * i);
    page[start + 5 * i + 4] = 1;
  }
  return page;
}

function rootOf(store: string, table: string): number {
  using database = new DatabaseSync(join(store, MANIFEST), { readOnly: true });
  return Number(database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table)?.rootpage);
}

const STRANGE: readonly (readonly [what: string, make: (store: string) => unknown, says: RegExp])[] = [
  [
    'a view without end in place of a table',
    (store) => sql(store, `DROP TABLE file; CREATE VIEW file AS ${ENDLESS}`),
    /its tables are not those of a store/,
  ],
  [
    'a trigger without end',
    (store) => sql(store, `CREATE TRIGGER t AFTER DELETE ON file BEGIN INSERT INTO source (id) ${ENDLESS}; END`),
    /its tables are not those of a store/,
  ],
  [
    'a computed column',
    (store) => sql(store, `ALTER TABLE file ADD COLUMN more TEXT AS (hex(zeroblob(1000)))`),
    /its tables are not those of a store/,
  ],
  ['a schema that goes on', (store) => change(store, (bytes) => bytes.fill(5, 100, 101)), /its schema is not that of a store/],
  [
    'a long schema',
    (store) => sql(store, `CREATE VIEW v AS SELECT ${Array.from({ length: 1900 }, (_, i) => `${i} AS c${i}`).join(', ')}`),
    /its schema is not that of a store/,
  ],
  [
    'pages below each other',
    (store) => {
      const root = rootOf(store, 'file');
      change(store, (bytes) => {
        const pages = bytes.length / PAGE;
        const leaf = Buffer.from(bytes.subarray((root - 1) * PAGE, root * PAGE));
        inner(pages + 1).copy(bytes, (root - 1) * PAGE);
        const all = Buffer.concat([bytes, inner(pages + 2), inner(pages + 3), leaf]);
        all.writeUInt32BE(pages + 3, 28);
        return all;
      });
    },
    /more rows than it has room for/,
  ],
  ['other pages', (store) => sql(store, 'PRAGMA page_size = 8192; VACUUM'), /its first page is not that of a store/],
  [
    'a journal in the way of a write-ahead log',
    (store) => writeFileSync(join(store, `${MANIFEST}-wal`), ''),
    /manifest\.sqlite-wal is not one of its files/,
  ],
  [
    'a journal that names another file',
    (store) =>
      writeFileSync(join(store, `${MANIFEST}-journal`), Buffer.concat([Buffer.alloc(1024), Buffer.from('d9d505f920a163d7', 'hex')])),
    /names another file/,
  ],
  ...['', '-journal', '-wal', '-shm'].map((suffix): (typeof STRANGE)[number] => [
    `a pipe as its list${suffix}`,
    (store) => {
      rmSync(join(store, MANIFEST + suffix), { force: true });
      pipe(join(store, MANIFEST + suffix));
    },
    /is a link, or no regular file/,
  ]),
  [
    'a list that is a link',
    (store) => {
      renameSync(join(store, MANIFEST), join(folder, `list-${copies}`));
      symlinkSync(join(folder, `list-${copies}`), join(store, MANIFEST));
    },
    /is a link, or no regular file/,
  ],
  ...['files', 'broken'].map((name): (typeof STRANGE)[number] => [
    `a link as its folder ${name}`,
    (store) => {
      mkdirSync(join(folder, `outside-${name}`), { recursive: true });
      rmSync(join(store, name), { recursive: true, force: true });
      symlinkSync(join(folder, `outside-${name}`), join(store, name));
    },
    /is a link, which could lead anywhere/,
  ]),
  ...['../../outside.parquet', '/tmp/a.parquet', 'a/b.parquet', '..', '.parquet', 'a.txt'].map((name): (typeof STRANGE)[number] => [
    `the name ${name}`,
    (store) => sql(store, `UPDATE file SET name = '${name}'`),
    /which is not a file of a store/,
  ]),
];

function copy(): string {
  const store = join(folder, String(copies++));
  cpSync(whole, store, { recursive: true });
  return store;
}

const opened = async (work: () => Store | Promise<Store>): Promise<string> => {
  try {
    using store = await work();
    return `opened, with ${store.manifest.files().length} files`;
  } catch (error) {
    return messageOf(error);
  }
};

describe('a store of a stranger', () => {
  it('is opened when it is one', async () => {
    const store = copy();
    expect(await opened(() => Store.toRead(store))).toBe('opened, with 1 files');
    expect(await opened(() => Store.toWrite(store, { create: false }))).toBe('opened, with 1 files');
  });

  it.each(STRANGE)('is neither read nor changed with %s', async (_, make, says) => {
    const store = copy();
    make(store);
    expect(await opened(() => Store.toRead(store))).toMatch(says);
    expect(await opened(() => Store.toWrite(store, { create: false }))).toMatch(says);
  });

  it.each(['writer.lock', 'writer.lock-journal'])('is not changed with a pipe as %s', async (name) => {
    const store = copy();
    rmSync(join(store, name), { force: true });
    pipe(join(store, name));
    expect(await opened(() => Store.toWrite(store, { create: false }))).toMatch(/is a link, or no regular file/);
  });

  it.each<[string, (path: string) => unknown, RegExp]>([
    ['a pipe', pipe, /is a pipe/],
    ['a link', (path) => symlinkSync('/etc/passwd', path), /is a link/],
  ])('tells of a listed file that is %s', async (_, make, says) => {
    const store = copy();
    const path = join(store, 'files', listed(store));
    rmSync(path);
    make(path);
    using read = Store.toRead(store);
    expect(read.broken.map(({ reason }) => reason)).toEqual([expect.stringMatching(says)]);
    const { code, err } = await sluicebox(['query', '--store', store, 'SELECT 1']);
    expect([code, err]).toEqual([expect.any(Number), expect.stringMatching(says)]);
  });

  it('removes nothing outside of its folder', async () => {
    const store = copy();
    const outside = join(folder, 'outside.parquet');
    writeFileSync(outside, 'mine');
    sql(store, `UPDATE file SET name = '../../outside.parquet'`);
    const { code, err } = await sluicebox(['store', 'remove', '--store', store, join(folder, 'a.log')]);
    expect(code).not.toBe(0);
    expect(err).toContain('"../../outside.parquet", which is not a file of a store');
    expect(existsSync(outside)).toBe(true);
  });
});
