import { describe, expect, it } from 'vitest';
import { exactCell, spreadsheetCell } from '../../../engine/api/csv.ts';

describe('a cell of CSV', () => {
  it.each<{ text: string; exact: string; spreadsheet: string }>([
    { text: '', exact: '', spreadsheet: '' },
    { text: 'plain = +text', exact: 'plain = +text', spreadsheet: 'plain = +text' },
    { text: 'a,"b"\n', exact: '"a,""b""\n"', spreadsheet: '"a,""b""\n"' },
    { text: '=1+1', exact: '=1+1', spreadsheet: `"'=1+1"` },
    { text: '=cmd|"/c calc"!A0', exact: '"=cmd|""/c calc""!A0"', spreadsheet: `"'=cmd|""/c calc""!A0"` },
    { text: '+49 30 1', exact: '+49 30 1', spreadsheet: `"'+49 30 1"` },
    { text: '-5+cmd', exact: '-5+cmd', spreadsheet: `"'-5+cmd"` },
    { text: '@SUM(A1)', exact: '@SUM(A1)', spreadsheet: `"'@SUM(A1)"` },
    { text: '\t=1', exact: '\t=1', spreadsheet: `"'\t=1"` },
    { text: '\r=1', exact: '"\r=1"', spreadsheet: `"'\r=1"` },
    { text: '\n=1', exact: '"\n=1"', spreadsheet: `"'\n=1"` },
    { text: '＝1', exact: '＝1', spreadsheet: `"'＝1"` },
    ...['-5', '+5', '-0.25', '+.5', '-1.5e-3', '-'].map((text) => ({ text, exact: text, spreadsheet: text })),
  ])('is $exact as it is, and $spreadsheet for spreadsheets', ({ text, exact, spreadsheet }) => {
    expect(exactCell(text)).toBe(exact);
    expect(spreadsheetCell(text)).toBe(spreadsheet);
  });
});
