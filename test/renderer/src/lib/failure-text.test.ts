import { expect, it } from 'vitest';
import { failureText, fieldText, flawText } from '../../../../renderer/src/lib/failure-text.ts';

it.each([
  ['inject: exceeded output_limit of 64512', 'the message would be larger than 64.5 kB, the output limit of the decoder'],
  ['neither a priority nor a date', 'neither a priority nor a date'],
  ['a \u202etrick', 'a \\u202etrick'],
])('%j is told as %j', (reason, text) => expect(failureText(reason)).toBe(text));

it.each([
  ['decode_error', 'inject: exceeded output_limit of 64512', failureText('inject: exceeded output_limit of 64512')],
  ['message', 'inject: exceeded output_limit of 64512', 'inject: exceeded output_limit of 64512'],
  ['message', 'a \u202etrick', 'a \\u202etrick'],
])('the field %s with %j is shown as %j', (name, value, text) => expect(fieldText(name, value)).toBe(text));

it.each([
  [{ failure: null }, null],
  [{ failure: 'no JSON object' }, 'Not decoded: no JSON object'],
  [{ failure: null, incomplete: 'cut at 1 MiB' }, 'Incomplete: cut at 1 MiB'],
])('the flaw of %j is told as %j', (row, text) => expect(flawText(row)).toBe(text));
