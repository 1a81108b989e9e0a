import { expect, it } from 'vitest';
import type { FilterSection } from '../../../../../engine/api/types.ts';
import { fieldsOfSection, newFields, readFields } from '../../../../../renderer/src/views/scripts/filter-form.ts';

it('gives settings back as they were that the script does not declare', () => {
  const filter: FilterSection = {
    name: 'mine',
    script: 'scripts/mine.ts',
    bundled: false,
    matcher: 'TRUE',
    ticker: 5,
    config: { rows: 1440, tiny: 1e-7, huge: 1e21, below: -0.5, on: true, text: 'a "b" = c', digits: '12', word: 'true' },
    inputs: null,
    limits: { memory: 1, instructions: 2, output: 3 },
  };
  expect(readFields(fieldsOfSection(filter, null), null)).toEqual({ ok: true, filter });
});

it.each([
  [true, '60'],
  [false, '0'],
])('a new filter is ticked only if its script can be: %j', (ticks, ticker) => {
  const about = { script: '/scripts/mine.ts', summary: '', parameters: null, ticks };
  expect(newFields(about, false, null, ['mine'])).toMatchObject({ name: 'mine_2', ticker });
});
