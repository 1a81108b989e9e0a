import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { shippedList } from '../../../engine/plugins/shipped-list.ts';
import { SHIPPED_LIST } from '../../../engine/base/product/shipped.ts';

it('lists the bundled scripts and modules as they are (else: npm run docs)', async () => {
  expect(await readFile(SHIPPED_LIST, 'utf8')).toBe(shippedList());
});
