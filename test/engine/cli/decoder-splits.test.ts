import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fileOf, sluicebox } from './run-cli.ts';

const payloads = (text: string): string[] =>
  text.split('\n').flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { Payload: string }).Payload]));

const entry = (sql: string): string =>
  `# User@Host: app[app] @ dbone [10.1.2.3]\n# Query_time: 3.500000  Lock_time: 0.000100 Rows_sent: 5  Rows_examined: 9\nSET timestamp=1614949679;\n${sql};\n`;
const SLOW = `${entry('SELECT 1\nFROM t')}# Time: 210305 13:08:00\n${entry('SELECT 2')}`;
const STARTED =
  '/usr/sbin/mysqld, Version: 8.0.36 (Debian). started with:\nTcp port: 3306  Unix socket: /run/mysqld.sock\nTime                 Id Command    Argument\n';
const PROGRAM =
  '2021-03-05 13:07:59,250 ERROR [main] org.example.Shop - no\n\tat org.example.Shop.sell(Shop.java:7)\n2021-03-05 13:08:00,250 INFO  [main] org.example.Shop - yes\n';

const OWN = fileOf(
  'own_decoder.js',
  `export const meta = { name: 'own', kind: 'decoder', summary: '', split: { before: /[^ ]/ } };
export function process_message() { inject_message({ Payload: read_message('Payload') }); return 0; }`,
);

it('decode cuts as the script says', async () => {
  const { out } = await sluicebox(['decode', OWN, fileOf('own.log', 'a\n b\na2\n')]);
  expect(payloads(out)).toEqual(['a\n b', 'a2\n']);
});

describe('a file without a splitter', () => {
  it.each([
    [
      'slow queries behind what the server says',
      `${STARTED}# Time: 210305 13:07:59\n${SLOW}`,
      'decoder = "mysql_slow_query"',
      '',
      ['SELECT 1\nFROM t;\n', 'SELECT 2;\n'],
    ],
    ['slow queries', SLOW, 'decoder = "mysql_slow_query"', '', ['SELECT 1\nFROM t;\n', 'SELECT 2;\n']],
    [
      'slow queries, by a section of the decoder',
      SLOW,
      'decoder = "slow"',
      '[slow]\ntype = "SandboxDecoder"\nplugin = "mysql_slow_query"\n[slow.config]\ntruncate_sql = 8\n',
      ['SELECT 1...', 'SELECT 2...'],
    ],
    ['stack traces', PROGRAM, 'decoder = "program_log"', '', ['no\n\tat org.example.Shop.sell(Shop.java:7)', 'yes']],
    [
      'values of several lines, with a delimiter of their own',
      'a;message\n1;"x\ny;""z"""\n2;w\n',
      'decoder = "values"',
      '[values]\ntype = "SandboxDecoder"\nplugin = "csv"\n[values.config]\ndelimiter = ";"\nheader = "a;message"\n',
      ['a;message', 'x\ny;"z"', 'w'],
    ],
    [
      'records of a decoder of the user',
      'a\n b\na2\n',
      'decoder = "own"',
      `[own]\ntype = "SandboxDecoder"\nfilename = ${JSON.stringify(OWN)}\n`,
      ['a\n b', 'a2\n'],
    ],
    ['lines', 'a\nb\n', '', '', ['a', 'b']],
    ['lines, when the section says so', 'SELECT 1;\n# User@Host: x\n', 'splitter = "line"', '', ['SELECT 1;', '# User@Host: x']],
  ])('is cut as its decoder needs it: %s', async (_, text, decoder, sections, expected) => {
    const out = fileOf('split.jsonl', '');
    const config = fileOf(
      'split.toml',
      `[log]\ntype = "FileInput"\npaths = [${JSON.stringify(fileOf('split.log', text))}]\nstart = "begin"\n${decoder}\n\n${sections}\n[out]\ntype = "FileOutput"\npath = ${JSON.stringify(out)}\nmessage_matcher = "TRUE"\n`,
    );
    expect(await sluicebox(['run', '--until-idle', config])).toMatchObject({ code: 0, err: '' });
    expect(payloads(readFileSync(out, 'utf8'))).toEqual(expected);
  });
});
