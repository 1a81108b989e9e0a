import { describe, expect, it } from 'vitest';
import { classAtEnd, HeaderGroups } from '../../../../plugins/lib/header/header_groups.ts';

const defined = (groups: Record<string, string | undefined>): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(groups).filter(([, value]) => value !== undefined));

describe('HeaderGroups', () => {
  const groups = new HeaderGroups({ smallLevels: false });

  it.each<[found: Record<string, string>, completed: Record<string, string>]>([
    [{ message: 'words' }, { message: 'words' }],
    [{ message: 'INFO open' }, { level: '6', message: 'open' }],
    [{ message: '[main] WARN org.example.Shop - late' }, { level: '4', thread: 'main', logger: 'org.example.Shop', message: 'late' }],
    [
      { level: 'x', logger: 'y', message: 'INFO open' },
      { level: 'x', logger: 'y', message: 'INFO open' },
    ],
    [
      { level: 'x', message: '[main] org.example.Shop - late' },
      { level: 'x', thread: 'main', logger: 'org.example.Shop', message: 'late' },
    ],
    [
      { time: 't', message: 'box1 shop[7]: open' },
      { time: 't', hostname: 'box1', logger: 'shop', process: '7', message: 'open' },
    ],
    [
      { message: 'started (kafka.server.KafkaServer)' },
      { logger: 'kafka.server.KafkaServer', message: 'started (kafka.server.KafkaServer)' },
    ],
    [{ message: 'fail: Shop.Till[3]\nno' }, { level: '3', logger: 'Shop.Till', event_id: '3', message: 'no' }],
    [{}, { message: '' }],
  ])('%j', (found, completed) => expect(defined(groups.completed(found))).toEqual(completed));

  it('has levels in small letters where these are allowed', () => {
    const small = new HeaderGroups({ smallLevels: true });
    expect(small.completed({ message: 'error no' })['level']).toBe('3');
    expect(groups.completed({ message: 'error no' })['level']).toBeUndefined();
  });
});

describe('classAtEnd', () => {
  it.each<[words: string, name: string | undefined]>([
    ['x (a.b.C)', 'a.b.C'],
    ['x (a.b.C) ', undefined],
    ['x (C)', undefined],
    ['x (a b.C)', undefined],
    [`(a.${'b'.repeat(200)})`, undefined],
    ['', undefined],
  ])('%j', (words, name) => expect(classAtEnd(words, words.length)).toBe(name));
});
