import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decoder, decodeWith } from '../../support/decode.ts';
import { startPlugin } from '../../support/sandbox.ts';

const QUERY = '# Query_time: 1.250000  Lock_time: 0.000100  Rows_sent: 5  Rows_examined: 90000';
const TAIL = 'SET timestamp=1614949679;\nSELECT a, "x;" FROM t;\n';
/** An entry of each server, as it writes them; what differs from one to the next is taken from them below. */
const ENTRIES: Readonly<Record<string, readonly string[]>> = {
  mysql_slow_query: [
    `# User@Host: app[app] @ dbone [192.0.2.1]  Id:     8\n${QUERY}\n${TAIL}`,
    `# User@Host: app[app] @ localhost []\n${QUERY} Thread_id: 7 Errno: 0 Start: 2021-03-05T13:07:59Z\n${TAIL}`,
  ],
  mariadb_slow_query: [
    `# User@Host: app[app] @ localhost []\n# Thread_id: 77  Schema: shop  QC_hit: No\n${QUERY}\n# Rows_affected: 0  Bytes_sent: 61\n# Full_scan: No  Filesort: Yes\n${TAIL}`,
    `# User@Host: app[app] @  [2001:db8::7]\n# Thread_id: 77  Schema:   QC_hit: No\n${QUERY}\n${TAIL}`,
  ],
  percona_slow_query: [
    `# User@Host: app[app] @ dbone [192.0.2.1]  Id: 9\n# Schema: shop  Last_errno: 0  Killed: 0\n${QUERY}  Rows_affected: 0\n# Bytes_sent: 61\n#   InnoDB_IO_r_ops: 6  InnoDB_IO_r_wait: 0.001279\n# QC_Hit: No  Full_scan: Yes\n${TAIL}`,
    `# User@Host: app[app] @ dbone [192.0.2.1]\n# Schema: 7  Last_errno: 0  Killed: 0\n${QUERY}  Rows_affected: 0\n# Stored routine: shop.recent\n${TAIL}`,
  ],
};
const PIECES = [
  ...[
    '0',
    '5',
    '-1',
    '+1',
    '1.5',
    '1.',
    '.5',
    '12345678901234567',
    '1.123456789012345678',
    'No',
    'Yes',
    'no',
    'Name:',
    'a:b',
    'Ü',
    '#',
    '\u00a0',
  ],
  ...[
    ' ',
    '  ',
    '\t',
    '\n',
    '\r\n',
    ': ',
    ';',
    ';\n',
    '[',
    ']',
    '[]',
    '# ',
    'Id: 7',
    'Schema: ',
    'Stored',
    'routine: ',
    'use a;\n',
    '# Time: x\n',
  ],
  ...['# User@Host: ', '# explain: id\n', '# administrator command: Quit;\n', 'SET timestamp=', 'SET insert_id=1,timestamp=1;\n', ''],
];

/** An entry in which some tokens are replaced by others. */
function changed(entry: string, changes: readonly (readonly [place: number, piece: string])[]): string {
  const tokens = entry.split(/([\s:;=[\]]+)/);
  for (const [place, piece] of changes) tokens[place % tokens.length] = piece;
  return tokens.join('');
}

test.each(Object.entries(ENTRIES))('%s: an entry becomes the same, whatever stood before it', (name, entries) => {
  const change = fc.tuple(fc.nat(200), fc.constantFrom(...PIECES));
  const entry = fc.tuple(fc.constantFrom(...entries), fc.array(change, { maxLength: 3 }), fc.nat(3));
  const made = entry.map(([text, changes, cut]) => changed(text, changes).slice(0, cut === 0 ? -1 : undefined));
  for (const config of [{}, { truncate_sql: 7 }]) {
    const warm = [true, false].map((hasUnits) => startPlugin(`decoders/${name}.ts`, config, hasUnits));
    for (const plugin of warm) for (const text of entries) decodeWith(plugin, text);
    fc.assert(
      fc.property(made, (text) => {
        const cold = decoder(name, config)(text);
        expect(warm.map((plugin) => decodeWith(plugin, text))).toEqual([cold, cold]);
      }),
      { numRuns: 150 },
    );
  }
});

test('numbers and words of other values are those of the entry', () => {
  const decode = decoder('percona_slow_query');
  const entry = (i: number, schema: string): string =>
    `# User@Host: app[app] @ h${i} []\n# Schema: ${schema}  Last_errno: ${i}  Killed: 0\n# Query_time: ${i}.5  Lock_time: 0.25  Rows_sent: ${i}  Rows_examined: 7  Rows_affected: 0\nSET timestamp=${i};\nSELECT ${i};\n`;
  for (const i of [1, 20, 300]) {
    expect(decode(entry(i, i === 20 ? '' : `s${i}`))).toMatchObject({
      Hostname: `h${i}`,
      Timestamp: `${i}000000000`,
      Schema: i === 20 ? '' : `s${i}`,
      Last_errno: i,
      Query_time: [i + 0.5, 's'],
      Payload: `SELECT ${i};\n`,
    });
  }
});
