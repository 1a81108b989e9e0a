import { describe, expect, it } from 'vitest';
import type { RecordDetail } from '../../../../../../engine/api/types.ts';
import { baseFacts, factsWith, fieldFacts } from '../../../../../../renderer/src/views/logs/inspector/record-facts.ts';

describe('facts of a record', () => {
  const record: RecordDetail = {
    id: 1,
    time: 0,
    timeNs: '5',
    severity: 3,
    source: 1,
    logger: 'edge',
    type: 'web',
    text: '',
    failure: null,
    values: [],
    uuid: 'u',
    hostname: null,
    pid: 7,
    envVersion: null,
    payload: null,
    raw: null,
    decoder: null,
    fields: [
      { name: 'tag', type: 'string', representation: null, values: ['a', 'b'] },
      { name: 'tag', type: 'string', representation: null, values: ['c'] },
      { name: 'size', type: 'integer', representation: 'B', values: ['12'] },
      { name: 'blob', type: 'bytes', representation: null, values: ['00ff'] },
    ],
  };

  it('lists the variables that are set', () => {
    expect(baseFacts(record).map(({ name, value }) => `${name}=${value}`)).toEqual([
      'Type=web',
      'Logger=edge',
      'Severity=3',
      'Pid=7',
      'Uuid=u',
      'Timestamp=5',
    ]);
  });

  it('tells instances and elements of a field apart', () => {
    expect(fieldFacts(record).map(({ name, variable, type }) => [name, variable, type])).toEqual([
      ['tag[0]', 'Fields[tag]', 'string'],
      ['tag[1]', 'Fields[tag][0][1]', 'string'],
      ['tag', 'Fields[tag][1]', 'string'],
      ['size', 'Fields[size]', 'number'],
      ['blob', null, 'string'],
    ]);
    expect(fieldFacts(record)[3]?.unit).toBe('B');
  });

  it.each([
    ['', ['tag[0]', 'tag[1]', 'tag', 'size', 'blob']],
    [' TAG ', ['tag[0]', 'tag[1]', 'tag']],
    ['12', ['size']],
    ['b', ['tag[1]', 'blob']],
    ['nothing', []],
  ])('those with %j in their names or values are %j', (text, names) =>
    expect(factsWith(fieldFacts(record), text).map(({ name }) => name)).toEqual(names),
  );
});
