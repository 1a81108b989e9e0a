import { describe, expect, test } from 'vitest';
import { READ_AT, decodeWith, decoder, type Decoded } from '../support/decode.ts';
import { startPlugin, type RunningPlugin } from '../support/sandbox.ts';

describe('regex', () => {
  const match = (pattern: string, line: string, config: Record<string, string | boolean> = {}): Decoded | string =>
    decoder('regex', { pattern, ...config })(line);

  test.each([
    ['(?<a>\\d+)', 'x 12 y', { a: '12' }],
    ['^(?<a>\\w+)(?: (?<b>\\w+))?$', 'x', { a: 'x' }],
    ['^(?<a>\\w*) (?<b>.*)$', ' y', { a: '', b: 'y' }],
    ['^(?P<a>\\w+) \\(?P<(?<b>\\w+)', 'x P<y', { a: 'x', b: 'y' }],
    ['^\\\\(?P<a>\\w+)', '\\x', { a: 'x' }],
    ['(?:(?<a>x)|(?<b>y))', 'y', { b: 'y' }],
    [
      '^(?<time>\\S+) (?<level>\\w+) (?<hostname>\\S+)\\[(?<pid>\\d+)\\]: (?<message>.*)',
      '2021-03-05T13:07:59Z info h[7]: m',
      {
        ...{ Timestamp: '1614949679000000000', Severity: 6, Hostname: 'h', Pid: 7, Payload: 'm' },
      },
    ],
    ['(?<time>\\S+)', 'soon', { time: 'soon' }],
    ['^(?<a>\\d+)$', 'x', 'refused: the expression does not match'],
    ['^(?<a>.+)$', '', 'refused: the expression does not match'],
  ])('%s on %j', (pattern, line, expected) => {
    expect(match(pattern, line)).toEqual(expected);
  });

  test.each([
    [{ flags: 'i' }, '(?<a>x+)', 'XX', { a: 'XX' }],
    [{ flags: 'ms' }, '^(?<a>b.c)$', 'a\nb\nc\nd', { a: 'b\nc' }],
    [{ flags: 'u' }, '^(?<a>.)$', '😀', { a: '😀' }],
    [{ number_fields: 'n, s:ms', type: 't' }, '(?<n>\\S+) (?<s>\\S+) (?<t>\\S+)', '1 2.5 3', { n: 1, s: [2.5, 'ms'], t: '3', Type: 't' }],
    [{ number_fields: 'n' }, '(?<n>\\S+)', '-', { n: '-' }],
    [{ payload_keep: true }, '(?<message>m+)', 'a mm', { message: 'mm', Payload: 'a mm' }],
    [
      { time_field: 'at', time_format: '%d.%m.%y %H:%M', tz: '-01:00' },
      '(?<at>.*)',
      '05.03.21 12:07',
      { Timestamp: '1614949620000000000' },
    ],
    [
      { time_field: 'at', time_format: '%T %z %F', tz: '-01:00' },
      '(?<at>.*)',
      '14:07:59 +0100 2021-03-05',
      { Timestamp: '1614949679000000000' },
    ],
    [{ time_field: 'at' }, '(?<at>.*)', 'soon', 'refused: at is not a time that can be read'],
    [{ time_field: 'at', time_format: '%F' }, '(?<at>.*)', '2021-03-05 x', 'refused: at is not a time that can be read'],
  ])('%j %s', (config, pattern, line, expected) => {
    expect(match(pattern, line, config)).toEqual(expected);
  });

  test.each([
    [{}, 'missing parameter: pattern'],
    [{ pattern: '(' }, 'Invalid regular expression'],
    [{ pattern: '(a)' }, 'pattern needs a named group'],
    [{ pattern: '(?<a>x)', flags: 'g' }, 'flags may only be'],
  ])('refuses to start with %j', (config, reason) => {
    expect(() => startPlugin('decoders/regex.ts', config)).toThrow(reason);
  });

  test('leaves nothing of a refused record behind', () => {
    const plugin: RunningPlugin = startPlugin('decoders/regex.ts', { pattern: '(?<a>\\w+) ?(?<at>\\S*)', time_field: 'at' });
    expect(decodeWith(plugin, 'x soon')).toBe('refused: at is not a time that can be read');
    expect(plugin.process({ Timestamp: READ_AT, Payload: 'y 2021-03-05T13:07:59Z', Fields: [] }).injected).toEqual([
      { Timestamp: 1614949679000000000n, Fields: [{ name: 'a', value: ['y'] }] },
    ]);
  });
});
