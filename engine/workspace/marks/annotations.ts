import { join } from 'node:path';
import type { FilterSet } from '../../api/filter-types.ts';
import { NO_INCIDENT, type IncidentText } from '../../api/incident-types.ts';
import type { Highlighter, Mark } from '../../api/mark-types.ts';
import type { RecordGraph } from '../../api/record-graph-types.ts';
import type { RecordStore } from '../../store/record-store.ts';
import { formatFilterSets, parseFilterSets } from './filter-sets.ts';
import { checkHighlighters, formatHighlighters, parseHighlighters } from './highlighters.ts';
import { formatIncident, parseIncident } from './incident-file.ts';
import { KeptFile } from './kept-file.ts';
import { MarkBook, type MarkedSource } from './mark-book.ts';
import { formatMarks, parseMarks, type KeptMark } from './marks-file.ts';
import { formatRecordGraphs, parseRecordGraphs } from './record-graphs.ts';

interface AnnotationOptions {
  readonly store: RecordStore;
  /** Of the workspace. */
  readonly folder: string;
  /** undefined: it was closed. */
  readonly sourceOf: (id: number) => MarkedSource | undefined;
  readonly openSources: () => readonly MarkedSource[];
  /** Called when the marks have changed. */
  readonly changed: (marks: Mark[]) => void;
  /** Called with the reason when a file could not be read or written. */
  readonly failed: (text: string) => void;
}

/** Marks, notes, highlighters, sets of filters, graphs of records and the words of an incident, and the files of the workspace that keep them. */
export class Annotations {
  readonly marks: MarkBook;
  readonly #markFile: KeptFile<readonly KeptMark[]>;
  readonly #highlighterFile: KeptFile<readonly Highlighter[]>;
  readonly #filterSetFile: KeptFile<readonly FilterSet[]>;
  readonly #recordGraphFile: KeptFile<readonly RecordGraph[]>;
  #highlighters: readonly Highlighter[];
  #filterSets: readonly FilterSet[];
  #recordGraphs: readonly RecordGraph[];
  readonly #incidentFile: KeptFile<IncidentText>;
  #incident: IncidentText;

  constructor({ store, folder, failed, ...hooks }: AnnotationOptions) {
    this.#markFile = new KeptFile({ path: join(folder, 'marks.json'), parse: parseMarks, format: formatMarks, failed });
    this.#highlighterFile = new KeptFile({
      path: join(folder, 'highlighters.json'),
      parse: parseHighlighters,
      format: formatHighlighters,
      failed,
    });
    this.#highlighters = this.#highlighterFile.read() ?? [];
    this.#filterSetFile = new KeptFile({
      path: join(folder, 'filter-sets.json'),
      parse: parseFilterSets,
      format: formatFilterSets,
      failed,
    });
    this.#filterSets = this.#filterSetFile.read() ?? [];
    this.#recordGraphFile = new KeptFile({
      path: join(folder, 'graphs.json'),
      parse: parseRecordGraphs,
      format: formatRecordGraphs,
      failed,
    });
    this.#recordGraphs = this.#recordGraphFile.read() ?? [];
    this.#incidentFile = new KeptFile({ path: join(folder, 'incident.json'), parse: parseIncident, format: formatIncident, failed });
    this.#incident = this.#incidentFile.read() ?? NO_INCIDENT;
    this.marks = new MarkBook(store, this.#markFile.read() ?? [], {
      ...hooks,
      keep: (kept) => this.#markFile.write(kept),
      dropped: failed,
    });
  }

  get highlighters(): Highlighter[] {
    return [...this.#highlighters];
  }

  /** @throws {EngineError} `query.regex` */
  setHighlighters(highlighters: readonly Highlighter[]): void {
    checkHighlighters(highlighters);
    this.#highlighters = highlighters;
    this.#highlighterFile.write(highlighters);
  }

  /** In the order in which they were saved. */
  get filterSets(): FilterSet[] {
    return [...this.#filterSets];
  }

  setFilterSets(sets: readonly FilterSet[]): void {
    this.#filterSets = sets;
    this.#filterSetFile.write(sets);
  }

  /** In the order in which they were made. */
  get recordGraphs(): RecordGraph[] {
    return [...this.#recordGraphs];
  }

  setRecordGraphs(graphs: readonly RecordGraph[]): void {
    this.#recordGraphs = graphs;
    this.#recordGraphFile.write(graphs);
  }

  get incident(): IncidentText {
    return this.#incident;
  }

  setIncident(incident: IncidentText): void {
    this.#incident = incident;
    this.#incidentFile.write(incident);
  }

  /** Resolves when all is written. @param keepReceived leaves the marks of live sources to the next process */
  async close({ keepReceived = false } = {}): Promise<void> {
    this.marks.close({ keepLive: keepReceived });
    const files = [this.#markFile, this.#highlighterFile, this.#filterSetFile, this.#recordGraphFile, this.#incidentFile];
    await Promise.all(files.map((file) => file.settled()));
  }
}
