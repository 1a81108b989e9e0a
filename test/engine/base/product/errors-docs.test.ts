import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { expect, it } from 'vitest';
import { ENDS } from '../../../../engine/api/ends.ts';
import { ERRORS } from '../../../../engine/api/errors.ts';
import { errorsPage } from '../../../../engine/base/product/errors-docs.ts';

const file = join(import.meta.dirname, '../../../../docs/errors.md');

it('is what the catalogues say (else: npm run docs)', async () => {
  const page = await format(errorsPage(), { ...(await resolveConfig(file)), filepath: file });
  expect(await readFile(file, 'utf8')).toBe(page);
});

it('has a row for each code', () => {
  for (const code of [...Object.keys(ENDS), ...Object.keys(ERRORS)]) expect(errorsPage()).toContain(`| \`${code}\` `);
});
