import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { describe, expect, it } from 'vitest';
import { compileMatcher } from '../../../engine/matcher/matcher.ts';
import { NUMBER_VARIABLES, TEXT_VARIABLES } from '../../../engine/matcher/ast.ts';
import { EXAMPLE, messagePage, SHORT_FORMS, TIMES, VARIABLES } from '../../../engine/message/docs.ts';
import { formatMessage } from '../../../engine/message/json/json-format.ts';
import { parseMessage } from '../../../engine/message/json/json-parse.ts';
import { parseTimestamp } from '../../../engine/message/timestamp.ts';

const file = join(import.meta.dirname, '../../../docs/messages.md');

describe('the reference of messages', () => {
  it('is what the code says (else: npm run docs)', async () => {
    const page = await format(messagePage(), { ...(await resolveConfig(file)), filepath: file });
    expect(await readFile(file, 'utf8')).toBe(page);
  });

  it('lists the variables that matchers know, with what they read where one is unset', () => {
    expect(VARIABLES.map(({ name }) => name).sort()).toEqual([...TEXT_VARIABLES, ...NUMBER_VARIABLES].sort());
    const empty = { uuid: new Uint8Array(16), timestamp: 0n, fields: [] };
    for (const { name, unset } of VARIABLES) {
      const value = unset[0].replaceAll('`', '');
      if (value !== '–') expect(compileMatcher(`${name} == ${value}`).matches(empty)).toBe(true);
    }
  });

  it('has an example that is read as it is printed', () => {
    expect(parseMessage(formatMessage(EXAMPLE))).toEqual(EXAMPLE);
  });

  it.each(SHORT_FORMS)('has a short form that is read: %s', (line) => {
    expect(Object.keys(parseMessage(line)).length).toBeGreaterThan(2);
  });

  it.each(TIMES)('has a time that is read: %s', (time) => expect(parseTimestamp(time)).not.toBeNull());
});
