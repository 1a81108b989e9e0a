import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prettyJson } from '../../../../../../renderer/src/views/logs/inspector/pretty-json.ts';

const LONG = 'x'.repeat(70);

describe('prettyJson', () => {
  it('lays out what is too long for a line, and leaves what stands around it', () => {
    const source = `{"a":[1,2],"b":{"c":"${LONG}"}}`;
    expect(prettyJson(`got ${source} there`, 4)).toEqual({
      text: `{\n  "a": [1, 2],\n  "b": {\n    "c": "${LONG}"\n  }\n}`,
      end: 4 + source.length,
    });
  });

  it('keeps tokens as they were written', () => {
    const text = prettyJson(String.raw`{"n":12345678901234567890,"n":1.50,"s":"\u00e9}"}`, 0)?.text;
    expect(text).toBe(['{', '  "n": 12345678901234567890,', '  "n": 1.50,', String.raw`  "s": "\u00e9}"`, '}'].join('\n'));
  });

  it.each([
    '',
    '{}',
    '{"a":1}',
    '{         }',
    '{"a":1,}',
    '{"a": "b',
    '[504062.828928]',
    `${'['.repeat(70)}${']'.repeat(70)}`,
    'plain words',
  ])('%j stays', (text) => {
    expect(prettyJson(text, 0)).toBeNull();
  });

  it('is the same value, and the same again', () => {
    const value = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.array(fc.jsonValue(), { minLength: 1 }));
    fc.assert(
      fc.property(value, fc.string({ maxLength: 4 }), (json, rest) => {
        const source = JSON.stringify(json);
        const found = prettyJson(source + rest, 0);
        if (found === null) expect(source).toMatch(/^(?:.{0,7}|\[[^[\]{}",a-z]+(?:e[^,]+)?\])$/s);
        else {
          expect(found.end).toBe(source.length);
          expect(JSON.parse(found.text)).toEqual(JSON.parse(source));
          expect(prettyJson(found.text, 0)?.text).toBe(found.text);
        }
      }),
    );
  });
});
