import { readFileSync, utimesSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fileOf, sluicebox } from './run-cli.ts';

const LINES = 'Dec 31 23:59:58 box1 app: old\nJan  1 00:00:01 box1 app: new\nJan  1 00:00:05 box1 app: last\n';

const DAYS = ['2016-11-05', '2016-12-31', '2017-01-05', '2017-08-01', '2018-01-31', '2018-12-31', '2019-01-01'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const OF_YEARS = DAYS.map((day) => `${MONTHS[Number(day.slice(5, 7)) - 1]} ${day.slice(8).replace(/^0/, ' ')} 00:00:01 box1 app: x\n`).join(
  '',
);

function oldFile(text = LINES): string {
  const path = fileOf(`old-${text.length}.log`, text);
  const written = new Date('2019-01-01T00:00:06Z');
  utimesSync(path, written, written);
  return path;
}

const years = (text: string): string[] =>
  text.split('\n').flatMap((line) => {
    if (line === '') return [];
    const { Timestamp } = JSON.parse(line) as { Timestamp: string };
    return [new Date(Number(BigInt(Timestamp) / 1_000_000n)).toISOString().slice(0, 10)];
  });

describe('sluicebox decode gives records without a time', () => {
  const times = (text: string): string[] =>
    text.split('\n').flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { Timestamp: string }).Timestamp]));

  it.each<[string, string[], string, string[]]>([
    ['that of their file', ['linux_kern'], '[    1.2] usb: a\n[    1.3] usb: b\n', ['1546300806000000000', '1546300806000000000']],
    [
      'that of the record before them',
      ['json_lines'],
      '{"time":"2018-03-05T13:07:59.250Z"}\n{"a":1}\n',
      ['1520255279250000000', '1520255279250000000'],
    ],
    [
      'that of the first record, at the beginning',
      ['json_lines', '--each'],
      '{"a":1}\n{"time":"2018-03-05T13:07:59.250Z"}\n',
      ['1520255279250000000', '1520255279250000000'],
    ],
    ['and leaves out the header of a table, which is no record', ['csv'], 'time,a\n2018-03-05T13:07:59.250Z,1\n', ['1520255279250000000']],
  ])('%s', async (_, args, text, expected) => {
    const { out } = await sluicebox(['decode', ...args, oldFile(text)]);
    const messages = args.includes('--each')
      ? out
          .split('\n')
          .flatMap((line) => (line === '' ? [] : (JSON.parse(line) as { messages: object[] }).messages.map((one) => JSON.stringify(one))))
      : [out];
    expect(messages.flatMap(times)).toEqual(expected);
  });
});

describe('dates without a year in a file of long ago', () => {
  it('belong to the year in which it was written, for sluicebox decode', async () => {
    const { out, code } = await sluicebox(['decode', 'syslog', oldFile()]);
    expect({ code, years: years(out) }).toEqual({ code: 0, years: ['2018-12-31', '2019-01-01', '2019-01-01'] });
  });

  it('are followed through the years', async () => {
    const { out, code } = await sluicebox(['decode', 'syslog', oldFile(OF_YEARS)]);
    expect({ code, years: years(out) }).toEqual({ code: 0, years: DAYS });
    const decoded = fileOf('years.jsonl', '');
    const config = fileOf(
      'years.toml',
      `[log]\ntype = "FileInput"\npaths = [${JSON.stringify(oldFile(OF_YEARS))}]\nstart = "begin"\ndecoder = "syslog"\n\n` +
        `[out]\ntype = "FileOutput"\npath = ${JSON.stringify(decoded)}\nmessage_matcher = "TRUE"\n`,
    );
    expect(await sluicebox(['run', '--until-idle', config])).toMatchObject({ code: 0, err: '' });
    expect(years(readFileSync(decoded, 'utf8'))).toEqual(DAYS);
  });

  it('and for sluicebox run; records that nobody decodes have the time at which they were read', async () => {
    const before = new Date().toISOString().slice(0, 10);
    const [decoded, raw] = [fileOf('decoded.jsonl', ''), fileOf('raw.jsonl', '')];
    const input = (name: string, more: string): string =>
      `[${name}]\ntype = "FileInput"\npaths = [${JSON.stringify(oldFile())}]\nstart = "begin"\n${more}\n\n`;
    const output = (name: string, path: string, matcher: string): string =>
      `[${name}]\ntype = "FileOutput"\npath = ${JSON.stringify(path)}\nmessage_matcher = ${JSON.stringify(matcher)}\n\n`;
    const config = fileOf(
      'old.toml',
      input('one', 'decoder = "syslog"') +
        input('two', '') +
        output('out', decoded, "Fields[programname] == 'app'") +
        output('all', raw, 'Fields[programname] == NIL'),
    );
    expect(await sluicebox(['run', '--until-idle', config])).toMatchObject({ code: 0, err: '' });
    expect(years(readFileSync(decoded, 'utf8'))).toEqual(['2018-12-31', '2019-01-01', '2019-01-01']);
    for (const day of years(readFileSync(raw, 'utf8'))) expect(day >= before).toBe(true);
  });
});
