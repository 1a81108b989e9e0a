import { escapePattern } from './expression.ts';
import { failing, passing, presence, type ValueTest } from './value-test.ts';

/** A test of a text of a record, for a variable that may hold it. */
export type TextTest = (variable: string) => ValueTest;

const PAYLOAD = 'Payload';
const MESSAGE = 'Fields[message]';
/** Each text of a record: its Payload, and the texts of its fields. */
const ANY_TEXT = '*';

/** The test by a regular expression, with its slashes. */
export const patternTest =
  (pattern: string): TextTest =>
  (variable) => ({ string: { is: `${variable} =~ ${pattern}`, isNot: `${variable} !~ ${pattern}` } });

/** The test by a text that is found anywhere, capital and small letters alike. */
export const containsTest = (text: string): TextTest => patternTest(`/(?i)${escapePattern(text)}/`);

/** The expression for the records of which some text is found by a pattern, or none. */
export function anyText(test: TextTest, isFound: boolean): string {
  const { string } = test(ANY_TEXT);
  return (isFound ? string?.is : string?.isNot) ?? '';
}

/** The expression for the records whose text passes one of the tests. */
export const passingText = (tests: readonly TextTest[]): string =>
  passing([PAYLOAD, MESSAGE].flatMap((variable) => tests.map((test) => test(variable))));

/** The expression for the records whose text passes none of the tests. */
export function failingText(tests: readonly TextTest[]): string {
  const of = (variable: string, type: 'string' | 'mixed'): string =>
    failing(
      variable,
      type,
      tests.map((test) => test(variable)),
    );
  return `(${of(PAYLOAD, 'string')} && ${of(MESSAGE, 'mixed')})`;
}

/** The expression for the records that have a text, or have none. */
export function textPresence(isThere: boolean): string {
  const [relation, connective] = isThere ? ['!=', '||'] : ['==', '&&'];
  return `(${PAYLOAD} ${relation} '' ${connective} ${presence(MESSAGE, isThere)})`;
}

/** The text in quotes, as the language reads it. */
export const unquoted = (quoted: string): string => {
  const mark = quoted.charAt(0);
  return quoted.slice(1, -1).replaceAll(`\\${mark}`, mark);
};
