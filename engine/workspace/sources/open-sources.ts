import { EngineError } from '../../errors.ts';
import type { SourceOptions } from './options.ts';
import { Source, type SourceContext } from './source.ts';

/** The sources that are open, by number. */
export class OpenSources {
  readonly #contextOf: (id: number) => SourceContext;
  readonly #sources = new Map<number, Source>();
  #nextId = 1;

  /** @param contextOf what the source of a number needs of the workspace */
  constructor(contextOf: (id: number) => SourceContext) {
    this.#contextOf = contextOf;
  }

  all(): Source[] {
    return [...this.#sources.values()];
  }

  has(id: number): boolean {
    return this.#sources.has(id);
  }

  /** @throws {EngineError} `source.unknown` */
  get(id: number): Source {
    const source = this.#sources.get(id);
    if (!source) throw new EngineError('source.unknown', `There is no source ${id}.`);
    return source;
  }

  find(kind: string, location: string): Source | undefined {
    return this.all().find((source) => source.kind === kind && source.location === location);
  }

  /** Makes a source, which is not started yet, and gives it a number. */
  add(options: Omit<SourceOptions, 'id'>): Source {
    const id = this.#nextId++;
    const context = this.#contextOf(id);
    const source = new Source({ ...options, id }, context);
    this.#sources.set(id, source);
    context.changed();
    return source;
  }

  /** Takes a source out, which goes on running. */
  remove(id: number): void {
    this.#sources.delete(id);
  }
}
