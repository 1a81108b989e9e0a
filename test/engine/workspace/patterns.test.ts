import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LogPatterns, RecordQuery } from '../../../engine/api/types.ts';
import { startSandboxes } from '../../../engine/plugins/starter.ts';
import { patternCondition, patternSource } from '../../../renderer/src/views/patterns/pattern-facts.ts';
import { until } from '../../until.ts';
import { Engine } from './engine-fixture.ts';

const LOGINS = Array.from(
  { length: 40 },
  (_, i) =>
    `Mar  5 13:${String(i).padStart(2, '0')}:00 box1 sshd[${100 + i}]: Accepted publickey for ${i % 2 === 0 ? 'alice' : 'bob'} from 192.0.2.${i} port ${4000 + i} ssh2\n`,
);
const LATE = Array.from({ length: 5 }, (_, i) => `Mar  5 13:5${i}:00 box1 sshd[9]: Connection closed by 192.0.2.${i}\n`);

describe('the patterns of a view', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = new Engine(undefined, startSandboxes());
    await engine.open(engine.file('auth.log', [...LOGINS, ...LATE].join('')));
    await engine.open(engine.file('words.txt', 'alpha beta\nalpha beta\n'));
    const read = async (): Promise<boolean> => {
      const { sources } = await engine.ask('engine.state', {});
      return sources.every(({ state, records }) => state === 'following' && records > 0);
    };
    await until(read, 'both files');
  });
  afterAll(() => engine.workspace.stop());

  async function patterns(query: RecordQuery = {}): Promise<LogPatterns> {
    const { view } = await engine.ask('view.open', { query });
    let found = await engine.ask('view.patterns', { view, limit: 100 });
    while (!found.complete) found = await engine.ask('view.patterns', { view, limit: 100 });
    await engine.ask('view.close', { view });
    return found;
  }

  it('have counts, times and their share of each part of the time', async () => {
    const { patterns: lines, records, total, distinct, forgotten, from, to } = await patterns({ sources: [1] });
    expect({ records, total, distinct, forgotten }).toEqual({ records: 45, total: 45, distinct: 2, forgotten: 0 });
    expect(lines.map(({ text, count }) => [text, count])).toEqual([
      ['Accepted publickey for <*> from <ip> port <num> ssh2', 40],
      ['Connection closed by <ip>', 5],
    ]);
    expect(to - from).toBe(54 * 60_000);
    expect(lines[1]?.first).toBe(to - 4 * 60_000);
    expect(lines[1]?.last).toBe(to);
    for (const { count, counts } of lines) expect([counts.length, counts.reduce((sum, one) => sum + one, 0)]).toEqual([48, count]);
    expect(lines[1]?.counts.slice(0, 40).every((one) => one === 0)).toBe(true);
    expect(lines[1]?.example).toBe('Connection closed by 192.0.2.0');
  });

  it('are those of the records that the filter shows', async () => {
    expect((await patterns({ text: 'bob' })).patterns.map(({ text, count }) => [text, count])).toEqual([
      ['Accepted publickey for bob from <ip> port <num> ssh2', 20],
    ]);
    expect((await patterns({ text: 'nobody' })).patterns).toEqual([]);
  });

  it('select their records again, payloads by a matcher and raw lines by their text', async () => {
    for (const { text, count, payload } of (await patterns()).patterns) {
      const query = payload ? { matcher: patternCondition(text) } : { text: patternSource(text), regex: true };
      expect((await engine.rows(query)).total, text).toBe(count);
    }
  });
});
