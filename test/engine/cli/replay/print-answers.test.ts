import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Output } from '../../../../engine/cli/output.ts';
import { JsonAnswers, TextAnswers, type AnswerPrinter } from '../../../../engine/cli/replay/print-answers.ts';
import type { LatestPayloads } from '../../../../engine/outputs/latest-payloads.ts';

const GRAPH = {
  ...{ plugin: 'p', title: 'g', time: 60_000, rowMs: 60_000, annotations: [] },
  columns: [
    { name: 'a', unit: 'count', aggregation: 'sum', values: Float64Array.of(NaN, 1, NaN, 2.5, NaN) },
    { name: 'b', unit: 's', aggregation: 'avg', values: Float64Array.of(NaN, NaN, NaN, 1 / 3, NaN) },
  ],
};
const ITEMS = Array.from({ length: 22 }, (_, i) => ({ item: `i${i}`, weight: 22 - i, share: 0.25 }));
const PAYLOADS = {
  graphs: () => [GRAPH],
  items: () => [{ plugin: 'p', variable: 'v', part: 'h', items: ITEMS }],
  others: () => [
    { plugin: 'p', name: 'p', type: 'txt', payload: 'x\u001b\n' },
    { plugin: 'p', name: '', type: 'txt', payload: 'y' },
  ],
} as unknown as LatestPayloads;
const NONE = { graphs: () => [], items: () => [], others: () => [] } as unknown as LatestPayloads;

async function printed(make: (out: Output) => AnswerPrinter, payloads = PAYLOADS): Promise<string[]> {
  const stream = new PassThrough();
  const out = new Output(stream);
  const printer = make(out);
  printer.alert({ plugin: 'p', timeNs: 1_500_000_000n, text: 'too\nmany' });
  await printer.end(payloads);
  await out.flush();
  return String(stream.read()).split('\n').slice(0, -1);
}

describe('as text', () => {
  it('graphs are tables without empty rows around, lists are cut, and texts are as they are', async () => {
    const lines = await printed((out) => new TextAnswers(out));
    expect(lines[0]).toMatch(/^1970-01-01T00:00:01\.500Z ALERT p: too/);
    expect(lines.slice(1, 7)).toEqual([
      '',
      'p: g',
      'time                  a (count)     b (s)',
      '1970-01-01T00:02:00Z          1',
      '1970-01-01T00:03:00Z',
      '1970-01-01T00:04:00Z        2.5  0.333333',
    ]);
    expect(lines.slice(7, 11)).toEqual(['', 'p: v of h', 'item          weight   share', 'i0                22  25.0 %']);
    expect(lines[30]).toBe('… and 2 more');
    expect(lines.slice(31, 33)).toEqual(['', 'p']);
    expect(lines[33]).not.toContain('\u001b');
    expect(lines.slice(34)).toEqual(['', 'p: txt', 'y']);
  });

  it('an alert is all there is', async () => expect(await printed((out) => new TextAnswers(out), NONE)).toHaveLength(1));
});

describe('as JSON', () => {
  it('each answer is an object', async () => {
    const lines = await printed((out) => new JsonAnswers(out));
    const [alert, graph, items, ...texts] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(alert).toEqual({ filter: 'p', kind: 'alert', time: '1970-01-01T00:00:01.500Z', text: 'too\nmany' });
    expect(graph).toMatchObject({ filter: 'p', kind: 'graph', name: 'g', time: '1970-01-01T00:01:00Z', secondsPerRow: 60 });
    expect(graph?.['columns']).toMatchObject([{ name: 'a', values: [null, 1, null, 2.5, null] }, { name: 'b' }]);
    expect(items).toMatchObject({ kind: 'items', variable: 'v', part: 'h' });
    expect((items?.['items'] as unknown[])[21]).toEqual({ item: 'i21', weight: 1 });
    expect(texts).toEqual([
      { filter: 'p', kind: 'text', name: 'p', type: 'txt', text: 'x\u001b\n' },
      { filter: 'p', kind: 'text', name: '', type: 'txt', text: 'y' },
    ]);
    expect(lines.join('')).not.toContain('\u001b');
  });
});
