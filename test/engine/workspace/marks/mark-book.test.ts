import { afterEach, describe, expect, it } from 'vitest';
import type { Mark } from '../../../../engine/api/types.ts';
import type { RecordStore } from '../../../../engine/store/record-store.ts';
import { LIMITS } from '../../../../engine/workspace/common/limits.ts';
import { MarkBook, type MarkedSource } from '../../../../engine/workspace/marks/mark-book.ts';
import { formatMarks, parseMarks, type KeptMark } from '../../../../engine/workspace/marks/marks-file.ts';
import { linesBatch, newStore } from '../../store/fixtures.ts';

const open: { store: RecordStore; book: MarkBook }[] = [];
afterEach(async () => {
  for (const { store, book } of open.splice(0)) {
    book.close();
    await store.close();
  }
});

/** A store and its marks; what is kept is read again as from the file. */
function setUp(kept: readonly KeptMark[] = []) {
  const store = newStore();
  const sources = new Map<number, MarkedSource>([
    [1, { kind: 'file', location: '/logs/a.log', label: 'a.log' }],
    [2, { kind: 'file', location: '/logs/b.log', label: 'b.log' }],
    [3, { kind: 'udp', location: '127.0.0.1:5514', label: 'udp:5514' }],
  ]);
  let keeping = kept;
  const said: string[] = [];
  const book = new MarkBook(store, kept, {
    sourceOf: (id) => sources.get(id),
    openSources: () => [...sources.values()],
    changed: () => undefined,
    keep: (marks) => (keeping = parseMarks(formatMarks(marks))),
    dropped: (text) => said.push(text),
  });
  open.push({ store, book });
  const append = (source: number, ...texts: readonly string[]): Promise<void> =>
    store.append({ ...linesBatch(texts.map((text, i) => ({ at: 1000 + i, text }))), source, decoder: null });
  return { store, book, sources, append, said, kept: () => keeping };
}

const places = (marks: readonly Mark[]): [string, number | null, string][] => marks.map(({ text, record, note }) => [text, record, note]);

