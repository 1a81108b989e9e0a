import { expect, it } from 'vitest';
import { INTS, OPTIONAL_HEADERS } from '../../../engine/api/headers.ts';
import { HEADERS, NUMBER_HEADERS } from '../../../plugins/base/headers.ts';

it('are the headers of the table, which scripts cannot import', () => {
  expect(HEADERS).toEqual(OPTIONAL_HEADERS.map(({ name }) => name));
  expect(NUMBER_HEADERS).toEqual(INTS.map(({ name }) => name));
});
