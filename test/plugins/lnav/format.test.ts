import { describe, expect, it } from 'vitest';
import { FormatError, readFormats, type LnavFormat } from '../../../plugins/lnav/format.ts';

const one = (format: object): LnavFormat => readFormats(JSON.stringify({ shop_log: format }))[0] as LnavFormat;

describe('readFormats', () => {
  it('has a value for what a format does not say', () => {
    expect(one({})).toEqual({
      name: 'shop_log',
      title: 'shop_log',
      description: '',
      url: '',
      json: false,
      patterns: [],
      multiline: true,
      timeField: 'timestamp',
      timeFormats: [],
      divisor: 0,
      levelField: 'level',
      levels: [],
      bodyField: 'body',
      moduleField: '',
      hideExtra: false,
      line: [],
      values: [],
      samples: [],
      unsupported: [],
    });
  });

  it('reads what it says', () => {
    const format = one({
      title: 'Shop',
      description: ['two', 'lines'],
      url: ['', 'http://x/'],
      'file-type': 'json',
      multiline: false,
      'timestamp-format': '%s',
      'timestamp-divisor': 1000,
      'hide-extra': true,
      level: { error: '^E', critical: [1, 'x'] },
      regex: { std: { pattern: '^a' }, module: { pattern: '^b', 'module-format': true } },
      value: { n: { kind: 'integer', unit: { suffix: ' ms' }, identifier: true }, s: { kind: 'xml', hidden: true } },
      'line-format': ['x ', { field: 'n', prefix: '[', 'text-transform': 'uppercase', 'min-width': 5 }],
      sample: [{ line: 'a', level: 'error' }, {}],
    });
    expect(format).toMatchObject({
      title: 'Shop',
      description: 'two lines',
      url: 'http://x/',
      json: true,
      patterns: ['^a'],
      multiline: false,
      timeFormats: ['%s'],
      divisor: 1000,
      hideExtra: true,
      levels: [
        ['error', '^E'],
        ['critical', '^1$'],
        ['critical', 'x'],
      ],
      line: ['x ', { field: 'n', otherwise: '-', prefix: '[', suffix: '', transform: 'uppercase' }],
      values: [
        { name: 'n', kind: 'integer', identifier: true, hidden: false, unit: 'ms' },
        { name: 's', kind: 'string', identifier: false, hidden: true, unit: '' },
      ],
      samples: [
        { line: 'a', level: 'error' },
        { line: '', level: '' },
      ],
      unsupported: ['regex.module.module-format'],
    });
  });

  it('names what no script can do', () => {
    const format = {
      converter: {},
      'file-type': 'csv',
      regex: { a: { pattern: 'x', other: 1 } },
      'line-format': [{ field: 'a', odd: 1, 'text-transform': 'capitalize' }],
      value: { v: { kind: 'odd', rewriter: 'x', unit: { 'scaling-factor': {} } } },
      highlights: {},
    };
    expect(one(format).unsupported).toEqual([
      'converter',
      'file-type csv',
      'regex.a.other',
      'line-format.odd',
      'line-format.text-transform capitalize',
      'value.v.kind odd',
      'value.v.rewriter',
      'value.v.unit.scaling-factor',
    ]);
  });

  it('reads files with comments, a byte order mark and several formats', () => {
    const text = '\ufeff// a "comment"\n{"$schema": "http://x//y", /* b */ "a": {"title": "// no comment"}, "b": {}, "c": 7}';
    expect(readFormats(text).map(({ name, title }) => [name, title])).toEqual([
      ['a', '// no comment'],
      ['b', 'b'],
    ]);
  });

  it.each<[text: string, reason: RegExp]>([
    ['', /^it is not JSON: /],
    ['{', /^it is not JSON: /],
    ['[]', /^it has no format: /],
    ['{"$schema": {}}', /^it has no format: /],
    ['{"a": 7}', /^it has no format: /],
  ])('%j is none', (text, reason) => {
    expect(() => readFormats(text)).toThrow(FormatError);
    expect(() => readFormats(text)).toThrow(reason);
  });
});
