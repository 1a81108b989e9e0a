import { basename } from 'node:path';
import { EngineError } from '../../base/errors.ts';
import type { SourceKind } from '../../api/types.ts';
import { LIMITS, tooMany } from '../common/limits.ts';
import type { SourceContext } from './context.ts';
import { distinctLabels } from './distinct-labels.ts';
import type { SourceOptions } from './options.ts';
import { Source } from './source.ts';

const LISTENERS: readonly SourceKind[] = ['udp', 'tcp'];

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

  /** Their locations. */
  places(): ReadonlySet<string> {
    return new Set(this.all().map(({ location }) => location));
  }

  find(kind: string, location: string): Source | undefined {
    return this.all().find((source) => source.kind === kind && source.location === location);
  }

  /**
   * Makes a source, which is not started yet, and gives it a number.
   * @throws {EngineError} `limit.reached`
   */
  add(options: Omit<SourceOptions, 'id'>): Source {
    this.#checkRoom(options.kind);
    const id = this.#nextId++;
    const context = this.#contextOf(id);
    const source = new Source({ ...options, id }, context);
    this.#sources.set(id, source);
    context.changed();
    this.#tellApart(source);
    return source;
  }

  #checkRoom(kind: SourceKind): void {
    const open = this.all();
    const ofKind = (kinds: readonly SourceKind[]): number => open.filter((source) => kinds.includes(source.kind)).length;
    if (open.length >= LIMITS.sources) throw tooMany('sources', 'Close some.');
    if (kind === 'command' && ofKind(['command']) >= LIMITS.commands) throw tooMany('commands', 'Close some.');
    if (LISTENERS.includes(kind) && ofKind(LISTENERS) >= LIMITS.listeners) throw tooMany('listeners', 'Close some.');
  }

  /** Takes a source out, which goes on running. */
  remove(id: number): void {
    const source = this.#sources.get(id);
    this.#sources.delete(id);
    if (source !== undefined) this.#tellApart(source);
  }

  /** Labels the files of the same name as a source by their folders. */
  #tellApart({ name }: Source): void {
    const alike = this.all().filter((source) => source.name === name && source.kind === 'file' && basename(source.location) === name);
    const labels = distinctLabels(alike.map(({ location }) => location));
    for (const [at, source] of alike.entries()) source.label = labels[at] as string;
  }
}
