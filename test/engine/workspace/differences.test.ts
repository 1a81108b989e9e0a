import { expect, it } from 'vitest';
import { startSandboxes } from '../../../engine/plugins/starter.ts';
import { until } from '../../until.ts';
import { Engine } from './engine-fixture.ts';

const lines = (code: (i: number) => number): string =>
  Array.from(
    { length: 600 },
    (_, i) => `${JSON.stringify({ time: new Date(Date.UTC(2026, 0, 1) + i * 1000).toISOString(), code: code(i) })}\n`,
  ).join('');

it('a window compares two sources, and learns how far that is', async () => {
  const engine = new Engine(undefined, startSandboxes());
  try {
    await engine.open(
      engine.file(
        'a.json',
        lines(() => 200),
      ),
    );
    await engine.open(
      engine.file(
        'b.json',
        lines((i) => (i % 3 === 0 ? 500 : 200)),
      ),
    );
    await until(async () => {
      const { sources } = await engine.ask('engine.state', {});
      return sources.every(({ state, records }) => state === 'following' && records === 600);
    }, 'both files');
    const sides = { a: { sources: [1] }, b: { sources: [2] }, without: [] };
    let answer = await engine.ask('records.compare', sides);
    while (!answer.complete) answer = await engine.ask('records.compare', sides);
    expect(answer.rows.map(({ text, filter }) => [text, filter])).toEqual([
      ['new: code 500: none of A, 33.3 % of B', 'Fields[code] == 500'],
    ]);
    expect([answer.a.records, answer.b.records, answer.done]).toEqual([600, 600, 1]);
  } finally {
    await engine.workspace.stop();
  }
});
