/** Slow query logs against plain regular expressions of the layouts that their servers write. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decoder } from '../../support/decode.ts';

const DECIMAL = String.raw`(\d+\.\d+)`;
const COUNT = String.raw`(\d+)`;
const BOOL = '(Yes|No)';
const USER = String.raw`^(?:# Time:[^\n]*\n)*# User@Host: \w+\[\w+\]\s+@\s+\w*\s*\[([^\]]+)\]\n`;
const QUERY = String.raw`# Query_time: ${DECIMAL}\s+Lock_time: ${DECIMAL}\s+Rows_sent: ${COUNT}\s+Rows_examined: ${COUNT}\n`;
const THREAD = String.raw`# Thread_id: ${COUNT}  Schema: (\w*)  QC_hit: ${BOOL}\n`;
const PLAN = [
  String.raw`(?:# Full_scan: ${BOOL}  Full_join: ${BOOL}  Tmp_table: ${BOOL}  Tmp_table_on_disk: ${BOOL}\n`,
  String.raw`# Filesort: ${BOOL}  Filesort_on_disk: ${BOOL}  Merge_passes: ${COUNT}\n)?`,
].join('');
const COMMAND = String.raw`# administrator command: [^\n]*\n`;
const STATEMENT = [
  String.raw`(?:use [^\n]*;\n)*SET (?:last_insert_id=\d+,)?(?:insert_id=\d+,)?timestamp=(\d+);\n`,
  String.raw`(?:${COMMAND})*(?!${COMMAND})([^]*?;(?:\n|$))`,
].join('');

/** The fields of each line, in the order of its groups. */
const QUERY_FIELDS = ['Query_time', 'Lock_time', 'Rows_sent', 'Rows_examined'];
const THREAD_FIELDS = ['Thread_id', 'Schema', 'QC_hit'];
const PLAN_FIELDS = ['Full_scan', 'Full_join', 'Tmp_table', 'Tmp_table_on_disk', 'Filesort', 'Filesort_on_disk', 'Merge_passes'];
const NUMBERS = new Set([...QUERY_FIELDS, 'Thread_id', 'Merge_passes']);

const seconds = fc.nat(4e9).map(String);
const count = fc.oneof(fc.nat(5), fc.nat(), fc.maxSafeNat()).map(String);
const decimal = fc.tuple(fc.nat(99), fc.stringMatching(/^\d{1,7}$/)).map(([whole, fraction]) => `${whole}.${fraction}`);
const blanks = fc.constantFrom(' ', '  ', '\t');
const bool = fc.constantFrom('Yes', 'No');
const someOf = (...texts: string[]): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...texts), { maxLength: 2 }).map((all) => all.join(''));
const joined = (...parts: (fc.Arbitrary<string> | string)[]): fc.Arbitrary<string> =>
  fc.tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part))).map((texts) => texts.join(''));

const user = joined(
  ...[
    someOf('# Time: 210305 13:07:59\n', '# Time:\n'),
    '# User@Host: app[app]',
    blanks,
    '@',
    blanks,
    fc.constantFrom('', 'dbone', 'dbone '),
  ],
  ...['[', fc.constantFrom('10.1.2.3', '::1', 'a[b'), ']\n'],
);
const query = joined(
  '# Query_time: ',
  decimal,
  blanks,
  'Lock_time: ',
  decimal,
  blanks,
  'Rows_sent: ',
  count,
  blanks,
  'Rows_examined: ',
  count,
  '\n',
);
const thread = joined('# Thread_id: ', count, '  Schema: ', fc.constantFrom('', 'shop', '7', '1e5'), '  QC_hit: ', bool, '\n');
const plan = joined(
  ...['# Full_scan: ', bool, '  Full_join: ', bool, '  Tmp_table: ', bool, '  Tmp_table_on_disk: ', bool, '\n'],
  ...['# Filesort: ', bool, '  Filesort_on_disk: ', bool, '  Merge_passes: ', count, '\n'],
);
const statement = joined(
  ...[someOf('use shop;\n', 'use `x;y`;\n'), 'SET ', fc.constantFrom('', 'last_insert_id=7,'), fc.constantFrom('', 'insert_id=8,')],
  ...['timestamp=', seconds, ';\n', someOf('# administrator command: Ping;\n')],
  fc
    .array(fc.constantFrom('SELECT 1', ';', '\n', ';\n', ' é', '"', '\r\n', '# c', 'use x;\n', '# User@Host: '), { maxLength: 8 })
    .map((pieces) => pieces.join('')),
);

function fieldsOf(names: readonly string[], values: readonly (string | undefined)[]): Record<string, unknown> {
  const given = names.flatMap((name, i) => (values[i] === undefined ? [] : [[name, values[i]] as const]));
  return Object.fromEntries(
    given.map(([name, text]) => {
      const value = NUMBERS.has(name) ? Number(text) : text;
      return [name, name.endsWith('_time') ? [value, 's'] : value];
    }),
  );
}

test.each([
  ['mysql', [user, query, statement], [USER, QUERY, STATEMENT], QUERY_FIELDS],
  [
    'mariadb',
    [user, thread, query, fc.oneof(fc.constant(''), plan), statement],
    [USER, THREAD, QUERY, PLAN, STATEMENT],
    [...THREAD_FIELDS, ...QUERY_FIELDS, ...PLAN_FIELDS],
  ],
] as const)('%s: entries of the layout of the server', (server, parts, layout, names) => {
  const decode = decoder(`${server}_slow_query`);
  const form = new RegExp(layout.join(''));
  fc.assert(
    fc.property(joined(...parts), (entry) => {
      const [, Hostname, ...values] = form.exec(entry) ?? [];
      fc.pre(Hostname !== undefined);
      const [time = '', Payload] = values.slice(names.length);
      const Timestamp = String(BigInt(time) * 1_000_000_000n);
      expect(decode(entry)).toEqual({ Type: `${server}.slow-query`, Hostname, Timestamp, Payload, ...fieldsOf(names, values) });
    }),
  );
});
