import { expect, test } from 'vitest';
import { areWords } from '../../../../plugins/lib/syslog/usual_line.ts';

test.each([
  ['Failed password for root', true],
  ['session opened for user root', true],
  ['4B5C61234: to=<a@example.org>', true],
  ['1500ms later', true],
  ['32345678', true],
  ['12345678', false],
  ['00000017 done', true],
  ['Mar 05 13:07:59 x', false],
  ['ERROR no route', false],
  ['I, [2021-03-05', false],
  ['{"a":1}', false],
  ['level=info msg=x', false],
  ['npm warn deprecated', false],
  ['2021-03-05 13:07:59 x', false],
  ['13:07:59 INFO x', false],
  ['20210305 13:07:59 x', false],
  ['1614949679.250 x', false],
  ['12 May 2021 x', false],
  ['17 queued [05/Mar', false],
  ['a', false],
])('%s is certainly words: %s', (text, is) => {
  expect(areWords(Buffer.from(`<${text}>`), 1, text.length + 1)).toBe(is);
});
