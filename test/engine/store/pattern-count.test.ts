import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LogPatterns, RecordQuery } from '../../../engine/api/types.ts';
import { startSandboxes } from '../../../engine/plugins/starter.ts';
import { patternCondition, patternSource } from '../../../engine/api/filter/pattern-source.ts';
import { until } from '../../until.ts';
import { Engine } from '../workspace/engine-fixture.ts';

const LOGINS = Array.from(
  { length: 40 },
  (_, i) =>
    `Mar  5 13:${String(i).padStart(2, '0')}:00 box1 sshd[${100 + i}]: Accepted publickey for ${i % 2 === 0 ? 'alice' : 'bob'} from 192.0.2.${i} port ${4000 + i} ssh2\n`,
);
const LATE = Array.from({ length: 5 }, (_, i) => `Mar  5 13:5${i}:00 box1 sshd[9]: Connection closed by 192.0.2.${i}\n`);

/** Of 30 requests, one in three is a POST. */
const REQUESTS = Array.from(
  { length: 30 },
  (_, i) =>
    `192.0.2.${i} - - [05/Mar/2021:13:${10 + i}:00 +0000] "${i % 3 === 0 ? 'POST /cart' : `GET /products/${100 + i}?page=${i}`} HTTP/1.1" 200 ${i} "-" "curl/8.10.1"\n`,
);

describe('the patterns of a view', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = new Engine(undefined, startSandboxes());
    await engine.open(engine.file('auth.log', [...LOGINS, ...LATE].join('')));
    await engine.open(engine.file('words.txt', 'alpha beta\nalpha beta\n'));
    await engine.open(engine.file('access.log', REQUESTS.join('')));
    await engine.open(engine.file('codes.json', '{"code":200}\n{"code":404}\n{"code":500}\n'));
    const read = async (): Promise<boolean> => {
      const { sources } = await engine.ask('engine.state', {});
      return sources.every(({ state, records }) => state === 'following' && records > 0);
    };
    await until(read, 'all files');
  });
  afterAll(() => engine.workspace.stop());

  async function patterns(query: RecordQuery = {}, variable?: string): Promise<LogPatterns> {
    const { view } = await engine.ask('view.open', { query });
    let found = await engine.ask('view.patterns', { view, limit: 100, variable });
    while (!found.complete) found = await engine.ask('view.patterns', { view, limit: 100, variable });
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

  it('are of what records say: their texts, else the field that tells most, else the lines as they were read', async () => {
    const found = (await patterns()).patterns.map(({ variable, count }) => [variable, count]);
    expect(found).toEqual([
      ['Payload', 40],
      ['Fields[request]', 20],
      ['Fields[request]', 10],
      ['Payload', 5],
      [null, 3],
      ['Payload', 2],
    ]);
  });

  it('select their records again, values by a matcher and raw lines by their text', async () => {
    const { patterns: lines } = await patterns();
    expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
    for (const { text, count, variable } of lines) {
      const query = variable === null ? { text: patternSource(text), regex: true } : { matcher: patternCondition(text, variable) };
      expect((await engine.rows(query)).total, text).toBe(count);
    }
  });

  it('are those of the values of a field, whose records they select again', async () => {
    const { patterns: lines, missing, records } = await patterns({ sources: [1, 3] }, 'Fields[request]');
    expect({ records, missing }).toEqual({ records: 75, missing: 45 });
    expect(lines.map(({ text, count, example }) => [text, count, example])).toEqual([
      ['GET /products/<num>?page=<num> HTTP/<num>', 20, 'GET /products/101?page=1 HTTP/1.1'],
      ['POST /cart HTTP/<num>', 10, 'POST /cart HTTP/1.1'],
    ]);
    for (const { text, count } of lines)
      expect((await engine.rows({ matcher: patternCondition(text, 'Fields[request]') })).total, text).toBe(count);
  });

  it('begin anew when another variable is asked for', async () => {
    const { view } = await engine.ask('view.open', { query: { sources: [3] } });
    await engine.ask('view.patterns', { view, limit: 10 });
    const { patterns: lines } = await engine.ask('view.patterns', { view, limit: 10, variable: 'Fields[http_user_agent]' });
    expect(lines.map(({ text }) => text)).toEqual(['curl/<num>']);
  });
});