describe('MarkBook', () => {
  it('marks records, with notes, and takes marks away', async () => {
    const { book, append } = setUp();
    await append(1, 'one', 'two', 'three');
    await book.set(1, true);
    await book.set(1, true);
    const [mark] = book.list();
    expect(mark).toMatchObject({ record: 1, label: 'a.log', time: 1_001_000, text: 'two', note: '' });
    book.note(mark?.key ?? -1, 'look here');
    expect(book.notes()).toEqual(new Map([[1, 'look here']]));
    await book.set(2, true);
    expect(book.records).toEqual([1, 2]);
    await book.set(1, false);
    expect(places(book.list())).toEqual([['three', 2, '']]);
    await expect(book.set(99, true)).rejects.toMatchObject({ code: 'record.unknown' });
  });

  it('takes the first of far too many, and says so', async () => {
    const marks = Array.from({ length: LIMITS.keptMarks + 3 }, (_, i) => ({
      location: '/logs/a.log',
      ordinal: i,
      time: i,
      text: `${i}`,
      length: 4,
      note: '',
    }));
    const { book, said } = setUp(marks);
    expect(book.list()).toHaveLength(LIMITS.keptMarks);
    expect(said).toEqual(['Of 10,003 marks, the first 10,000 are kept.']);
  });

  it('finds the same records when the file is read again', async () => {
    const first = setUp();
    await first.append(2, 'other');
    await first.append(1, 'same', 'same', 'unique', 'same');
    for (const record of [2, 3]) await first.book.set(record, true);
    const again = setUp(first.kept());
    await again.append(1, 'same', 'same');
    await again.append(1, 'unique', 'same');
    expect(again.book.records).toEqual([1, 2]);
  });

  it('keeps those whose record is still there when the file has changed', async () => {
    const first = setUp();
    await first.append(1, 'gone', 'moved', 'twice', 'x', 'twice');
    for (const record of [0, 1, 4]) await first.book.set(record, true);
    const again = setUp(first.kept());
    await again.append(1, 'new', 'new', 'moved', 'twice', 'twice', 'more');
    expect(places(again.book.list())).toEqual([
      ['gone', null, ''],
      ['moved', 2, ''],
      ['twice', 4, ''],
    ]);
  });

  it('follows its records when a source is decoded anew', async () => {
    const { store, book, append } = setUp();
    await append(1, 'one', 'two');
    await append(2, 'three');
    await book.set(1, true);
    store.remove(1);
    expect(places(book.list())).toEqual([['two', null, '']]);
    await append(1, 'one', 'two');
    expect(places(book.list())).toEqual([['two', 4, '']]);
  });

  it('tells the time of the record as it is now', async () => {
    const { store, book, append } = setUp();
    await append(1, 'one', 'two');
    await book.set(1, true);
    store.remove(1);
    await store.append({
      ...linesBatch([
        { at: 5000, text: 'one' },
        { at: 5001, text: 'two' },
      ]),
      source: 1,
      decoder: null,
    });
    expect(book.list()).toMatchObject([{ record: 3, time: 5_001_000 }]);
  });

  it('marks no record that goes while it is read back', async () => {
    const { store, book, append } = setUp();
    await append(1, 'one', 'two');
    const marked = book.set(1, true);
    store.remove(1);
    await expect(marked).rejects.toMatchObject({ code: 'record.unknown' });
    await append(1, 'one', 'two');
    expect(book.list()).toEqual([]);
  });

  it('keeps marks of what is not a file for a crash alone, and forgets them with their records', async () => {
    const { store, book, append, kept } = setUp();
    await append(3, 'datagram');
    await book.set(0, true);
    expect(places(book.list())).toEqual([['datagram', 0, '']]);
    const afterCrash = setUp(kept());
    await afterCrash.append(3, 'datagram');
    expect(places(afterCrash.book.list())).toEqual([['datagram', 0, '']]);
    afterCrash.book.close({ keepLive: true });
    expect(afterCrash.kept()).toMatchObject([{ text: 'datagram', live: true }]);
    afterCrash.book.close();
    expect(afterCrash.kept()).toEqual([]);
    store.remove(3);
    expect([book.list(), kept()]).toEqual([[], []]);
  });

  it('lists the marks of open sources only, and keeps the others', async () => {
    const first = setUp();
    await first.append(1, 'one');
    await first.book.set(0, true);
    const again = setUp(first.kept());
    again.sources.delete(1);
    expect(again.book.list()).toEqual([]);
    await again.append(2, 'other');
    await again.book.set(0, true);
    expect(again.kept().map(({ text }) => text)).toEqual(['one', 'other']);
  });

  it('knows long records by all of their text', async () => {
    const long = 'x'.repeat(5000);
    const first = setUp();
    await first.append(1, `${long}a`, `${long}b`);
    await first.book.set(1, true);
    expect(first.kept()[0]?.text).toHaveLength(2000);
    const again = setUp(first.kept());
    await again.append(1, 'new', `${long}c`, `${long}b`);
    expect(again.book.records).toEqual([2]);
  });

  it('counts the marks of closed files apart; the oldest without a note give way, which is said once', async () => {
    const closed = (i: number): KeptMark => {
      return { location: '/logs/old.log', ordinal: i, time: i, text: `line ${i}`, length: 7, note: i === 0 ? 'look here' : '' };
    };
    const { book, append, kept, said } = setUp(Array.from({ length: LIMITS.keptMarks }, (_, i) => closed(i)));
    await append(1, 'one', 'two');
    await book.set(0, true);
    await book.set(1, true);
    expect(kept()).toHaveLength(LIMITS.keptMarks);
    expect([...kept().slice(0, 2), ...kept().slice(-2)].map(({ text }) => text)).toEqual(['line 0', 'line 3', 'one', 'two']);
    expect(said).toEqual(['10,000 marks are kept: from now on, the oldest ones of files that are not open give way to new ones.']);
  });

  it('takes as many marks of open sources as there may be', async () => {
    const open = (i: number): KeptMark => ({ location: '/logs/a.log', ordinal: i, time: i, text: `line ${i}`, length: 7, note: '' });
    const { book, sources, append } = setUp(Array.from({ length: LIMITS.marks }, (_, i) => open(i)));
    await append(2, 'one');
    await expect(book.set(0, true)).rejects.toMatchObject({ code: 'limit.reached' });
    sources.delete(1);
    await book.set(0, true);
    expect(book.list()).toHaveLength(1);
  });
});
