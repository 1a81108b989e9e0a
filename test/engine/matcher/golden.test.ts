import { describe, expect, it } from 'vitest';
import { compileMatcher } from '../../../engine/matcher/matcher.ts';
import { ValueType, type Message } from '../../../engine/message/types.ts';
import { batchOf, uuid } from './messages.ts';

const message: Message = {
  uuid: uuid('0f6a1c2e-1111-4222-8333-944455556666'),
  timestamp: 1614949679000000000n,
  type: 'web.access',
  logger: 'Edge-1',
  hostname: 'edge1.example.org',
  severity: 6,
  pid: 4242,
  payload: 'GET /index.html "ok"',
  fields: [
    { name: 'status', valueType: ValueType.INTEGER, values: [200n] },
    { name: 'tag', valueType: ValueType.STRING, values: ['blue', 'green'] },
    { name: 'bytes_sent', valueType: ValueType.DOUBLE, values: [5120, 77] },
    { name: 'tag', valueType: ValueType.STRING, values: ['red'] },
    { name: 'ratio', valueType: ValueType.DOUBLE, values: [0.25] },
    { name: 'cached', valueType: ValueType.BOOL, values: [false] },
    { name: 'tls', valueType: ValueType.BOOL, values: [true] },
    { name: 'code', valueType: ValueType.STRING, values: ['200'] },
    { name: 'a b', valueType: ValueType.STRING, values: ['sp'] },
    { name: 'none', valueType: ValueType.STRING, values: [] },
    { name: 'raw', valueType: ValueType.BYTES, values: [Uint8Array.of(0x61, 0xff, 0xc3, 0xa9)] },
  ],
};

const table: readonly [string, boolean][] = [
  ['TRUE', true],
  ['FALSE', false],
  [`Type == 'web.access'`, true],
  [`Type == "web.access"`, true],
  [`Type != 'web.access'`, false],
  [`Type == 'Web.Access'`, false],
  [`Type > 'web'`, true],
  [`Type < 'web.b'`, true],
  [`EnvVersion == ''`, true],
  [`EnvVersion != ''`, false],
  [String.raw`Hostname =~ /example\.org$/`, true],
  ['Hostname =~ /^edge/', true],
  ['Hostname !~ /^core/', true],
  ['Type =~ /ACCESS/', false],
  ['Type =~ /(?i)ACCESS/', true],
  [String.raw`Payload =~ /\/index/`, true],
  [String.raw`Payload =~ /index\.html "ok"/`, true],
  [`Payload == 'GET /index.html "ok"'`, true],
  [String.raw`Payload == "GET /index.html \"ok\""`, true],
  ['Severity == 6', true],
  ['Severity <= 6', true],
  ['Severity > 6', false],
  ['Severity >= 6.0', true],
  ['Pid == 4242', true],
  ['Timestamp > 1.6e18', true],
  ['Timestamp > 1614949679000000000', false],
  ['Uuid =~ /^0f6a1c2e-/', true],
  ['Fields[status] == 200', true],
  [`Fields[status] == '200'`, false],
  ['Fields[code] == 200', false],
  [`Fields[code] == '200'`, true],
  [`Fields[code] > '1'`, true],
  ['Fields[status] =~ /2../', false],
  ['Fields[status] !~ /5../', false],
  [`Fields[tag] == 'blue'`, true],
  [`Fields[tag][0][1] == 'green'`, true],
  [`Fields[tag][1] == 'red'`, true],
  [`Fields[tag][1][0] == 'red'`, true],
  [`Fields[tag][1][1] == 'red'`, false],
  ['Fields[tag][2] == NIL', true],
  ['Fields[tag][2] != NIL', false],
  ['Fields[tag][0][2] == NIL', true],
  ['Fields[tag] != NIL', true],
  ['Fields[missing] == NIL', true],
  ['Fields[missing] != NIL', false],
  [`Fields[missing] != 'x'`, false],
  ['Fields[missing] !~ /x/', false],
  ['Fields[none] == NIL', true],
  ['Fields[bytes_sent][0][1] == 77', true],
  ['Fields[bytes_sent] >= 5120', true],
  ['Fields[ratio] < .5', true],
  ['Fields[ratio] == 2.5e-1', true],
  ['Fields[tls] == TRUE', true],
  ['Fields[tls] == FALSE', false],
  ['Fields[cached] == FALSE', true],
  ['Fields[cached] == NIL', false],
  ['Fields[cached] != NIL', true],
  ['Fields[status] == TRUE', false],
  [`Fields[a b] == 'sp'`, true],
  [`Type == 'x' || Severity == 6 && Pid == 4242`, true],
  [`(Type == 'x' || Severity == 6) && Pid == 1`, false],
  [`Type=='web.access'&&(Severity==7||Fields[status]==200)`, true],
  ['Type =~ /^/', true],
  ['Logger =~ /-/ && Logger !~ /^Core/', true],
  ['Fields[tag] =~ /^(blue|red)$/', true],
];

