import { expect, it } from 'vitest';
import { CollectedRecord } from '../../../../plugins/lib/inner/collected_record.ts';
import { PayloadNote } from '../../../../plugins/lib/inner/payload_note.ts';

const column = (name: string, representation?: string): WriterColumn =>
  representation === undefined ? { name, kind: 'text' } : { name, kind: 'text', representation };

it('notes the Payload, and hands all on', () => {
  const text = 'left right';
  const record = new CollectedRecord([column('a'), column('b')]).begin(text);
  const note = new PayloadNote(record).begin(text);
  expect(note.noted).toBeNull();
  note.payloadSlice(5, 10);
  expect(note.noted).toBe('right');
  note.slice(0, 0, 4);
  note.addColumn(column('c'));
  note.number(2, 4);
  note.severity(6);
  note.timestamp(1);
  note.inject();
  expect(record.take()).toEqual({
    Payload: 'right',
    Severity: 6,
    Timestamp: 1,
    Fields: [
      { name: 'a', value: 'left' },
      { name: 'c', value: 4 },
    ],
  });
  note.payload('words');
  expect(note.noted).toBe('words');
  expect(note.begin('').noted).toBeNull();
});
