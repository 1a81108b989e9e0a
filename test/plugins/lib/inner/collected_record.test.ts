import { expect, it } from 'vitest';
import { CollectedRecord } from '../../../../plugins/lib/inner/collected_record.ts';

const column = (name: string, representation?: string): WriterColumn =>
  representation === undefined ? { name, kind: 'text' } : { name, kind: 'text', representation };

it('keeps what a reader of lines writes, in the order of the columns', () => {
  const record = new CollectedRecord([column('a'), column('n', 'ms'), column('b')]);
  const text = 'left right';
  record.begin(text);
  record.text(2, 'last');
  record.number(1, 7);
  record.slice(0, 5, 10);
  record.timestamp(5n);
  record.payloadSlice(0, 4);
  record.severity(3);
  record.pid(12);
  record.type('t');
  record.logger('l');
  record.hostname('h');
  record.inject();
  expect(record.take()).toEqual({
    Timestamp: 5n,
    Payload: 'left',
    Severity: 3,
    Pid: 12,
    Type: 't',
    Logger: 'l',
    Hostname: 'h',
    Fields: [
      { name: 'a', value: 'right' },
      { name: 'n', value: 7, representation: 'ms' },
      { name: 'b', value: 'last' },
    ],
  });
});

it('forgets the record before, and one that is discarded', () => {
  const record = new CollectedRecord([column('a')]);
  record.begin('x').text(0, 'one');
  expect(record.begin('y').take()).toEqual({ Fields: [] });
  record.begin('z').text(0, 'two');
  record.discard();
  expect(record.take()).toEqual({ Fields: [] });
});

it('has columns that come later, at their places, with values of all types', () => {
  const record = new CollectedRecord([column('a')]);
  record.addColumn(column('z'));
  record.addColumn(column('m'), 1);
  record.begin('');
  record.bool(0, true);
  record.integer(1, 9007199254740993n);
  record.list(2, ['x', 'y']);
  record.payload('p');
  expect(record.take()).toEqual({
    Payload: 'p',
    Fields: [
      { name: 'a', value: true },
      { name: 'm', value: 9007199254740993n },
      { name: 'z', value: ['x', 'y'] },
    ],
  });
});
