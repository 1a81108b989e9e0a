import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { utf8Length, utf8Prefix } from '../../../plugins/base/utf8.ts';
import { decoder, type Decoded } from '../support/decode.ts';

const TIME = '# Time: 210305 13:07:59\n';
const USER = '# User@Host: app[app] @ dbone [10.1.2.3]\n';
const QUERY = '# Query_time: 3.500000  Lock_time: 0.000100 Rows_sent: 5  Rows_examined: 90000\n';
const SET = 'SET timestamp=1614949679;\n';

const base: Decoded = {
  ...{ Type: 'mysql.slow-query', Hostname: '10.1.2.3', Timestamp: '1614949679000000000' },
  ...{ Query_time: [3.5, 's'], Lock_time: [0.0001, 's'], Rows_sent: 5, Rows_examined: 90000 },
};

describe('mysql_slow_query', () => {
  const decode = decoder('mysql_slow_query');

  test.each([
    [`${TIME}${USER}${QUERY}use shop;\n${SET}SELECT * FROM orders\nWHERE id > 5;\n`, 'SELECT * FROM orders\nWHERE id > 5;\n'],
    [
      `# User@Host: app[app] @  [10.1.2.3]\n${QUERY}SET last_insert_id=7,insert_id=8,timestamp=1614949679;\n# administrator command: Ping;\nDELETE FROM t;`,
      'DELETE FROM t;',
    ],
    [`${USER}${QUERY}SET insert_id=8,timestamp=1614949679;\nSELECT 1;\n`, 'SELECT 1;\n'],
    [`${USER}${QUERY}${SET}SELECT ";" ; x;\ntail`, 'SELECT ";" ; x;\n'],
    [`${USER}${QUERY}${SET}SELECT 1;\n${TIME}`, 'SELECT 1;\n'],
    [`${TIME}${TIME}${USER}${QUERY}use a;\nuse b;\n${SET};`, ';'],
    [`# User@Host: app[app]\t@\tdbone[10.1.2.3]\n${QUERY}${SET}SELECT 1;`, 'SELECT 1;'],
    [`${USER}${QUERY.replaceAll(/ +(?=[A-Z])/g, '\t').replace('#\t', '# ')}${SET}SELECT 1;`, 'SELECT 1;'],
    [`${USER}${QUERY.replaceAll(': ', ':  \t')}${SET}SELECT 1;`, 'SELECT 1;'],
    [`${USER}${QUERY}# No InnoDB statistics available for this query\n${SET}SELECT 1;\n`, 'SELECT 1;\n'],
    [`${TIME}${USER}${QUERY}${SET}SELECT 1\nFROM t;\n`.replaceAll('\n', '\r\n'), 'SELECT 1\nFROM t;\n'],
    [`${TIME}${USER}${QUERY}${SET}SELECT 1\r\nFROM t;\n`, 'SELECT 1\r\nFROM t;\n'],
    [`# User@Host: a-b_1.c d[x@y] @ db-1.example.net [10.1.2.3]\n${QUERY}${SET}SELECT 1;`, 'SELECT 1;'],
    [`# User@Host: [app] @ dbone [10.1.2.3]\n${QUERY}${SET}SELECT 1;`, 'SELECT 1;'],
    [`${USER}${QUERY}${SET}# administrator command: Ping;\n# administrator command: Quit;\n`, '# administrator command: Quit;\n'],
    [`${USER}${QUERY}${SET}# administrator command: Quit;`, '# administrator command: Quit;'],
    [`${USER}${QUERY}${SET}# administrator command: Quit;\n${TIME}`, '# administrator command: Quit;\n'],
  ])('%j', (entry, Payload) => {
    expect(decode(entry)).toEqual({ ...base, Payload });
  });

  test.each([
    ['# Time: 2021-03-05T13:07:59.123456Z\n# User@Host: app[app] @ dbone [10.1.2.3]  Id:    42\n', { Connection_id: 42 }],
    ['# User@Host: app[app] @ localhost []  Id: 42\n', { Connection_id: 42, Hostname: 'localhost' }],
    ['# User@Host: app[app] @ dbone [2001:db8::7]\n  Id: 42\n', { Connection_id: 42, Hostname: '2001:db8::7' }],
  ])('%j', (user, expected) => {
    expect(decode(`${user}${QUERY}${SET}SELECT 1;\n`)).toEqual({ ...base, Payload: 'SELECT 1;\n', ...expected });
  });

  const MARIA = '# Thread_id: 77  Schema: shop  QC_hit: No\n';
  const MARIA_QUERY = QUERY.replace('Rows_sent', ' Rows_sent');
  const maria = { Thread_id: 77, Schema: 'shop', QC_hit: 'No' };
  const OPENING =
    '/usr/sbin/mysqld, Version: 8.4.3 (MySQL Community Server - GPL). started with:\nTcp port: 3306  Unix socket: /var/run/mysqld/mysqld.sock\nTime                 Id Command    Argument\n';

  test.each<[title: string, entry: string, expected: Decoded]>([
    ['5.5', `# Time: 210305 13:07:59\n# User@Host: root[root] @ localhost []\n${QUERY}${SET}SELECT 1;\n`, { Hostname: 'localhost' }],
    [
      '5.5, an hour of one digit',
      `# Time: 210305  3:07:59\n# User@Host: root[root] @ localhost []\n${QUERY}${SET}SELECT 1;\n`,
      { Hostname: 'localhost' },
    ],
    ['5.5, by address', `# User@Host: root[root] @  [127.0.0.1]\n${QUERY}${SET}SELECT 1;\n`, { Hostname: '127.0.0.1' }],
    [
      '5.6',
      `# User@Host: root[root] @ localhost []  Id:     1\n${QUERY}use shop;\n${SET}SELECT 1;\n`,
      { Hostname: 'localhost', Connection_id: 1 },
    ],
    [
      '5.7',
      `# Time: 2021-03-05T13:07:59.250000Z\n# User@Host: root[root] @ localhost [127.0.0.1]  Id: 12345678\n${QUERY}${SET}SELECT 1;\n`,
      { Hostname: '127.0.0.1', Connection_id: 12345678 },
    ],
    [
      '8.0, in a zone',
      `# Time: 2021-03-05T14:07:59.250000+01:00\n# User@Host: a[a] @ h [::1]  Id:     9\n${QUERY}${SET}/* x */ SELECT 1;\n`,
      { Hostname: '::1', Connection_id: 9, Payload: '/* x */ SELECT 1;\n' },
    ],
    [
      '8.4, the first entry of a file',
      `${OPENING}# Time: 2021-03-05T13:07:59.250000Z\n# User@Host: skip-grants user[] @ localhost []  Id:     9\n${QUERY}${SET}SELECT 1;\n`,
      { Hostname: 'localhost', Connection_id: 9 },
    ],
    [
      '8.4, the last entry before a restart',
      `# User@Host: a[a] @ h []  Id:     9\n${QUERY}${SET}# administrator command: Quit;\n${OPENING}${TIME}`,
      { Hostname: 'h', Connection_id: 9, Payload: '# administrator command: Quit;\n' },
    ],
    [
      'a fraction of a second',
      `# User@Host: a[a] @ h []\n${QUERY}SET timestamp=1614949679.123456;\nSELECT 1;\n`,
      { Hostname: 'h', Timestamp: '1614949679123456000' },
    ],
    [
      'several statements',
      `# User@Host: a[a] @ h []\n${QUERY}${SET}SELECT 1; SELECT 2;\n`,
      { Hostname: 'h', Payload: 'SELECT 1; SELECT 2;\n' },
    ],
    ['MariaDB 5.5', `# User@Host: a[a] @ localhost []\n${MARIA}${MARIA_QUERY}${SET}SELECT 1;\n`, { Hostname: 'localhost', ...maria }],
    [
      'MariaDB 11',
      `# User@Host: a[a] @ localhost []\n${MARIA}${MARIA_QUERY}# Rows_affected: 0  Bytes_sent: 61\n# Pages_accessed: 3  Pages_read: 0\n${SET}SELECT 1;\n`,
      { Hostname: 'localhost', ...maria, Rows_affected: 0, Bytes_sent: [61, 'B'], Pages_accessed: 3, Pages_read: 0 },
    ],
    [
      'Percona Server',
      `# User@Host: a[a] @ localhost []  Id:     8\n# Schema: shop  Last_errno: 0  Killed: 0\n${MARIA_QUERY.trimEnd()}  Rows_affected: 0\n# Bytes_sent: 57\n${SET}SELECT 1;\n`,
      { Hostname: 'localhost', Connection_id: 8, Schema: 'shop', Last_errno: 0, Killed: 0, Rows_affected: 0, Bytes_sent: [57, 'B'] },
    ],
  ])('as servers write it: %s', (_, entry, expected) => {
    expect(decode(entry)).toEqual({ ...base, Payload: 'SELECT 1;\n', ...expected });
    expect(decode(entry.replaceAll('\n', '\r\n'))).toEqual({ ...base, Payload: 'SELECT 1;\n', ...expected });
  });

  test('a client without a name', () => {
    expect(decode(`# User@Host: [sys] @  []  Id: 42\n${QUERY}${SET}SELECT 1;\n`)).not.toHaveProperty('Hostname');
  });

  test('the values of log_slow_extra', () => {
    const query = `${QUERY.trimEnd()} Thread_id: 8 Errno: 0 Bytes_sent: 57 Start: 2021-03-05T13:07:57.1Z End: 2021-03-05T13:07:59.1Z\n`;
    expect(decode(`${USER}${query}${SET}SELECT 1;\n`)).toMatchObject({
      ...{ Thread_id: 8, Errno: 0, Bytes_sent: [57, 'B'] },
      ...{ Start: '2021-03-05T13:07:57.1Z', End: '2021-03-05T13:07:59.1Z' },
    });
  });

  test.each([
    ['', 'no line # User@Host at the start'],
    [`x\n${USER}${QUERY}${SET}SELECT 1;\n`, 'no line # User@Host at the start'],
    [`# User@Host: app[app] @ dbone\n${QUERY}${SET}SELECT 1;\n`, 'no line # User@Host at the start'],
    [`${USER}${SET}SELECT 1;\n`, 'no whole line # Query_time'],
    [`${USER}${QUERY.replace('3.500000', '3')}${SET}SELECT 1;\n`, 'no whole line # Query_time'],
    [`${USER}${QUERY.replace('90000', 'many')}${SET}SELECT 1;\n`, 'no whole line # Query_time'],
    [`${USER}x\n${QUERY}${SET}SELECT 1;\n`, 'no whole line # Query_time'],
    [`${USER}# Thread_id: 77\nx\n${QUERY}${SET}SELECT 1;\n`, 'no whole line # Query_time'],
    [`${USER}${QUERY.trimEnd()}`, 'no whole line # Query_time'],
    [`${USER}${QUERY}SELECT 1;\n`, 'no line SET timestamp behind the comments'],
    [`${USER}${QUERY}SET timestamp=now;\nSELECT 1;\n`, 'no line SET timestamp behind the comments'],
    [`${USER}${QUERY}${SET}`, 'no statement that ends in a semicolon'],
    [`${USER}${QUERY}${SET}SELECT 1`, 'no statement that ends in a semicolon'],
    [`${USER}${QUERY}${SET}SELECT 1; -- x\n`, 'no statement that ends in a semicolon'],
  ])('refuses %j', (entry, reason) => {
    expect(decode(entry)).toBe(`refused: ${reason}`);
  });
});

