import { expect, test } from 'vitest';
import { plainMessage, type Value } from '../support/message.ts';
import { startPlugin } from '../support/sandbox.ts';

const MESSAGE: InjectMessage = {
  ...{ Type: 'T', Payload: 'P', Hostname: 'h1', Pid: 42, Logger: 'L', Severity: 6, Timestamp: 54321e9 },
  Fields: [
    { name: 'i', value: [123, 456], value_type: 2 },
    { name: 's', value: ['0a', '0b'] },
    { name: 's', value: ['1a'] },
    { name: 'raw', value: 'x', value_type: 1 },
    { name: 'd', value: 1.5 },
  ],
};

interface Series {
  name: string;
  columns: string[];
  points: unknown[][];
}

function encode(config: Record<string, Value>, message: InjectMessage = MESSAGE): Series[] {
  const { rc, injected } = startPlugin('encoders/schema_influx.ts', config).process(plainMessage(message));
  expect(rc).toBe(0);
  return JSON.parse(injected[0]?.Payload ?? '') as Series[];
}

test('all there is, in its order', () => {
  const { injected } = startPlugin('encoders/schema_influx.ts').process(plainMessage(MESSAGE));
  expect(injected[0]?.Payload).toBe(
    '[{"points":[[54321000,"T","P","h1",42,"L",6,"",[123,456],["0a","0b"],"1a",1.5]],"name":"series",' +
      '"columns":["time","Type","Payload","Hostname","Pid","Logger","Severity","EnvVersion","i","s","s2","d"]}]',
  );
});

test('a name from the message, some left out', () => {
  expect(encode({ series: 'm.%{Type}.%{s}.%{nope}.%{Timestamp}.%{i}', skip_fields: 'Payload s Pid' })).toEqual([
    {
      name: 'm.T.0a.%{nope}.%{Timestamp}.123',
      columns: ['time', 'Type', 'Hostname', 'Logger', 'Severity', 'EnvVersion', 'i', 'd'],
      points: [[54321000, 'T', 'h1', 'L', 6, '', [123, 456], 1.5]],
    },
  ]);
});

test('a series for each field', () => {
  const columns = ['time', 'value'];
  expect(encode({ multi_series: true, exclude_base_fields: true, skip_fields: 'd' })).toEqual([
    { name: 'series.i', columns, points: [[54321000, 123]] },
    { name: 'series.s', columns, points: [[54321000, '0a']] },
    { name: 'series.s', columns, points: [[54321000, '1a']] },
  ]);
  expect(encode({ multi_series: true, skip_fields: 'Payload Type Hostname Pid' }).map((series) => series.columns)).toEqual(
    Array.from({ length: 4 }, () => ['time', 'Logger', 'Severity', 'EnvVersion', 'value']),
  );
});

test('integers with all their digits', () => {
  const Fields = [
    { name: 'timestamp', value: 1 },
    { name: 'n', value: [9007199254740993n, 1n] },
  ];
  const encoded = (encoder: string, config: Record<string, Value>): string | undefined =>
    startPlugin(`encoders/${encoder}.ts`, config).process(plainMessage({ Timestamp: 1e9, Fields })).injected[0]?.Payload;
  const bare = { exclude_base_fields: true, skip_fields: 'timestamp' };
  expect([
    encoded('schema_influx', bare),
    encoded('schema_influx', { ...bare, multi_series: true }),
    encoded('statmetric_influx', {}),
  ]).toEqual([
    '[{"points":[[1000,[9007199254740993,1]]],"name":"series","columns":["time","n"]}]',
    '[{"points":[[1000,9007199254740993]],"name":"series.n","columns":["time","value"]}]',
    '[{"points":[[1000,9007199254740993]],"name":"n","columns":["time","value"]}]',
  ]);
});

test('without headers, whatever skip_fields says of them', () => {
  expect(encode({ exclude_base_fields: true, skip_fields: 'Payload' })[0]?.columns).toEqual(['time', 'i', 's', 's2', 'd']);
});

test.each<[title: string, config: Record<string, Value>, message: InjectMessage, expected: Partial<Series>[]]>([
  [
    'headers that are not set',
    { skip_fields: 'Payload' },
    { Timestamp: 1 },
    [
      {
        points: [[0.000001, '', '', null, '', null, '']],
        columns: ['time', 'Type', 'Hostname', 'Pid', 'Logger', 'Severity', 'EnvVersion'],
      },
    ],
  ],
  ['no fields in many series', { multi_series: true }, { Timestamp: 1 }, []],
  [
    'a field with the name of a header stays',
    { exclude_base_fields: true, skip_fields: 'Type' },
    { Timestamp: 1e9, Fields: { Type: 'x', Timestamp: 5 } },
    [{ name: 'series', columns: ['time', 'Type'], points: [[1000, 'x']] }],
  ],
  [
    'a bool in the name, fractions of milliseconds, no JSON number',
    { series: '%{ok}%{Pid}%{a b}', exclude_base_fields: true },
    { Timestamp: 1614949679123456000, Fields: { ok: true, nan: NaN } },
    [{ name: 'true%{Pid}%{a b}', columns: ['time', 'ok', 'nan'], points: [[1614949679123.5, true, null]] }],
  ],
  [
    'a time in the middle between two of 14 digits',
    { exclude_base_fields: true },
    { Timestamp: 1614949679123250000 },
    [{ points: [[1614949679123.2]] }],
  ],
])('%s', (_title, config, message, expected) => {
  expect(encode(config, message)).toMatchObject(expected);
});

test('statistics', () => {
  const encodeStats = (Fields: InjectMessage['Fields']): string | number => {
    const { rc, injected } = startPlugin('encoders/statmetric_influx.ts').process(
      plainMessage({ Timestamp: 1, ...(Fields && { Fields }) }),
    );
    return rc === 0 ? (injected[0]?.Payload ?? '') : rc;
  };
  const point = '[{"points":[[1614949679000,5]],"name":"a","columns":["time","value"]}]';
  expect(encodeStats({ timestamp: 1614949679, a: [5, 6], bin: { value: 'x', value_type: 1 } })).toBe(point);
  expect(encodeStats({ a: 5, timestamp: '1614949679' })).toBe(point);
  expect(encodeStats({ timestamp: 1 })).toBe('[]');
  expect(['', 'x', true, NaN].map((timestamp) => encodeStats({ timestamp }))).toEqual([-1, -1, -1, -1]);
});
