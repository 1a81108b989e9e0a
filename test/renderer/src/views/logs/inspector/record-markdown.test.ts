import { expect, it } from 'vitest';
import type { RecordDetail } from '../../../../../../engine/api/types.ts';
import { recordMarkdown } from '../../../../../../renderer/src/views/logs/inspector/record-markdown.ts';

it('keeps a value in its cell of the table, whatever stands in it', () => {
  const record = {
    ...{ severity: null, pid: null, type: null, logger: null, hostname: null, envVersion: null, uuid: null, timeNs: null },
    raw: 'as ```read',
    fields: [{ name: 'note', type: 'string', representation: null, values: ['a|b\r\nc\rd\ne*'] }],
  } as unknown as RecordDetail;
  expect(recordMarkdown(record, 'x.log', '12:00').split('\n')).toEqual([
    '**12:00** x.log',
    '',
    '| Field | Value |',
    '|---|---|',
    '| note | a\\|b ⏎ c ⏎ d ⏎ e\\* |',
    '',
    '````',
    'as ```read',
    '````',
    '',
  ]);
});
