import { describe, expect, it } from 'vitest';
import {
  applyTo,
  decodeCommit,
  decodeSnapshot,
  encodeCommit,
  encodeSnapshot,
  logEntry,
  type Commit,
} from '../../../engine/catalogue/commit.ts';
import { entry, snapshotOf } from './lake-fixtures.ts';

describe('the log of a lake', () => {
  const commit: Commit = {
    id: 'x',
    kind: 'compact',
    timeMs: 1000,
    add: [entry('a/1.parquet', 3, 5), entry('a/2.parquet', 4)],
    remove: ['a/0.parquet'],
  };

  it('keeps commits and snapshots as they are, and says once what columns alike files have', () => {
    expect(decodeCommit(encodeCommit(commit), 'x')).toEqual(commit);
    expect(
      encodeCommit(commit)
        .toString()
        .match(/"columns"/g),
    ).toHaveLength(1);
    const { files, removed } = snapshotOf(entry('a/0.parquet', 1));
    applyTo(files as Map<string, never>, removed as Map<string, number>, commit);
    expect([...files.keys()]).toEqual(['a/1.parquet', 'a/2.parquet']);
    const snapshot = { number: 7, files, removed };
    expect(decodeSnapshot(encodeSnapshot(snapshot, 1000), 'x', 7)).toEqual({ ...snapshot, removed: new Map([['a/0.parquet', 1000]]) });
  });

  it.each([
    ['_log/000000000012.json', { number: 12, isSnapshot: false }],
    ['_log/000000000012.snapshot.json.gz', { number: 12, isSnapshot: true }],
    ['_log/000000000012.json.gz', null],
    ['_log/000000000012.snapshot.json', null],
    ['_log/lease.json', null],
    ['_log/12.json', null],
  ])('knows %s', (path, expected) => expect(logEntry(path)).toEqual(expected));

  const file = (path: string): string =>
    `{"version":1,"layouts":[{}],"add":[{"path":"${path}","least":"0","most":"0","layout":0}],"remove":[]}`;
  it.each([
    ['{}', 'its version'],
    ['{', 'JSON'],
    [file('../x.parquet'), 'no path'],
    [file('/x.parquet'), 'no path'],
    [file('_log/x.parquet'), 'no path'],
    [file('a/x.txt'), 'no path'],
    [file('a/x.parquet').replace('[{}]', '[]'), 'no description'],
  ])('says what is wrong with %s', (text, reason) => expect(() => decodeCommit(Buffer.from(text), 'x')).toThrow(reason));
});
