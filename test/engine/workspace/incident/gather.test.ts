import { afterAll, describe, expect, it, vi } from 'vitest';
import { NO_INCIDENT, type Incident, type IncidentExport, type IncidentText } from '../../../../engine/api/incident-types.ts';
import { gather, withTexts, type IncidentSources } from '../../../../engine/workspace/incident/gather.ts';
import { incidentOf } from '../../incident/fixtures.ts';
import { append, newStore, numberedLines } from '../../store/fixtures.ts';

const store = newStore();
afterAll(() => store.close());

const REQUEST: IncidentExport = {
  path: '/out.html',
  form: 'html',
  anonymise: false,
  words: [],
  around: 1,
  columns: ['status', 'absent'],
  charts: [],
  ask: true,
  zone: 'utc',
  window: {},
};
const SAVED = ['SELECT 1', 'SELECT broken'].map((sql) => ({ name: sql, sql }));

/** An incident of nine records, some of which are marked. */
async function gathered(marked: readonly number[], text: Partial<IncidentText>, request: Partial<IncidentExport>, signal?: AbortSignal) {
  if (store.segments.length === 0) await append(store, numberedLines(9));
  const marks = {
    records: marked,
    list: () => marked.map((record) => ({ time: 1_000_000 + record * 1000, label: 'a.log', text: `line ${record}`, note: 'see' })),
    notes: () => new Map(marked.map((record) => [record, 'see'])),
  };
  const glance = vi.fn((sql: string) =>
    Promise.resolve(sql.endsWith('1') ? { columns: [{ name: 'n' }], rows: [[1n], [null]], more: true } : { problem: 'no such column' }),
  );
  const sources = {
    store,
    annotations: { marks, incident: { ...NO_INCIDENT, ...text } },
    queries: { glance },
    savedQueries: () => Promise.resolve(SAVED),
    labelOf: (source: number) => `source ${source}`,
  } as unknown as IncidentSources;
  return { ...(await gather(sources, { ...REQUEST, ...request }, signal ?? new AbortController().signal)), glance };
}

describe('what belongs to an incident', () => {
  it('is the records around the marks, in the order of their times, with the columns that were asked for', async () => {
    const { incident, details } = await gathered([4, 5], {}, {});
    expect(incident).toMatchObject({ title: 'Incident', range: { from: 1_004_000, to: 1_005_000 }, left: 0, around: 1 });
    expect(incident.records.map(({ text, marked }) => `${text}${marked ? '*' : ''}`)).toEqual(['line 3', 'line 4*', 'line 5*', 'line 6']);
    expect(incident.records[1]).toMatchObject({ source: 'source 1', time: 1_004_000, severity: 4, values: ['201', ''] });
    expect(incident.marks[0]).toEqual({ time: 1_004_000, source: 'a.log', text: 'line 4', note: 'see' });
    expect(details).toHaveLength(4);
  });

  it.each<[string, number[], Partial<IncidentText>, Incident['range']]>([
    ['neither marks nor times', [], {}, null],
    ['one end alone', [], { from: 5 }, null],
    ['an end that was written, and marks', [2], { from: 5 }, { from: 5, to: 1_002_000 }],
    ['two ends', [], { from: 5, to: 9 }, { from: 5, to: 9 }],
  ])('has a range as far as it is known: %s', async (_name, marked, text, range) => {
    expect((await gathered(marked, text, {})).incident.range).toEqual(range);
  });

  it('is the first rows of saved queries, or the reason for which there are none, if they are to be asked', async () => {
    const nothing = { columns: [], rows: [], more: false, problem: null };
    const [first, second] = SAVED;
    expect((await gathered([], {}, {})).incident.queries).toEqual([
      { ...first, columns: ['n'], rows: [['1'], ['']], more: true, problem: null },
      { ...second, ...nothing, problem: 'no such column' },
    ]);
    const { incident, glance } = await gathered([], {}, { ask: false });
    expect([incident.queries, glance.mock.calls]).toEqual([SAVED.map((one) => ({ ...one, ...nothing })), []]);
    const ended = await gathered([4], {}, {}, AbortSignal.abort());
    expect([ended.glance.mock.calls, ended.incident.records]).toEqual([[], []]);
  });
});

it('changes each text of an incident, and nothing else', () => {
  const incident = incidentOf({
    difference: { title: 'text', sentences: ['text'] },
    charts: [
      { title: 'text', about: 'text', unit: 'B', by: ['x'], form: 'list', from: 1, rowMs: 2, series: [{ name: 'text', values: [3] }] },
    ],
    queries: [{ name: 'text', sql: 'text', columns: ['text'], rows: [['text']], more: true, problem: 'text' }],
  });
  const texts: string[] = [];
  const same = withTexts(incident, (text) => {
    texts.push(text);
    return text;
  });
  expect(same).toEqual(incident);
  const { title, summary, marks, columns, records } = incident;
  const own = [title, summary, ...marks.flatMap(({ source, text, note }) => [source, text, note]), ...columns];
  const ofRecords = records.flatMap(({ source, text, values }) => [source, text, ...values]);
  expect(texts.toSorted()).toEqual([...own, ...ofRecords, 'B', ...new Array<string>(10).fill('text')].sort());
  expect(withTexts(incidentOf(), () => 'x')).toMatchObject({
    difference: null,
    records: [{ text: 'x', time: incidentOf().records[0]?.time }],
  });
});