/** Rules of the language beyond its table of examples. */
const further: readonly [string, boolean][] = [
  [`Fields[status] != 'a'`, false],
  [`Fields[cached] != 'a'`, false],
  [`Fields[cached] == 0`, false],
  ['Fields[cached] !~ /x/', false],
  [`Fields[code] == TRUE`, false],
  [`Uuid == '0F6A1C2E-1111-4222-8333-944455556666'`, false],
  [`Type\n==\r\n'web.access'`, true],
  [String.raw`Fields[code] == '\d'`, false],
  ['Fields[raw] > "a"', true],
  ['Fields[raw] < "b"', true],
  [String.raw`Fields[raw] =~ /^a\x{fffd}é$/`, true],
  ['Fields[status][0][0] == 200', true],
  ['Fields[status][99999999999999999999] == NIL', true],
  ['Severity == 7 || Severity == 5 || Severity == 6', true],
  ['* =~ /index/', true],
  ['* =~ /^green$/', true],
  ['* =~ /^red$/ && * !~ /^blue green$/', true],
  [String.raw`* =~ /^a\x{fffd}é$/`, true],
  ['* =~ /edge1|web|4242/', false],
  ['* !~ /index/', false],
  ['* !~ /^sp$/ || Type == "x"', false],
];

describe('the language', () => {
  const single = batchOf([message]);
  const several = batchOf([
    { uuid: message.uuid, timestamp: 1n, fields: [] },
    message,
    { ...message, type: 'other', fields: message.fields.slice(3) },
    message,
  ]);

  it('has 65 examples', () => expect(table).toHaveLength(65));

  it.each([...table, ...further])('%s is %s', (expression, expected) => {
    const matcher = compileMatcher(expression);
    expect(matcher.matches(message)).toBe(expected);
    expect(matcher.select(single)?.length ?? 1).toBe(expected ? 1 : 0);
    const rows = matcher.select(several) ?? Uint32Array.of(0, 1, 2, 3);
    expect([rows.includes(1), rows.includes(3)]).toEqual([expected, expected]);
  });

  it.each([
    ['Severity', 7],
    ['Pid', 0],
    ['Timestamp', 0],
  ])('reads an unset %s as %d', (name, value) => {
    const bare: Message = { uuid: new Uint8Array(16), timestamp: 0n, fields: [] };
    const matcher = compileMatcher(`${name} == ${value}`);
    expect(matcher.matches(bare)).toBe(true);
    expect(matcher.select(batchOf([bare]))).toBeNull();
  });

  it('keeps backslashes in texts except before the quote', () => {
    const odd = { ...message, payload: String.raw`a\nb'c\\` };
    expect(compileMatcher(String.raw`Payload == 'a\nb\'c\\'`).matches(odd)).toBe(true);
  });
});
