import type { PluginInfo } from './types.ts';
import { messageOf } from '../errors.ts';
import { compileMatcher } from '../matcher/index.ts';
import type { FilterRunner } from '../pipeline/filter-runner.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { sectionChanges, type SectionChanges } from '../pipeline/section-changes.ts';
import { LazySandbox, sandboxSpec, type SandboxStarter } from '../pipeline/sandboxes.ts';
import { findPlugin } from '../plugins/index.ts';
import type { Sandbox, SandboxReport } from '../sandbox/types.ts';
import { pluginInfo } from './plugin-info.ts';
import type { Source } from './source.ts';
import type { FilterTemplate } from './templates.ts';

interface RunningFilter {
  readonly template: FilterTemplate;
  readonly name: string;
  readonly source: Source;
  readonly sandbox: Sandbox & { readonly started?: boolean };
  readonly runner: FilterRunner;
  reason: string | null;
  report: SandboxReport | null;
}

export interface FilterHooks {
  changed(): void;
  notice(level: 'warning' | 'error', code: string, text: string): void;
}

/** The filters of a workspace: one of each template for each source. */
export class WorkspaceFilters {
  readonly #starter: SandboxStarter;
  readonly #hooks: FilterHooks;
  readonly #running = new Set<RunningFilter>();
  readonly #pipelines = new Map<Source, Pipeline>();
  #templates: readonly FilterTemplate[];

  constructor(starter: SandboxStarter, templates: readonly FilterTemplate[], hooks: FilterHooks) {
    this.#starter = starter;
    this.#templates = templates;
    this.#hooks = hooks;
  }

  /** For sources that start from now on. Returns what is different. */
  setTemplates(templates: readonly FilterTemplate[]): SectionChanges<FilterTemplate> {
    const changes = sectionChanges(this.#templates, templates);
    this.#templates = templates;
    return changes;
  }

  /** Starts, stops and replaces the filters of a source that runs; the messages that come meanwhile wait. */
  async exchange(source: Source, { added, removed, changed }: SectionChanges<FilterTemplate>): Promise<void> {
    const pipeline = this.#pipelines.get(source);
    if (pipeline === undefined) return;
    const ending = new Set([...removed, ...changed.map(({ before }) => before)].map(({ name }) => name));
    await pipeline.router.exclusive(async () => {
      for (const filter of [...this.#running]) {
        if (filter.source !== source || !ending.has(filter.template.name)) continue;
        this.#running.delete(filter);
        pipeline.router.remove(filter.runner);
        await filter.runner.stop();
      }
      for (const template of [...changed.map(({ after }) => after), ...added]) this.#tryAdd(template, source, pipeline);
    });
    this.#hooks.changed();
  }

  /** Adds a filter of each template to the pipeline of a source. One that cannot start is a notice; the others go on. */
  addTo(source: Source, pipeline: Pipeline): void {
    this.remove(source);
    this.#pipelines.set(source, pipeline);
    for (const template of this.#templates) this.#tryAdd(template, source, pipeline);
  }

  remove(source: Source): void {
    for (const filter of this.#running) if (filter.source === source) this.#running.delete(filter);
    this.#pipelines.delete(source);
  }

  /** Brings the graphs and tables of sources that are being read up to date; what they show at the end is the same. */
  refresh(source: Source): void {
    for (const { source: other, runner, template } of this.#running) if (other === source && template.builtIn) runner.idle();
  }

  /** Asks the sandboxes how they are. */
  async poll(): Promise<void> {
    const started = [...this.#running].filter(({ sandbox, reason }) => sandbox.started !== false && reason === null);
    await Promise.all(
      started.map(async (filter) => {
        filter.report = await filter.sandbox.report().catch(() => filter.report);
      }),
    );
  }

  infos(): PluginInfo[] {
    return [...this.#running].filter(({ sandbox }) => sandbox.started !== false).map(infoOf);
  }

  #tryAdd(template: FilterTemplate, source: Source, pipeline: Pipeline): void {
    try {
      this.#add(template, source, pipeline);
    } catch (error) {
      this.#hooks.notice('error', 'plugin.failed', `${template.name} did not start: ${messageOf(error)}`);
    }
  }

  #add(template: FilterTemplate, source: Source, pipeline: Pipeline): void {
    const name = this.#freeName(template.name, source);
    const plugin = findPlugin('filter', template.script);
    const { config, limits = {} } = template;
    const sandbox = new LazySandbox(this.#starter, sandboxSpec('filter', plugin, { name, config, limits }));
    const filter: RunningFilter = {
      ...{ template, name, source, sandbox, reason: null, report: null },
      runner: pipeline.addFilter({
        name,
        sandbox,
        matcher: compileMatcher(template.matcher),
        ...(template.signer === undefined ? {} : { signer: template.signer }),
        tickerInterval: template.ticker,
        onTerminated: (reason) => this.#ended(filter, reason),
      }),
    };
    this.#running.add(filter);
    // What is wrong with a script of the user's own is said at once, not when its first message comes.
    if (!template.builtIn) void sandbox.prepare().then((reason) => reason !== null && this.#ended(filter, reason));
  }

  #ended(filter: RunningFilter, reason: string): void {
    if (filter.reason !== null) return;
    filter.reason = reason;
    this.#hooks.notice('error', 'plugin.terminated', `${filter.name} was terminated: ${reason}. Everything else goes on.`);
    this.#hooks.changed();
  }

  /** Two plugins of one name could not be told apart in graphs and tables. */
  #freeName(name: string, source: Source): string {
    const taken = new Set([...this.#running].map((filter) => filter.name));
    const candidates = [name, `${name} (${source.label})`, `${name} (${source.label}, ${source.id})`];
    return candidates.find((candidate) => !taken.has(candidate)) ?? name;
  }
}

function infoOf({ template, source, reason, report, sandbox }: RunningFilter): PluginInfo {
  return pluginInfo({ spec: sandbox.spec, matcher: template.matcher, source: source.id, reason, report });
}
