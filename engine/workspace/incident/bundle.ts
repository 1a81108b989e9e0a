import { setSection, readSection } from '../../config/edit.ts';
import { QUERIES } from '../../config/queries.ts';
import { partOf, partRange, rawText } from '../../store/segment.ts';
import type { KeptFilter } from '../../api/filter-types.ts';
import type { IncidentText } from '../../api/incident-types.ts';
import type { WindowPart } from '../../api/workspace-types.ts';
import { contentOf, type KeptMark } from '../marks/marks-file.ts';
import { SCRIPTS, requireSavable, type Manifest } from '../named/manifest.ts';
import { OF_LINES, packWorkspace, type Packed, type PackOptions } from '../named/pack.ts';

type Rewrite = (text: string) => string;

/** Most characters of what a workspace keeps. */
const MOST = { name: 100, title: 200, variable: 200, unit: 40, line: 1000, sentence: 2000, summary: 20_000 } as const;

/** All that is open, with some of its records alone, as a workspace. @param rewrite makes each text another one; null: they stay as they are */
export async function packBundle(
  options: PackOptions,
  ids: readonly number[],
  window: WindowPart,
  rewrite: Rewrite | null,
): Promise<Packed> {
  const text = rewrite ?? ((original: string) => original);
  const packed = await packWorkspace(options, { ids, text }, rewrite === null ? window : {});
  try {
    const manifest: Manifest = {
      ...packed.manifest,
      marks: await marksOf(options, ids, text),
      leftOut: recordsOfLogs(options) - ids.length,
    };
    const shown = rewrite === null ? manifest : rewritten(manifest, rewrite);
    requireSavable(shown);
    return { ...packed, manifest: shown };
  } catch (error) {
    await packed[Symbol.asyncDispose]();
    throw error;
  }
}

function recordsOfLogs({ store, sources }: PackOptions): number {
  const logs = new Set(
    sources
      .all()
      .filter(({ kind }) => OF_LINES.includes(kind))
      .map(({ id }) => id),
  );
  let count = 0;
  for (const segment of store.segments) {
    for (const [i, { source, removed }] of segment.parts.entries()) {
      const [from, to] = partRange(segment, i);
      if (!removed && logs.has(source)) count += to - from;
    }
  }
  return count;
}

/** The marks of these records, at the places where they are among them. */
async function marksOf({ store, sources, annotations }: PackOptions, ids: readonly number[], text: Rewrite): Promise<KeptMark[]> {
  const notes = annotations.marks.notes();
  const before = new Map<number, number>();
  const marks: KeptMark[] = [];
  for (const id of ids) {
    const place = store.find(id);
    if (place === undefined) continue;
    const { source } = partOf(place.segment, place.row);
    const ordinal = before.get(source) ?? 0;
    before.set(source, ordinal + 1);
    const note = notes.get(id);
    if (note === undefined || !sources.has(source)) continue;
    const stored = await store.load(place.segment);
    marks.push({
      location: sources.get(source).location,
      ordinal,
      time: Number((stored.timestamps[place.row] as bigint) / 1_000_000n),
      ...contentOf(text(rawText(stored).at(place.row))),
      note,
    });
  }
  return marks;
}

/** A workspace in which each text is another one. Filter scripts, listeners and the state of the window stay away; decoders come along. */
function rewritten(manifest: Manifest, text: Rewrite): Manifest {
  const { files, sections, scripts, highlighters, filterSets, recordGraphs, marks, incident } = manifest;
  const used = new Set(files.map(({ decoder }) => decoder?.name));
  // A pseudonym may be longer than its original, and the workspace is to be opened.
  const short = (original: string, most: number): string => text(original).slice(0, most);
  const filters = (list: readonly KeptFilter[]): KeptFilter[] =>
    list.map((one) => ({ ...one, text: text(one.text), label: text(one.label) }));
  const queries = Object.entries(readSection(sections, QUERIES) ?? {}).flatMap(([name, sql]) =>
    typeof sql === 'string' ? [[short(name, MOST.name), text(sql)] as const] : [],
  );
  return {
    ...manifest,
    files: files.map(({ path, section, label, decoder, timeOffset, records }) => ({
      path: text(path),
      section: text(section),
      label: text(label),
      decoder:
        decoder === null
          ? null
          : { ...decoder, config: mapped(decoder.config, (value) => (typeof value === 'string' ? text(value) : value)) },
      timeOffset,
      records,
    })),
    sections: queries.length === 0 ? '' : setSection('', QUERIES, Object.fromEntries(queries)),
    scripts: scripts.filter(({ name }) => used.has(SCRIPTS + name)).map(({ name, text: script }) => ({ name, text: text(script) })),
    highlighters: highlighters.map((one) => ({
      ...one,
      name: short(one.name, MOST.name),
      text: short(one.text, MOST.line),
      field: short(one.field, MOST.variable),
    })),
    filterSets: filterSets.map(({ name, any, filters: kept }) => ({ name: short(name, MOST.name), any, filters: filters(kept) })),
    recordGraphs: recordGraphs.map((graph) => ({
      ...graph,
      title: short(graph.title, MOST.title),
      of: graph.of === null ? null : short(graph.of, MOST.variable),
      by: graph.by.map((variable) => short(variable, MOST.variable)),
      unit: short(graph.unit, MOST.unit),
      filters: filters(graph.filters),
    })),
    marks: marks.map((mark) => ({ ...mark, location: text(mark.location), note: text(mark.note) })),
    incident: rewrittenText(incident, text),
  };
}

function rewrittenText({ title, summary, difference, ...others }: IncidentText, text: Rewrite): IncidentText {
  const short = (original: string, most: number): string => text(original).slice(0, most);
  const told =
    difference === null
      ? null
      : { title: short(difference.title, MOST.line / 2), sentences: difference.sentences.map((one) => short(one, MOST.sentence)) };
  return { ...others, title: short(title, MOST.title), summary: short(summary, MOST.summary), difference: told };
}

const mapped = <T>(values: Readonly<Record<string, T>>, change: (value: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));

/** The texts of a workspace by which it is found what has to be rewritten. */
export const textsOf = ({ sources, annotations }: Pick<PackOptions, 'sources' | 'annotations'>): string[] => [
  ...sources.all().flatMap(({ location, label }) => [location, label]),
  ...annotations.highlighters.flatMap(({ name, text }) => [name, text]),
  ...annotations.filterSets.flatMap(({ name, filters }) => [name, ...filters.flatMap(({ text, label }) => [text, label])]),
  ...annotations.recordGraphs.flatMap(({ title, filters }) => [title, ...filters.flatMap(({ text, label }) => [text, label])]),
];
