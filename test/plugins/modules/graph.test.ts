import { expect, test, vi } from 'vitest';
import { add } from '../../../plugins/modules/annotation.ts';
import { parse_config } from '../../../plugins/modules/anomaly.ts';
import { injectGraph, makeGraph } from '../../../plugins/modules/graph.ts';

const OUTPUT = 64_512;
const [ROWS, COLUMNS, START] = [1440, 6, 1_614_949_680];

test.each([
  ['many bytes', 'メモリ不足のため停止しました'],
  ['many characters', 'restarted because of its memory '.repeat(20)],
])('a large graph goes out with annotations of %s', (_title, text) => {
  const outputs: string[] = [];
  vi.stubGlobal('inject_payload', (_type: string, _name: string, payload: string) => {
    if (Buffer.byteLength(payload) > OUTPUT) throw new RangeError('exceeded output_limit');
    outputs.push(payload);
  });
  const columns = Array.from({ length: COLUMNS }, (_, i) => [`c${i}`] as const);
  const graph = makeGraph(text, ROWS, 60, columns);
  for (let row = 0; row < ROWS; row++) {
    for (let column = 1; column <= COLUMNS; column++) graph.set((START + row * 60) * 1e9, column, 1 / 3);
  }
  for (let i = 0; i < 300; i++) add(text, (START + i * 60) * 1e9, 1, 'A', `${text} ${i}`);
  injectGraph((START + ROWS * 60 - 60) * 1e9, text, graph, parse_config('roc("another", 1, 2, 0, 2, true, false)'));

  const [line = '', , ...rows] = (outputs[0] ?? '').trimEnd().split('\n');
  const { annotations } = JSON.parse(line) as { annotations: { text: string }[] };
  expect(annotations.length).toBeGreaterThan(50);
  expect(annotations.at(-1)?.text).toBe(`${text} 299`);
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.at(-1)).toBe(Array.from({ length: COLUMNS }, () => '0.33333333').join('\t'));
});
