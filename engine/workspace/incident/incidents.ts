import type { IncidentExport } from '../../api/incident-types.ts';
import { incidentHtml } from '../../incident/html.ts';
import { incidentMarkdown } from '../../incident/markdown.ts';
import type { Work, Exports } from '../query/exports.ts';
import { writeArchive } from '../named/archive.ts';
import { packedBytes } from '../named/unpack.ts';
import type { PackOptions } from '../named/pack.ts';
import { anonymiserOf } from './anonymous.ts';
import { packBundle, textsOf } from './bundle.ts';
import { gather, markedAround, withTexts, type IncidentSources } from './gather.ts';

interface IncidentOptions extends IncidentSources {
  readonly exports: Exports;
  readonly pack: PackOptions;
}

/** Writes what belongs to an incident into one file. */
export class Incidents {
  readonly #options: IncidentOptions;

  constructor(options: IncidentOptions) {
    this.#options = options;
  }

  /**
   * Begins to write it. Returns the number of the export.
   * @throws {EngineError} `export.place`, `export.source`, `limit.reached`
   */
  export(request: IncidentExport): number {
    const { exports } = this.#options;
    if (request.form === 'bundle') return exports.begin(request.path, 'byte', () => this.#bundle(request));
    return exports.begin(request.path, 'record', () => this.#page(request));
  }

  #page(request: IncidentExport): Work {
    return async ({ signal, write, expect }) => {
      const gathered = await gather(this.#options, request, signal);
      expect(gathered.incident.records.length);
      const anonymiser = request.anonymise ? anonymiserOf(gathered, request.words) : null;
      const incident = anonymiser === null ? gathered.incident : withTexts(gathered.incident, (text) => anonymiser.text(text));
      if (!signal.aborted) await write((request.form === 'html' ? incidentHtml : incidentMarkdown)(incident), incident.records.length);
    };
  }

  #bundle(request: IncidentExport): Work {
    return async (target) => {
      const { pack } = this.#options;
      const { ids } = markedAround(this.#options, request.around);
      const gathered = request.anonymise ? await gather(this.#options, { ...request, ask: false }, target.signal) : null;
      const anonymiser = gathered === null ? null : anonymiserOf(gathered, request.words, textsOf(pack));
      const rewrite = anonymiser === null ? null : (text: string) => anonymiser.text(text);
      await using packed = await packBundle(pack, ids, request.window, rewrite);
      target.expect(packedBytes(packed.manifest));
      await writeArchive(packed.manifest, packed.parts, target);
    };
  }
}
