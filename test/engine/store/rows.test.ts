import { afterEach, describe, expect, test } from 'vitest';
import { recordDetail, recordRows } from '../../../engine/store/rows.ts';
import { append, StoreBench } from './fixtures.ts';

const bench = new StoreBench();
const setUp = (): ReturnType<StoreBench['setUp']> => bench.setUp();
afterEach(() => bench.close());

describe('recordRows', () => {
  test.each([
    ['plain text', 'a [31m b', 'a [31m b'],
    ['colours of a terminal', '\u001b[1;31mred\u001b[0m and \u001b[38;2;1;2;3mother\u001b[m', 'red and other'],
    ['moves of the cursor', 'a\u001b[2K\u001b[1Gb', 'ab'],
    ['an escape that is none of these', 'a\u001bb', 'a\u001bb'],
  ])('leaves out what is for terminals: %s', async (_what, text, shown) => {
    const { store, view } = setUp();
    await append(store, [{ at: 1, text }]);
    const page = await view().page(0, 1);
    expect(recordRows(page, []).map((row) => row.text)).toEqual([shown]);
    // Rows that were read are kept.
    expect(page.map((row) => recordDetail(row).raw)).toEqual([text]);
  });
});
