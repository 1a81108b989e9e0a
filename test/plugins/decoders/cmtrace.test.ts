import { expect, test } from 'vitest';
import { decoder } from '../support/decode.ts';

const decode = decoder('cmtrace');
const entry = (time: string, text = 'x'): string =>
  `<![LOG[${text}]LOG]!><time="${time}" date="03-05-2021" component="C" context="" type="1" thread="7" file="a.cpp:87">`;

test.each<[time: string, timestamp: string]>([
  ['13:07:59.250+000', '1614949679250000000'],
  ['14:07:59.250-60', '1614949679250000000'],
  ['07:37:59.250+330', '1614949679250000000'],
  ['3:07:59', '1614913679000000000'],
  ['13:07:59.123456789', '1614949679123456789'],
])('the time %s', (time, Timestamp) => expect(decode(entry(time))).toMatchObject({ Timestamp }));

test('parts without a value set nothing', () => {
  expect(decode('<![LOG[]LOG]!><time="13:07:59" date="3-5-2021" component="" context="" type="9" thread="" file="">')).toEqual({
    Timestamp: '1614949679000000000',
    Payload: '',
    level: '9',
  });
});

test('a text holds what ends others', () => {
  expect(decode(entry('13:07:59', 'a ]LOG]!> b\n<![LOG['))).toMatchObject({
    Payload: 'a ]LOG]!> b\n<![LOG[',
    source: 'a.cpp',
    source_line: 87,
  });
});

test.each(['', '<![LOG[x]LOG]!>', entry('25:07:59'), 'x $$<C><3-5-2021 13:07:59>'])('%j is refused', (record) =>
  expect(decode(record)).toMatch(/^refused: (?:no entry of CMTrace|no date that there is)$/),
);
