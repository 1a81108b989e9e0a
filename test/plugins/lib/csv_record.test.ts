import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CsvRecord } from '../../../plugins/lib/csv_record.ts';

/** The values of a record, or why it is none. What stands around it is not read. */
function read(record: string, delimiter = ',', reader = new CsvRecord(delimiter)): string[] | string {
  const text = `"x,${record}",y`;
  if (!reader.read(text, 3, 3 + record.length)) return reader.error;
  return Array.from({ length: reader.count }, (_, i) => reader.value(text, i));
}

it.each<[string, string[] | string]>([
  ['', ['']],
  ['a,,b', ['a', '', 'b']],
  ['a,', ['a', '']],
  ['"a,b","c\nd"', ['a,b', 'c\nd']],
  ['"a ""b"" c",d', ['a "b" c', 'd']],
  ['a "b",c', ['a "b"', 'c']],
  ['""', ['']],
  ['"a', 'a quote that does not end'],
  ['"a"b', 'text behind a closing quote'],
])('%j', (record, values) => expect(read(record)).toEqual(values));

it.each(['', 'ab', '"', '\n'])('%j is no delimiter', (delimiter) => {
  expect(() => new CsvRecord(delimiter)).toThrow(TypeError);
});

it('reads back what was written, whatever records came before', () => {
  const value = fc.string({ unit: fc.constantFrom('a', '"', ';', '\n', ' ', 'é'), maxLength: 6 });
  const reader = new CsvRecord(';');
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 6 }), (values) => {
      const record = values.map((text) => `"${text.replaceAll('"', '""')}"`).join(';');
      expect(read(record, ';', reader)).toEqual(values);
    }),
  );
});
