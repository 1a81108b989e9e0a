import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readMeta } from '../../../engine/plugins/meta.ts';
import { folder, script } from './catalog-fixtures.ts';

describe('readMeta', () => {
  it.each<{ title: string; source: string; meta: unknown }>([
    { title: 'nothing', source: 'function process_message() {}', meta: null },
    { title: 'a script that does not parse', source: 'function (', meta: null },
    {
      title: 'literals, constants and types',
      source: `const UNIT = 's' as const;
export const meta: PluginMeta = { name: 'x', kind: 'filter', summary: \`in \${UNIT}\` + '.', parameters: {
  'a-b': { type: 'int', summary: '', default: -1 }, c: { type: 'bool', summary: 's', required: true } }, examples: [{ title: 't', in: 'x', fails: 'y' }] };`,
      meta: {
        name: 'x',
        kind: 'filter',
        summary: 'in s.',
        stateless: false,
        parameters: { 'a-b': { type: 'int', summary: '', default: -1 }, c: { type: 'bool', summary: 's', required: true } },
      },
    },
    {
      title: 'no parameters',
      source: `export const meta = { name: 'x', kind: 'decoder', stateless: true, summary: '' };`,
      meta: { name: 'x', kind: 'decoder', summary: '', stateless: true, parameters: {} },
    },
  ])('reads $title', ({ source, meta }) => expect(readMeta(source, 'x.ts')).toEqual(meta));

  it('takes a number for the default of a text', () => {
    const source = `export const meta = { name: 'x', kind: 'filter', summary: '', parameters: { a: { type: 'string', summary: '', default: 6 } } };`;
    expect(readMeta(source, 'x.ts')?.parameters['a']?.default).toBe('6');
  });

  it('reads constants of files that the script imports', () => {
    script('shared.ts', `import { UNIT } from './unit.ts';\nexport const SIZE: P = { size: { type: 'int', summary: 'in ' + UNIT } };`);
    script('unit.ts', `export const UNIT = 'bytes';`);
    const source = `import { SIZE, run } from './shared.ts';\nexport const meta = { name: 'x', kind: 'decoder', summary: '', parameters: { ...SIZE } };`;
    expect(readMeta(source, join(folder, 'x.ts'), 'folder')?.parameters).toEqual({ size: { type: 'int', summary: 'in bytes' } });
  });

  it('reads how files are cut, shown and recognised', () => {
    const source = String.raw`const DAY = String.raw${'`'}\d\d/${'`'};
const MORE = [/c/m];
export const meta = { name: 'x', kind: 'decoder', summary: '', split: { before: /a\/b/, preamble: /^V/im }, columns: ['a'],
  looks: [{ text: [/^#(?<n>\w+)/, ...MORE], lines: String.raw${'`'}^${'$'}{DAY}x${'`'}, not: 'y', least: 0.95, fewest: 2, rank: 3, config: [{ h: '{n}' }, {}] }, { form: 'columns' }] };`;
    const { split, columns, looks } = readMeta(source, 'x.ts') ?? {};
    expect(split).toEqual({ before: String.raw`a\/b`, preamble: '(?im:^V)' });
    expect(columns).toEqual(['a']);
    const usual = { text: [], without: [], lines: [], records: [], not: [], least: 0.6, fewest: 1, form: null, configs: [{}], rank: 0 };
    expect(looks).toEqual([
      {
        ...usual,
        text: [String.raw`^#(?<n>\w+)`, '(?m:c)'],
        lines: [String.raw`^\d\d/x`],
        not: ['y'],
        least: 0.95,
        fewest: 2,
        rank: 3,
        configs: [{ h: '{n}' }, {}],
      },
      { ...usual, form: 'columns' },
    ]);
  });

  it.each([
    [`split: 'lines'`, "split must be 'line', 'none', 'journal', 'container', 'json', 'octets', or"],
    [`split: { before: /a/, csv: 'd' }`, 'split must have one of'],
    [`split: { csv: 'd' }`, 'split.csv must name a parameter'],
    [`split: { by: 'd', cases: { a: 'line' } }`, 'split.by must name a parameter'],
    [
      `parameters: { d: { type: 'string', summary: '' } }, split: { by: 'd', cases: {} }`,
      'split.cases must have a rule for each value of d',
    ],
    [
      `parameters: { d: { type: 'string', summary: '' } }, split: { by: 'd', cases: { a: { before: '' } } }`,
      'split.cases.a.before must be',
    ],
    [
      `parameters: { d: { type: 'string', summary: '' } }, split: { by: 'd', cases: { a: { by: 'd' } } }`,
      'split.cases.a must not have cases itself',
    ],
    [`split: { between: /a*/ }`, 'split.between is not a usable regular expression'],
    [`split: { before: /(a)/ }`, 'split.before is not a usable regular expression'],
    [`split: { before: /a/, preamble: /a(?=b)/ }`, 'split.preamble is not a usable regular expression'],
    [`columns: 'a'`, 'columns must be a list of texts'],
    [`recordSummary: 7`, "recordSummary must be a text with names of fields in braces, such as '{request} {status}'"],
    [`recordSummary: '{a} {b'`, 'recordSummary has a { that nothing closes; write \\{ for the character itself (character 5 of it)'],
    [`recordSummary: '{took:sec}'`, 'recordSummary has the unknown form sec; known are request, error, name, ns'],
    [`looks: {}`, 'looks must be a list'],
    [`looks: [{}]`, 'looks[0] must have text, lines, records or form'],
    [`looks: [{ lines: /a/ }, { line: /a/ }]`, 'looks[1].line is not known'],
    [`looks: [{ lines: 7 }]`, 'looks[0].lines must be a regular expression'],
    [`looks: [{ lines: /a/g }]`, 'looks[0].lines has the flags g; only i, m and s are known'],
    [`looks: [{ lines: [/a/, /(?!b)c/] }]`, 'looks[0].lines[1] is not a usable regular expression'],
    [`looks: [{ lines: '(a' }]`, 'looks[0].lines[0] is not a usable regular expression'],
    [`looks: [{ lines: /a/, least: 60 }]`, 'looks[0].least must be a part'],
    [`looks: [{ lines: /a/, rank: 10 }]`, 'looks[0].rank must be a whole number, 0 to 9'],
    [`looks: [{ form: 'xml' }]`, 'looks[0].form must be one of nginx_access'],
    [`looks: [{ lines: /a/, config: { a: [] } }]`, 'looks[0].config must be an object'],
  ])('says of %s: %s', (keys, text) => {
    const source = `export const meta = { name: 'x', kind: 'decoder', summary: '', ${keys} };`;
    expect(() => readMeta(source, '/own/x.ts')).toThrow(
      expect.objectContaining({
        code: 'plugin.meta',
        message: expect.stringContaining(`/own/x.ts:1: meta is not valid: ${text}`) as string,
      }),
    );
  });

  it('refuses what only decoders have, and what would grow without end', () => {
    expect(() => readMeta(`export const meta = { name: 'x', kind: 'filter', summary: '', columns: [] };`, 'x.ts')).toThrow(
      'columns is for',
    );
    const lines = `export const meta = {\n  name: 'x',\n  kind: 'filter',\n  summary: '',\n  recordSummary: '{a}',\n};`;
    expect(() => readMeta(lines, 'x.ts')).toThrow('x.ts:5: meta is not valid: recordSummary is for decoders alone');
    const doubling = Array.from({ length: 20 }, (_, i) => `const a${i + 1} = a${i} + a${i};\n`).join('');
    expect(() => readMeta(`const a0 = 'x';\n${doubling}export const meta = { name: a20 };`, 'x.ts')).toThrow('it is too large');
  });

  it.each([
    [
      'a name from a file that is not there',
      `import { P } from './none.ts';\nexport const meta = { name: 'x', kind: 'filter', summary: P };`,
    ],
    ['a call', `export const meta = make();`],
    ['a cycle', `const a = b;\nconst b = a;\nexport const meta = a;`],
    ['another kind', `export const meta = { name: 'x', kind: 'thing', summary: '' };`],
    ['a parameter without a type', `export const meta = { name: 'x', kind: 'filter', summary: '', parameters: { a: { summary: '' } } };`],
    ['a text for a flag', `export const meta = { name: 'x', kind: 'decoder', summary: '', stateless: 'no' };`],
    ['a number as name', `export const meta = { name: 1, kind: 'filter', summary: '' };`],
    ...[
      `{ type: 'string', summary: '', minimum: 1 }`,
      `{ type: 'bool', summary: '', maximum: 1 }`,
      `{ type: 'uint', summary: '', minimum: '1' }`,
      `{ type: 'uint', summary: '', maximum: -1 }`,
      `{ type: 'number', summary: '', minimum: 2, maximum: 1 }`,
      `{ type: 'uint', summary: '', values: ['1'] }`,
      `{ type: 'string', summary: '', values: [] }`,
      `{ type: 'string', summary: '', values: [1] }`,
      `{ type: 'string', summary: '', values: 'a' }`,
      `{ type: 'string', summary: '', format: 'date' }`,
      `{ type: 'uint', summary: '', format: 'regexp' }`,
      `{ type: 'uint', summary: '', default: '5' }`,
      `{ type: 'uint', summary: '', default: 1, minimum: 2 }`,
      `{ type: 'string', summary: '', default: 'c', values: ['a', 'b'] }`,
      `{ type: 'string', summary: '', default: '(', format: 'regexp' }`,
    ].map((declared) => [
      `the parameter ${declared}`,
      `export const meta = { name: 'x', kind: 'filter', summary: '', parameters: { a: ${declared} } };`,
    ]),
  ])('refuses %s without running the script', (_, source) => {
    expect(() => readMeta(source, 'x.ts')).toThrow(expect.objectContaining({ code: 'plugin.meta' }));
  });
});
