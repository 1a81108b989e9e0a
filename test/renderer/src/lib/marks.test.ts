import { expect, it } from 'vitest';
import type { Mark } from '../../../../engine/api/types.ts';
import { marksText } from '../../../../renderer/src/lib/marks.ts';

it('writes marks as lines, with their notes', () => {
  const mark: Mark = { key: 1, record: 3, label: 'a.log', time: 0, text: 'boom', note: '' };
  expect(marksText([mark, { ...mark, key: 2, time: 1000, note: 'here' }], 'utc')).toBe(
    '1970-01-01 00:00:00.000  a.log  boom\n1970-01-01 00:00:01.000  a.log  boom — here\n',
  );
});
