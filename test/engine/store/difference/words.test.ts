import { expect, it } from 'vitest';
import { ValueType } from '../../../../engine/message/types.ts';
import { FieldCodes } from '../../../../engine/store/difference/field-codes.ts';
import { filterOf, nameOf } from '../../../../engine/store/difference/words.ts';

const one = { codes: [0], pattern: null };

it.each([
  ['host', false, 'web3', 'host web3', "Fields[host] == 'web3'"],
  ['host', false, '', 'host (empty)', "Fields[host] == ''"],
  ['Type', true, 'a', 'Type a', "Type == 'a'"],
  ['odd]', false, 'a', 'odd] a', null],
  ['Payload', true, 'took 17 ms', '“took <*> ms”', 'Payload =~ /^[\\x00-\\x20]*took[\\x00-\\x20]+[^\\x00-\\x20]+[\\x00-\\x20]+ms/'],
])('a text of %s (header: %j) %j is told as %s', (name, isHeader, text, told, filter) => {
  const field = new FieldCodes(name, isHeader, ValueType.STRING);
  field.codeOfText(text);
  expect([nameOf(field, one), filterOf(field, one)]).toEqual([told, filter]);
});

it.each([
  ['status', false, 502, 'status 502', 'Fields[status] == 502'],
  ['Severity', true, 3, 'level Error', 'Severity == 3'],
  ['n', false, -1, 'n -1', null],
])('a number of %s (header: %j) %j is told as %s', (name, isHeader, value, told, filter) => {
  const field = new FieldCodes(name, isHeader, ValueType.DOUBLE);
  field.codeOfNumber(value);
  expect([nameOf(field, one), filterOf(field, one)]).toEqual([told, filter]);
});
