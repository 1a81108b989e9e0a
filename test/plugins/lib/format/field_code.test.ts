import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ClfDate } from '../../../../plugins/base/dates.ts';
import { ENDPOINT } from '../../../../plugins/lib/access/service_fields.ts';
import { AWS_FORMATS } from '../../../../plugins/lib/access/aws_formats.ts';
import { codeScope, scanCode, unitsCode, writeCode } from '../../../../plugins/lib/format/field_code.ts';
import {
  BYTES,
  clfDateField,
  CLIENT,
  freeText,
  INTEGER,
  STATUS,
  SECONDS,
  type FieldType,
} from '../../../../plugins/lib/format/log_fields.ts';
import { upToQuote, upToSpace } from '../../../../plugins/base/scan.ts';
import { compileFunction } from '../../support/sandbox.ts';
import { notingWriter } from '../../support/script_globals.ts';

type ReadUnits = (span: { readonly text: string }, at: number, end: number, writer: MessageWriter, units: Uint8Array) => number;
type Read = (text: string, at: number, end: number, writer: MessageWriter) => number;

/** The generated code of a type as a function that scans a piece and, when it fits, writes it. */
function generated(type: FieldType): Read {
  const body = `let code = 0, value3 = 0; const at3 = at; ${scanCode(type, 3)} const to3 = at; if (at >= 0) { ${writeCode(type, 3, 0)} } return at;`;
  return compileFunction(['text', 'at', 'end', 'writer'], body, codeScope(type, 3)) as Read;
}

/** The same from code units. */
function generatedForUnits(type: FieldType): Read {
  const write = unitsCode(writeCode(type, 3, 0));
  const body = `let code = 0, value3 = 0; const at3 = at; ${scanCode(type, 3, true)} const to3 = at; if (at >= 0) { ${write} } return at;`;
  const read = compileFunction(['span', 'at', 'end', 'writer', 'units'], body, codeScope(type, 3)) as ReadUnits;
  return (text, at, end, writer) => read({ text }, at, end, writer, Buffer.from(text, 'latin1'));
}

function called(type: FieldType): Read {
  return (text, at, end, writer) => {
    const to = type.scan(text, at, end);
    if (to >= 0) type.write(writer, 0, text, at, to);
    return to;
  };
}

const [, QUANTITY] = AWS_FORMATS.s3.places().flatMap(({ name, type }) => (name === 'bytes_sent' || name === 'object_size' ? [type] : []));
const TEXT = AWS_FORMATS.s3.places()[0]?.type as FieldType;
const TYPES: [name: string, type: FieldType][] = [
  ['INTEGER', INTEGER],
  ['BYTES', BYTES],
  ['STATUS', STATUS],
  ['CLIENT', CLIENT],
  ['a date', clfDateField(new ClfDate())],
  ['a quoted text', freeText(upToQuote)],
  ['a word', freeText(upToSpace)],
  ['a whole text', TEXT],
  ['a quantity', QUANTITY as FieldType],
  ['an endpoint', ENDPOINT],
  ['a type without code', SECONDS],
];
const value = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'0129.:-"\\ \tab[]'), maxLength: 24 }),
  fc.constantFrom(
    '1234567890123456789',
    '0.125',
    '-1',
    '-',
    '192.0.2.1',
    '192.0.2.1:80',
    '[::1]:80',
    'box1:443',
    '2001:db8::7',
    'a\\"b"',
    '200 ',
    '256.1.1.12',
    '1.02.3.4',
    ...['05/Mar/2021:13:07:59 +0100', '05/Mar/2021:23:59:60 +0100', '05/Mar/2021:24:07:59 +0100', '05/Mar/2021:13:07:5x +0100'],
    ...['06/Mar/2021:13:07:59 -0100', '05/Mar/2021:13:07:59.250 +0100', '05/Mar/2021:13:07:59', '32/Mar/2021:13:07:59 +0100'],
  ),
);

describe('generated code', () => {
  it.each(TYPES)('of %s does what its functions do', (_, type) => {
    const ways = [called(type), generated(type), generatedForUnits(type)];
    fc.assert(
      fc.property(value, fc.constantFrom('', ' 7', '"', '-'), (text, behind) => {
        const [expected, ...results] = ways.map((read) => {
          const { writer, calls } = notingWriter();
          return { to: read(`7${text}${behind}`, 1, text.length + 1, writer), calls };
        });
        for (const result of results) expect(result).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
  });
});
