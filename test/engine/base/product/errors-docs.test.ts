import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { describe, expect, it } from 'vitest';
import { ENDS } from '../../../../engine/api/ends.ts';
import { ERRORS } from '../../../../engine/api/errors.ts';
import { NOTICES } from '../../../../engine/api/notices.ts';
import { errorsPage } from '../../../../engine/base/product/errors-docs.ts';
import { noticesPage } from '../../../../engine/base/product/notices-docs.ts';

const docs = join(import.meta.dirname, '../../../../docs');

describe.each([
  { name: 'errors.md', printed: errorsPage(), catalogues: [ENDS, ERRORS] },
  { name: 'notices.md', printed: noticesPage(), catalogues: [NOTICES] },
])('the page $name', ({ name, printed, catalogues }) => {
  it('is what the catalogues say (else: npm run docs)', async () => {
    const file = join(docs, name);
    const page = await format(printed, { ...(await resolveConfig(file)), filepath: file });
    expect(await readFile(file, 'utf8')).toBe(page);
  });

  it('has a row for each code', () => {
    for (const code of catalogues.flatMap((catalogue) => Object.keys(catalogue))) expect(printed).toContain(`| \`${code}\` `);
  });
});
