import { expect, it } from 'vitest';
import type { RecordRow, UnreadRecord, ViewFacts } from '../../../../../engine/api/types.ts';
import { placeOf, withAhead } from '../../../../../renderer/src/lib/table/ahead.ts';

const row = {
  time: 1000,
  timeNs: '1000000000',
  severity: null,
  source: 1,
  logger: 'a',
  type: 'access',
  text: 'x',
  failure: null,
  values: ['200'],
};
const ahead = (more: Partial<RecordRow> = {}): UnreadRecord & { columns: string[] } => ({ ...row, at: 5, columns: ['status'], ...more });
const facts: ViewFacts = {
  span: { from: 500, to: 900 },
  severities: 'none',
  sources: [],
  type: 'access',
  texts: false,
  fractions: false,
  alike: { status: '200', other: 'y' },
};

it('facts of a view stay as they are without records that are read ahead', () => expect(withAhead(facts, [])).toBe(facts));

it.each([
  ['the span', {}, { ...facts, span: { from: 500, to: 1000 } }],
  ['a fraction of a second', { timeNs: '1000000001' }, { ...facts, span: { from: 500, to: 1000 }, fractions: true }],
  ['a severity', { severity: 3 }, { ...facts, span: { from: 500, to: 1000 }, severities: 'many' }],
  ['another type', { type: 'error' }, { ...facts, span: { from: 500, to: 1000 }, type: null }],
  ['one that was refused', { type: 'logfile', failure: 'no time', values: [null] }, { ...facts, span: { from: 500, to: 1000 } }],
  ['another value', { values: ['500'] }, { ...facts, span: { from: 500, to: 1000 }, alike: { other: 'y' } }],
] as const)('facts of a view hold for records that are read ahead: %s', (_what, more, expected) => {
  expect(withAhead(facts, [ahead(more as Partial<RecordRow>)])).toEqual(expected);
});

const rows = (texts: string): RecordRow[] => [...texts].map((text, id) => ({ ...row, id, text }));
const run = (texts: string): UnreadRecord[] => [...texts].map((text) => ahead({ text }));

it.each([
  ['abcdef', 'cd', 2],
  ['abcdef', 'f', 5],
  ['abcdef', 'cx', null],
  ['ababab', 'ab', null],
  ['abcab', 'abc', 0],
  ['abc', '', null],
  ['', 'a', null],
])('the place of records among those that have numbers is where all of them stand, if there is one: %s, %s', (all, texts, place) => {
  expect(placeOf(run(texts), rows(all))).toBe(place);
});
