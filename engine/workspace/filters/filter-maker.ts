import type { End } from '../../api/ends.ts';
import type { NoticeCode } from '../../api/notices.ts';
import type { NoticeSubject } from '../../api/types.ts';
import { messageOf } from '../../base/errors.ts';
import { LazySandbox, sandboxSpec, type SandboxStarter } from '../../plugins/sandboxes.ts';
import { findPlugin } from '../../plugins/catalog.ts';
import type { SandboxSpec } from '../../sandbox/contract/types.ts';
import type { SourcePipeline } from './source-pipeline.ts';
import { withDetails } from '../common/notices.ts';
import { secondsPerRow } from './graph-span.ts';
import { RunningFilter } from './running-filter.ts';
import type { Source } from '../sources/source.ts';
import type { FilterTemplate } from '../file/templates.ts';

/** The place of a new filter: its template, source and pipeline. */
export interface Place {
  readonly template: FilterTemplate;
  readonly source: Source;
  readonly sourcePipeline: SourcePipeline;
  /** Name of the filter that it replaces. */
  readonly name?: string | undefined;
}

export interface FilterNews {
  changed(): void;
  notice(
    level: 'warning' | 'error',
    code: NoticeCode,
    text: string,
    about: Pick<NoticeSubject, 'source' | 'plugin'> & Partial<NoticeSubject>,
  ): void;
}

export interface FilterMakerOptions {
  readonly starter: SandboxStarter;
  readonly news: FilterNews;
  /** Milliseconds that the records of a source span. */
  readonly spanOf: (source: Source) => number;
  /** Whether another filter has this name. */
  readonly isTaken: (name: string) => boolean;
  /** Whether someone stopped the filter of this template for the source. */
  readonly isStopped: (template: FilterTemplate, source: Source) => boolean;
}

/** Makes the filters of sources from templates, and says when one does not start or ends. */
export class FilterMaker {
  readonly #options: FilterMakerOptions;

  constructor(options: FilterMakerOptions) {
    this.#options = options;
  }

  /**
   * Whether the script of a template loads with its parameters.
   * @param text the script's text when it is not that of the file
   * @throws {EngineError} when it does not
   */
  async check(template: FilterTemplate, text?: string): Promise<void> {
    const spec = specOf(template, template.name);
    const sandbox = await this.#options.starter.start(text === undefined ? spec : { ...spec, text });
    await sandbox.stop();
  }

  /** null, after a notice, when it cannot be made. @param state the file with that of the one before it */
  make(place: Place, state: string | null = null): RunningFilter | null {
    try {
      return this.#make(place, state);
    } catch (error) {
      const { template, source } = place;
      const about = { source: source.id, plugin: template.name };
      this.#options.news.notice('error', 'plugin.failed', `${template.name} did not start: ${messageOf(error)}`, about);
      return null;
    }
  }

  /** Makes a filter from a state; without the state if it does not fit the current script. */
  async makeFrom(state: string | null, place: Place): Promise<RunningFilter | null> {
    const filter = this.make(place, state);
    const problem = filter === null || filter.stopped || state === null ? null : await filter.sandbox.prepare();
    if (filter === null || problem === null) return filter;
    const about = { source: place.source.id, plugin: filter.name };
    this.#options.news.notice(
      'warning',
      'filter.state',
      `${filter.name} begins anew: the state that it had does not fit (${problem.reason}).`,
      about,
    );
    return this.make(place);
  }

  #make({ template, source, sourcePipeline, name = this.#freeName(template.name, source) }: Place, state: string | null): RunningFilter {
    const { starter, isStopped, spanOf } = this.#options;
    const rowSeconds = source.kind === 'file' ? secondsPerRow(template, spanOf(source)) : null;
    const config = rowSeconds === null ? template.config : { ...template.config, sec_per_row: rowSeconds };
    const sandbox = new LazySandbox(starter, { ...specOf({ ...template, config }, name, state), clock: source.clock });
    const onEnded = (filter: RunningFilter, end: End): void => this.#ended(filter, end);
    const filter = new RunningFilter({ template, name, source, sandbox, sourcePipeline, rowSeconds, onEnded });
    filter.stopped = isStopped(template, source);
    // Errors of a user's own script are told at once, not when its first message comes.
    const isOwn = !template.builtIn && state === null;
    if (isOwn && !filter.stopped) void sandbox.prepare().then((end) => end !== null && filter.end(end));
    return filter;
  }

  #ended({ name, source }: RunningFilter, end: End): void {
    const { news } = this.#options;
    const about = { source: source.id, plugin: name, end };
    const text = withDetails(end.reason, (line) => `${name} was terminated: ${line}. Everything else goes on.`);
    news.notice('error', 'plugin.terminated', text, about);
    news.changed();
  }

  /** Two plugins of one name could not be told apart in graphs and tables. */
  #freeName(name: string, source: Source): string {
    const candidates = [name, `${name} (${source.label})`, `${name} (${source.label}, ${source.id})`];
    return candidates.find((candidate) => !this.#options.isTaken(candidate)) ?? name;
  }
}

function specOf({ script, config, limits = {}, modules = [] }: FilterTemplate, name: string, state: string | null = null): SandboxSpec {
  return sandboxSpec('filter', findPlugin('filter', script), { name, config, limits, modules, preservation: state ?? undefined });
}
