import { describe, expect, it } from 'vitest';
import { SourceStatus } from '../../../../engine/workspace/sources/status.ts';

describe('the status of a source', () => {
  const make = (): SourceStatus =>
    new SourceStatus({ kind: 'file', label: 'a.log*' }, { changed: () => undefined, notice: () => undefined });
  const heard = (status: SourceStatus, ...texts: string[]): string | null => {
    for (const text of texts) status.hear({ level: 'error', code: 'file.binary', text });
    return status.info().problem;
  };

  it.each([
    [[], null],
    [['a'], 'a'],
    [['a', 'b'], 'b (and 1 more, see Alerts)'],
    [['a', 'b', 'a'], 'a (and 1 more, see Alerts)'],
    [['a', 'b', 'c'], 'c (and 2 more, see Alerts)'],
  ])('after the errors %j of its files its problem is %j', (texts, problem) => expect(heard(make(), ...texts)).toBe(problem));

  it('forgets errors when it is started again', () => {
    const status = make();
    heard(status, 'a', 'b');
    status.mended();
    expect(status.info().problem).toBeNull();
    expect(heard(status, 'c')).toBe('c');
  });
});