describe('truncate_sql', () => {
  const payload = (truncate_sql: number, sql: string): unknown =>
    (decoder('mysql_slow_query', { truncate_sql })(`${USER}${QUERY}${SET}${sql}`) as Decoded)['Payload'];

  test.each([
    [10, 'SELECT 123...'],
    [13, 'SELECT 12345;...'],
    [14, 'SELECT 12345;\n'],
    [100, 'SELECT 12345;\n'],
    [0, '...'],
    [-1, 'SELECT 12345;...'],
    [-5, 'SELECT 12...'],
    [-14, '...'],
    [-100, '...'],
  ])('%j', (limit, expected) => {
    expect(payload(limit, 'SELECT 12345;\n')).toBe(expected);
  });

  test.each([
    [8, "SELECT '..."],
    [9, "SELECT '..."],
    [10, "SELECT 'é..."],
    [13, "SELECT 'é..."],
    [14, "SELECT 'é😀..."],
    [-6, "SELECT 'é..."],
  ])('%j counts bytes of UTF-8', (limit, expected) => {
    expect(payload(limit, "SELECT 'é😀';\n")).toBe(expected);
  });

  test('lengths and beginnings in UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(40), (text, limit) => {
        const bytes = new TextEncoder().encode(text);
        expect(utf8Length(text)).toBe(bytes.length);
        const prefix = utf8Prefix(text, limit);
        expect(text.startsWith(prefix)).toBe(true);
        const next = String.fromCodePoint(text.codePointAt(prefix.length) ?? 0);
        expect(utf8Length(prefix)).toBeLessThanOrEqual(limit);
        if (prefix !== text) expect(utf8Length(prefix + next)).toBeGreaterThan(limit);
      }),
    );
  });
});
