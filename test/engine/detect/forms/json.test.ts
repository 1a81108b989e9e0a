import { expect, it } from 'vitest';
import { Head } from '../../../../engine/detect/forms/head.ts';
import { jsonLines } from '../../../../engine/detect/forms/json.ts';

const configs = (source: string) => jsonLines(new Head(source)).map(({ config }) => config);
const lines = (...objects: object[]): string => objects.map((object) => `${JSON.stringify(object)}\n`).join('');

it.each<[what: string, source: string, configs: object[]]>([
  ['the decoder knows the time', lines({ time: 1, a: 1 }, { ts: 2, a: 1 }), [{}]],
  ['a date of another name', lines({ when: '2021-03-05T13:07:59Z', a: 1 }, { when: '2021-03-05T13:08:59Z' }), [{ time_field: 'when' }, {}]],
  ['a number of seconds', lines({ n: 1, created: 1614949679 }, { n: 2, created: 1614949680 }), [{ time_field: 'created' }, {}]],
  ['a number that is no time by its name', lines({ n: 1614949679 }, { n: 1614949680 }), [{}]],
  ['within an object', lines({ a: { at: 1614949679123 } }, { a: { at: 1614949679124 } }), [{ time_field: 'a.at' }, {}]],
  ['not in all objects', lines({ created: 1614949679 }, { a: 1 }), [{}]],
  [
    'a time of seconds and nanoseconds',
    lines({ instant: { epochSecond: 1, nanoOfSecond: 2 } }, { instant: { nanoOfSecond: 2, epochSecond: 1 } }),
    [{}],
  ],
  ['names of programs in front', 'web-1 | {"ts":1}\nweb-2 | {"ts":2}\n', [{}]],
  ['a list', '[{"ts":1},\n{"ts":2}]\n', [{}]],
  ['a text sequence', '\x1e{"ts":1}\n\x1e{"ts":2}\n', [{}]],
  ['an indented list', '[\n    {\n        "ts": 1\n    },\n    {\n        "ts": 2\n    }\n]\n', [{ records: 'objects' }]],
  ['a list whose braces share lines', '[ {\n  "ts" : 1\n}, {\n  "ts" : 2\n} ]\n', [{ records: 'objects' }]],
  ['an export', '{"records":[{"ts":1},{"ts":2}]}\n', [{ records: 'objects' }]],
  ['a long line of objects', `[${Array.from({ length: 4000 }, (_, ts) => `{"ts":${ts}}`).join()}]`, [{ records: 'objects' }]],
  ['events of a server', 'event: log\nid: 1\ndata: {"ts":1}\n\ndata: {"ts":2}\n\n', [{ records: 'events' }]],
  ['data of events alone', 'data: {"ts":1}\ndata: {"ts":2}\n', [{}]],
  ['over several lines', '{\n  "ts": 1\n}\n{\n  "ts": 2\n}\n', [{ records: 'objects' }]],
  ['a single object with a message', lines({ msg: 'a' }), [{}]],
])('%s', (_what, source, expected) => expect(configs(source)).toEqual(expected));

it.each([
  ['a single object that may be anything', '{"a":1}\n'],
  ['mostly other lines', '{"ts":1}\nx\ny\n'],
  ['objects of nothing', '{}\n{}\n'],
  ['lists', '[1]\n[2]\n'],
  ['broken ones', '{"ts":\n{"ts"\n'],
  ['nothing', ''],
])('%s is none', (_what, source) => expect(configs(source)).toEqual([]));

it('gives the records of pretty objects', () => {
  expect(jsonLines(new Head('[\n  {\n    "ts": 1\n  },\n  {\n    "ts": 2\n  }\n]\n'))[0]?.records).toEqual([
    '{\n    "ts": 1\n  }',
    '{\n    "ts": 2\n  }',
  ]);
});
