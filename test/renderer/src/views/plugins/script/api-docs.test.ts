import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  fieldsOfSection,
  newFields,
  readFields,
  USUAL_MATCHER,
  type FilterFields,
} from '../../../../../../renderer/src/views/plugins/filter-form.ts';
import { apiEntries, uniqueEntries } from '../../../../../../renderer/src/views/plugins/script/api-docs.ts';
import type { FilterSection, ScriptAbout } from '../../../../../../engine/api/types.ts';

describe('what the editor knows of the scripts’ interface', () => {
  const text = readFileSync(resolve(import.meta.dirname, '../../../../../../plugins/api.d.ts'), 'utf8');
  const entries = apiEntries(text);

  it('has every declaration, with its comment', () => {
    const declared = [...text.matchAll(/^(?:declare function|interface|type) (\w+)/gm)].map(([, name]) => name);
    expect(entries.filter(({ of }) => of === null).map(({ name }) => name)).toEqual(declared);
    expect(entries.find(({ name }) => name === 'require')).toEqual({
      ...{ name: 'require', kind: 'function', of: null },
      signature: 'function require(name: string): unknown',
      doc: 'Loads a module by name from the module directories, once.',
    });
  });

  it('has their members, also those that are declared over several lines', () => {
    const members = entries.filter(({ of }) => of === 'MessageWriter').map(({ name }) => name);
    expect(members).toEqual(expect.arrayContaining(['slice', 'text', 'payloadSlice', 'inject', 'discard']));
    expect(entries.filter(({ of, name }) => of === 'InjectMessage' && name === 'Fields')).toHaveLength(1);
    expect(entries.find(({ name }) => name === 'write_message')?.signature).toMatch(
      /^function write_message\(\s*name: string, value: .* arrayIndex\?: number,? ?\): void$/,
    );
  });

  it('offers functions that are declared several times once', () => {
    const read = uniqueEntries(entries).filter(({ name }) => name === 'read_message');
    expect(read).toHaveLength(1);
    expect(read[0]?.signature).toContain('fieldIndex');
    expect(read[0]?.doc).toMatch(/^A variable of the current message/);
  });
});

const ABOUT: ScriptAbout = {
  script: 'rate',
  summary: '',
  parameters: [
    { name: 'rows', type: 'uint', summary: '', default: 1440, required: false },
    { name: 'field', type: 'string', summary: '', default: null, required: true },
  ],
};

describe('the form of a filter', () => {
  const fresh = (more: Partial<FilterFields> = {}): FilterFields => ({
    ...newFields(ABOUT, true, null, ['rate']),
    parameters: { rows: '', field: 'status' },
    ...more,
  });

  it('begins with a free name, and with what does not feed the filter itself', () => {
    expect(newFields(ABOUT, true, 'file:/a', ['rate', 'rate_2'])).toMatchObject({
      name: 'rate_3',
      matcher: USUAL_MATCHER,
      inputs: ['file:/a'],
    });
    expect(newFields({ ...ABOUT, script: '/home/me/my filter.ts' }, false, null, []).name).toBe('my_filter');
  });

  it('is read into a section', () => {
    const read = readFields(fresh({ ticker: '1,000', others: 'a = "x y"\nb = 2.5\n\nc = true\nd = plain' }), ABOUT);
    expect(read).toEqual({
      ok: true,
      filter: {
        ...{ name: 'rate_2', script: 'rate', bundled: true, matcher: USUAL_MATCHER, ticker: 1000, inputs: null },
        config: { a: 'x y', b: 2.5, c: true, d: 'plain', field: 'status' },
        limits: { memory: 8_388_608, instructions: 1_000_000, output: 1_048_576 },
      },
    });
  });

  it.each([
    ['no name', { name: ' ' }, 'name'],
    ['a name with a slash', { name: 'a/b' }, 'name'],
    ['no matcher', { matcher: '' }, 'matcher'],
    ['a broken ticker', { ticker: '1.5' }, 'ticker'],
    ['no source', { inputs: [] }, 'inputs'],
    ['a negative limit', { memory: '-1' }, 'limits'],
    ['a parameter that is missing', { parameters: { field: '' } }, 'field'],
    ['a parameter of the wrong kind', { parameters: { field: 'x', rows: '-3' } }, 'rows'],
    ['settings that are none', { others: 'what' }, 'others'],
  ])('says what is wrong with %s', (_what, part, field) => {
    expect(readFields(fresh(part as Partial<FilterFields>), ABOUT)).toMatchObject({ ok: false, field });
  });

  it('keeps everything of a section that is there', () => {
    const section: FilterSection = {
      ...{
        name: 'r',
        script: 'rate',
        bundled: true,
        matcher: 'TRUE',
        ticker: 5,
        inputs: ['net'],
        config: { rows: 10, field: 'x', old: 'a "b"' },
      },
      limits: { memory: 1, instructions: 2, output: 0 },
    };
    expect(readFields(fieldsOfSection(section, ABOUT), ABOUT)).toEqual({ ok: true, filter: section });
    const unknown = { ...ABOUT, parameters: null };
    expect(readFields(fieldsOfSection(section, unknown), unknown)).toEqual({ ok: true, filter: section });
  });
});
