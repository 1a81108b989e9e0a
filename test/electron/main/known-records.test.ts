import { describe, expect, it } from 'vitest';
import { KnownRecords } from '../../../electron/main/known-records.ts';

type Counted = Parameters<KnownRecords['crashed']>[0][number];

const file = (records: number, more: Partial<Counted> = {}): Counted => ({
  kind: 'file',
  label: 'a.log',
  location: '/a.log',
  records,
  state: 'following',
  ...more,
});
const tcp = (records: number, more: Partial<Counted> = {}): Counted => ({
  kind: 'tcp',
  label: 'tcp:514',
  location: '127.0.0.1:514',
  records,
  state: 'listening',
  ...more,
});

describe('records of before a crash', () => {
  it.each<{ what: string; before: Counted[]; after: Counted[]; gone: { label: string; records: number }[] }>([
    { what: 'all that are read again', before: [file(10)], after: [file(12)], gone: [] },
    { what: 'a file that is shorter', before: [file(10)], after: [file(4)], gone: [{ label: 'a.log', records: 6 }] },
    { what: 'a file that is gone', before: [file(10)], after: [], gone: [{ label: 'a.log', records: 10 }] },
    { what: 'a file that is still read', before: [file(10)], after: [file(4, { state: 'reading' })], gone: [] },
    { what: 'what is still being restored', before: [tcp(10)], after: [tcp(4, { restoring: true })], gone: [] },
    { what: 'what could not be restored', before: [tcp(10)], after: [tcp(4)], gone: [{ label: 'tcp:514', records: 6 }] },
    { what: 'a listener that waits for someone', before: [tcp(10)], after: [], gone: [] },
    { what: 'the engine itself', before: [tcp(10, { kind: 'engine' })], after: [], gone: [] },
  ])('$what', ({ before, after, gone }) => {
    const known = new KnownRecords();
    known.crashed(before);
    known.reopened();
    expect(known.compare(after)).toEqual(gone);
    // Each once, and what is not settled later.
    expect(known.compare(after)).toEqual([]);
  });

  it('wait for the files to be opened again, and for a second crash', () => {
    const known = new KnownRecords();
    known.crashed([file(10)]);
    expect(known.compare([])).toEqual([]);
    known.crashed([file(3, { state: 'reading' })]);
    known.reopened();
    expect(known.compare([file(8)])).toEqual([{ label: 'a.log', records: 2 }]);
  });

  it('are missed by nobody when someone closes their source', () => {
    const known = new KnownRecords();
    known.crashed([file(10)]);
    known.forget('/a.log');
    known.reopened();
    expect(known.compare([])).toEqual([]);
  });
});
