import { utimesSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LevelSieve } from '../../../../engine/cli/view/level-sieve.ts';
import { lineChunk } from '../../../../engine/cli/message-source.ts';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { textAt } from '../../../../engine/message/batch/batch.ts';
import { findPlugin } from '../../../../engine/plugins/catalog.ts';
import { fileOf, sluicebox } from '../run-cli.ts';

const JSON_LINES = findPlugin('decoder', 'json_lines');
const LAST = '{"level":"info"}';

/** The lines that are to be decoded, but for the last one. */
function wanted(lines: readonly string[], config: Record<string, string> = {}): readonly string[] {
  const sieve = LevelSieve.of([JSON_LINES, config], 3);
  if (sieve === null) return lines;
  const batch = batchOf([...lines, LAST].map((payload) => ({ uuid: new Uint8Array(16), timestamp: 1n, payload, fields: [] })));
  const chunk = lineChunk({ batch, firstLine: 1, source: 'a', acknowledge: () => undefined });
  const { batch: found } = sieve.wanted(chunk) ?? chunk;
  return Array.from({ length: found.length - 1 }, (_, row) => textAt(found.payload, row) as string);
}

const LESS = [
  '{"level":"info","msg":"ok"}',
  '{"time":"2026-11-20T10:00:00Z","level":"WARN","msg":"Request was slow","took":12.5,"tags":["a",{"level":"error"}]}',
  ' {"level":"info"}'.trim(),
  '{ "level" : "Notice" , "n" : null } ',
  '{"level":"info","message":"took 12 ms at 10:00","user":{"name":"x","level":"error"}}',
  '{"severity":"debug","msg":"a","error":"failed: ERROR [1] level=error \\"x\\""}',
];
const LEFT = [
  '{"level":"error","msg":"x"}',
  '{"level":"fatal"}',
  '{"level":30,"msg":"x"}',
  '{"msg":"no level"}',
  '{"level":"info","level":"error"}',
  '{"level":"info","severity":"error"}',
  '{"level":"info","lev\\u0065l":"error"}',
  '{"level":"info","log":{"level":"error"}}',
  '{"level":{"name":"info"}}',
  '{"level":"info","msg":"level=error msg=x"}',
  '{"level":"info","msg":"{\\"level\\":\\"error\\"}"}',
  '{"level":"info","log":"2026-11-20 10:00:00 ERROR x"}',
  '{"level":"info","msg":"Nov 20 10:00:00 host app: error"}',
  '{"level":"info","msg":"E1120 10:00:00.1 1 a.go:1] x"}',
  '{"level":"info","msg":"npm ERR! x"}',
  '{"level":"info","msg":12}',
  '{"level":"info","msg":"x"',
  '{"level":"info","msg":"x"} trailing',
  '{"level":"info",}',
  'app {"level":"info"}',
  'ERROR x',
  '',
];

describe('LevelSieve', () => {
  it('leaves out records that are sure to be less bad', () => expect(wanted([...LESS, ...LEFT])).toEqual(LEFT));

  it('knows the names that the decoder was given', () => {
    const lines = ['{"s":"info","text":"x"}', '{"level":"info","text":"x"}', '{"s":"info","text":"a=b"}'];
    expect(wanted(lines, { severity_field: 's', message_field: 'text' })).toEqual(lines.slice(1));
  });

  it.each<Record<string, string>>([{ time_field: 'at' }, { tz: 'Europe/Berlin' }, { records: 'objects' }])('is not for %o', (config) =>
    expect(LevelSieve.of([JSON_LINES, config], 3)).toBeNull(),
  );

  it('changes nothing of what is shown', async () => {
    const timed = [...LESS, ...LEFT].map((line, at) =>
      line.replace(/^\{(?=")/, `{"ts":"2026-11-20T10:00:${String(at).padStart(2, '0')}Z",`),
    );
    const clean = timed.filter((line) => line.endsWith('}') && line.startsWith('{"ts'));
    for (const lines of [
      clean.flatMap((line) => Array.from({ length: 40 }, () => line)),
      [...timed, ...timed],
      [...LESS, ...LEFT, ...LESS],
    ]) {
      const file = fileOf('sieved.log', `${[...clean, ...clean, ...lines].join('\n')}\n`);
      utimesSync(file, 1_700_000_000, 1_700_000_000);
      const [sieved, all] = await Promise.all([
        sluicebox(['view', '-l', 'error', '--json', file]),
        sluicebox(['view', '-w', 'Severity <= 3 && Severity >= 0', '--json', file]),
      ]);
      const plain = (found: Record<string, unknown>[]): unknown[] => found.map((one) => ({ ...one, Uuid: '' }));
      expect(plain(sieved.lines())).toEqual(plain(all.lines()));
      expect(sieved.lines().length).toBeGreaterThan(10);
    }
  });
});
