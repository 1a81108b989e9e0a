import type { Incident, IncidentChart, IncidentExport, IncidentQuery, IncidentRecord } from '../../api/incident-types.ts';
import type { RecordDetail } from '../../api/record-types.ts';
import { columnReader, recordDetail } from '../../store/rows.ts';
import type { RecordStore } from '../../store/record-store.ts';
import type { Annotations } from '../marks/annotations.ts';
import type { Queries } from '../query/queries.ts';
import type { SavedQuery } from '../../api/query-types.ts';
import { recordsAround, type Around } from './records-around.ts';

/** Records, queries and rows of an incident. */
const MOST_RECORDS = 10_000;
const MOST_QUERIES = 20;
const MOST_ROWS = 50;
/** Milliseconds that a query may take. */
const QUERY_MS = 20_000;

export interface IncidentSources {
  readonly store: RecordStore;
  readonly annotations: Annotations;
  readonly queries: Queries;
  readonly savedQueries: () => Promise<SavedQuery[]>;
  /** Short name of a source. */
  readonly labelOf: (source: number) => string;
}

/** An incident as it is, with all of its records. */
export interface Gathered {
  readonly incident: Incident;
  readonly details: readonly RecordDetail[];
}

/** The marked records, and those around them. */
export const markedAround = ({ store, annotations }: Pick<IncidentSources, 'store' | 'annotations'>, around: number): Around =>
  recordsAround(store, annotations.marks.records, around, MOST_RECORDS);

/** Gathers what belongs to the incident: what someone wrote, the marks, charts and queries, and the records around the marks. */
export async function gather(sources: IncidentSources, request: IncidentExport, signal: AbortSignal): Promise<Gathered> {
  const { annotations, store, labelOf } = sources;
  const { around, columns, charts, anonymise, zone } = request;
  const { from, to, ...text } = annotations.incident;
  const marks = annotations.marks.list();
  const { ids, left } = markedAround(sources, around);
  const notes = annotations.marks.notes();
  const readers = columns.map(columnReader);
  const details: RecordDetail[] = [];
  const records: IncidentRecord[] = [];
  /** Whole texts of marked records: half of a name at the end of one that is cut would be found by nobody. */
  const wholes = new Map<number, string>();
  for (const id of ids) {
    const place = store.find(id);
    if (place === undefined || signal.aborted) continue;
    const stored = await store.load(place.segment);
    const detail = recordDetail({ ...place, stored });
    details.push(detail);
    if (notes.has(id)) wholes.set(id, detail.raw ?? detail.text);
    records.push({
      time: detail.time,
      source: labelOf(detail.source),
      severity: detail.severity,
      text: detail.raw ?? detail.text,
      marked: notes.has(id),
      values: readers.map((read) => read(stored, place.row) ?? ''),
    });
  }
  const times = marks.map(({ time }) => time);
  const range = { from: from ?? Math.min(...times), to: to ?? Math.max(...times) };
  const incident: Incident = {
    ...text,
    title: text.title === '' ? 'Incident' : text.title,
    range: Number.isFinite(range.from) && Number.isFinite(range.to) ? range : null,
    zone,
    marks: marks.map(({ record, time, label, text: marked, note }) => ({
      ...{ time, source: label, note },
      text: (record === null ? undefined : wholes.get(record)) ?? marked,
    })),
    charts,
    queries: await queriesOf(sources, request.ask, signal),
    columns,
    records: records.toSorted((a, b) => a.time - b.time),
    left,
    around,
    anonymised: anonymise,
    madeAt: Date.now(),
  };
  return { incident, details };
}

async function queriesOf({ queries, savedQueries }: IncidentSources, asked: boolean, signal: AbortSignal): Promise<IncidentQuery[]> {
  const saved = (await savedQueries()).slice(0, MOST_QUERIES);
  const made: IncidentQuery[] = [];
  for (const { name, sql } of saved) {
    const nothing = { name, sql, columns: [], rows: [], more: false, problem: null };
    if (!asked || signal.aborted) {
      made.push(nothing);
      continue;
    }
    const answer = await queries.glance(sql, AbortSignal.any([signal, AbortSignal.timeout(QUERY_MS)]), MOST_ROWS);
    if ('problem' in answer) made.push({ ...nothing, problem: answer.problem });
    else {
      const rows = answer.rows.map((row) => row.map((cell) => (cell === null ? '' : String(cell))));
      made.push({ ...nothing, columns: answer.columns.map((column) => column.name), rows, more: answer.more });
    }
  }
  return made;
}

/** The same incident with other texts. */
export function withTexts(incident: Incident, text: (original: string) => string): Incident {
  const chartOf = (chart: IncidentChart): IncidentChart => ({
    ...chart,
    title: text(chart.title),
    about: text(chart.about),
    unit: text(chart.unit),
    series: chart.series.map(({ name, values }) => ({ name: text(name), values })),
  });
  const { difference } = incident;
  return {
    ...incident,
    title: text(incident.title),
    summary: text(incident.summary),
    difference: difference === null ? null : { title: text(difference.title), sentences: difference.sentences.map(text) },
    marks: incident.marks.map((mark) => ({ ...mark, source: text(mark.source), text: text(mark.text), note: text(mark.note) })),
    charts: incident.charts.map(chartOf),
    queries: incident.queries.map(({ name, sql, columns, rows, more, problem }) => ({
      name: text(name),
      sql: text(sql),
      columns: columns.map(text),
      rows: rows.map((row) => row.map(text)),
      more,
      problem: problem === null ? null : text(problem),
    })),
    columns: incident.columns.map(text),
    records: incident.records.map((record) => ({
      ...record,
      source: text(record.source),
      text: text(record.text),
      values: record.values.map(text),
    })),
  };
}
