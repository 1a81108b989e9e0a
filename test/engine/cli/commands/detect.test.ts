import { mkdtempSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sluicebox } from '../run-cli.ts';

const JSON_LINES =
  '{"time":"2021-03-05T13:07:59Z","level":"error","msg":"no"}\n{"time":"2021-03-05T13:08:59Z","level":"info","msg":"yes"}\n';
const SYSLOG = '<13>Mar  5 13:07:59 host app[7]: hello\n<13>Mar  5 13:08:00 host app[7]: world\n';

const TURBINE = String.raw`export const meta = {
  name: 'turbine', kind: 'decoder', summary: 'Decodes reports of turbines.',
  split: { before: /== \d{4}-\d\d-\d\d /, preamble: /^turbines of .*$/i },
  looks: [{ text: /^Turbines of \w+\n/, records: [/^== /, /^rpm: \d+$/m] }],
};
export function process_message() {
  inject_message({ Payload: /^== \S+ (\S+)/.exec(read_message('Payload'))[1] });
  return 0;
}`;
const REPORTS = 'Turbines of Kent\n== 2021-03-05 north\nrpm: 1200\n== 2021-03-06 south\nrpm: 7\n';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-detect-'));
const file = (name: string): string => join(folder, name);
mkdirSync(file('below'));
writeFileSync(file('a.json'), JSON_LINES);
writeFileSync(file('b.log.gz'), gzipSync(SYSLOG));
writeFileSync(file('c.log.zst'), zstdCompressSync(JSON_LINES));
writeFileSync(file('empty'), '');

describe('detect', () => {
  it('says decoder, parameters, confidence, cut and records', async () => {
    const { code, out, err } = await sluicebox(['detect', file('a.json')]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n')).toEqual([
      file('a.json'),
      expect.stringMatching(/^ {2}decoder {5}json_lines/),
      '  confidence  100 %',
      '  records     lines',
      expect.stringMatching(/^ {14}2021-03-05T13:07:59\S* .*no/),
      expect.stringMatching(/^ {14}2021-03-05T13:08:59\S* .*yes/),
      '',
      '',
    ]);
  });

  it('says no long pattern', async () => {
    const { out } = await sluicebox(['detect', '-'], '2021-03-05 13:07:59,250 [main] ERROR a.B - no\n\tat a.B.c(B.java:1)\n');
    expect(out).toContain('\n  records     several lines each; --json has the pattern that tells where one begins\n');
  });

  it('prints an object for each file of a folder, packed ones and unrecognised ones among them', async () => {
    const { code, lines } = await sluicebox(['detect', '--json', folder]);
    expect(code).toBe(0);
    expect(lines()).toMatchObject([
      { file: file('a.json'), decoder: 'json_lines', confidence: 1, split: 'line', records: [{ Timestamp: '1614949679000000000' }, {}] },
      { file: file('b.log.gz'), decoder: expect.stringMatching(/syslog|rfc3164/) as string, records: [{}, {}] },
      { file: file('c.log.zst'), decoder: 'json_lines', parameters: expect.any(Object) as object },
      { file: file('empty'), decoder: null },
    ]);
  });

  it('recognises decoders in a folder of scripts', async () => {
    mkdirSync(file('scripts'));
    const script = join(folder, 'scripts/turbine.js');
    writeFileSync(script, TURBINE);
    const { code, lines } = await sluicebox(['detect', '--json', '--scripts', file('scripts'), '-'], REPORTS);
    expect({ code, lines: lines() }).toMatchObject({
      code: 0,
      lines: [{ decoder: script, confidence: 1, records: [{ Payload: 'north' }, { Payload: 'south' }] }],
    });
    const decoded = await sluicebox(['decode', '--scripts', file('scripts')], REPORTS);
    expect(decoded.err).toContain(`decoded by ${script}`);
    expect(decoded.lines().map(({ Payload }) => Payload)).toEqual(['north', 'south']);
    for (const command of ['detect', 'decode']) {
      expect(await sluicebox([command, '--scripts', file('none'), '-'], REPORTS)).toMatchObject({
        code: 2,
        err: expect.stringContaining(`--scripts: there is no folder ${file('none')}`) as string,
      });
    }
  });

  it('takes patterns and standard input', async () => {
    const { lines } = await sluicebox(['detect', '--json', join(folder, '*.{json,zst}'), '-'], SYSLOG);
    expect(lines().map(({ file: name }) => name)).toEqual([file('a.json'), file('c.log.zst'), 'standard input']);
  });

  it.each<[string, string[], number, RegExp]>([
    ['none is recognised', [file('empty')], 1, /^$/],
    ['one of two is recognised', [file('empty'), file('a.json')], 0, /^$/],
    ['one is missing', [file('missing'), file('a.json')], 2, /missing does not exist/],
    ['a pattern fits none', [file('*.none'), file('a.json')], 2, /No file fits .*\*\.none/],
    ['a folder has no files', [file('below'), file('a.json')], 2, /below has no files/],
    ['one is a device without text', ['/dev/zero', file('a.json')], 2, /zero bytes without end/],
  ])('ends so when %s', async (_, files, code, complaint) => {
    const result = await sluicebox(['detect', '--json', ...files]);
    expect(result.code).toBe(code);
    expect(result.err).toMatch(complaint);
    expect(result.lines().at(-1)?.file).toBe(files.at(-1));
  });
});
