import { readFileSync, utimesSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fileOf, sluicebox } from './run-cli.ts';

const LINES = 'Dec 31 23:59:58 box1 app: old\nJan  1 00:00:01 box1 app: new\nJan  1 00:00:05 box1 app: last\n';

function oldFile(): string {
  const path = fileOf('old.log', LINES);
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

describe('dates without a year in a file of long ago', () => {
  it('belong to the year in which it was written, for sluicebox decode', async () => {
    const { out, code } = await sluicebox(['decode', 'syslog', oldFile()]);
    expect({ code, years: years(out) }).toEqual({ code: 0, years: ['2018-12-31', '2019-01-01', '2019-01-01'] });
  });

  it('and for sluicebox run; records that nobody decodes have the time at which they were read', async () => {
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
    expect(new Set(years(readFileSync(raw, 'utf8')))).toEqual(new Set([new Date().toISOString().slice(0, 10)]));
  });
});
