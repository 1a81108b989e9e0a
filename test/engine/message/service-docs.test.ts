import { expect, it } from 'vitest';
import { SERVICE_MESSAGES, serviceChapter } from '../../../engine/message/service-docs.ts';

it('has a row for each message, with its fields', () => {
  const rows = serviceChapter()
    .split('\n')
    .filter((line) => line.startsWith('| `svc.'));
  expect(rows).toHaveLength(SERVICE_MESSAGES.length);
  expect(rows.map((row) => /`(.+?)`/.exec(row)?.[1])).toEqual(SERVICE_MESSAGES.map(({ type }) => type));
  expect(rows[1]).toContain('`HeapSys` (integer, B), `HeapAlloc` (integer, B)');
  expect(rows[2]).toContain('`plugin` (text)');
});

it('begins as a chapter', () => expect(serviceChapter()).toMatch(/^\n## Messages of the service\n/));
