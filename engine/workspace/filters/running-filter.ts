import type { End } from '../../api/ends.ts';
import type { PluginInfo } from '../../api/types.ts';
import { compileExpression } from '../../matcher/expression.ts';
import { FilterRunner } from '../../pipeline/filter-runner.ts';
import type { LazySandbox } from '../../plugins/sandboxes.ts';
import type { SandboxReport } from '../../sandbox/contract/types.ts';
import type { SourcePipeline } from './source-pipeline.ts';
import { pluginInfo } from '../common/plugin-info.ts';
import { RateMeter } from '../common/rates.ts';
import type { Source } from '../sources/source.ts';
import type { FilterTemplate } from '../file/templates.ts';

/** The default of a configuration for the loops of injected messages. */
const MAX_LOOPS = 4;

export interface RunningFilterOptions {
  readonly template: FilterTemplate;
  /** Its name in the window: two sources may have a filter of the same section. */
  readonly name: string;
  readonly source: Source;
  readonly sandbox: LazySandbox;
  readonly sourcePipeline: SourcePipeline;
  /** Seconds of a row of its graphs, which the time of its file chose; null: nothing did. */
  readonly rowSeconds: number | null;
  readonly onEnded: (filter: RunningFilter, end: End) => void;
}

/** A filter of one source: its sandbox, with its last report, its state and its end. */
export class RunningFilter {
  readonly template: FilterTemplate;
  readonly name: string;
  readonly source: Source;
  readonly sandbox: LazySandbox;
  readonly runner: FilterRunner;
  /** As in the options. */
  readonly rowSeconds: number | null;
  /** Whether someone stopped it. */
  stopped = false;
  /** File with the state that it had when it was stopped. */
  saved: string | null = null;
  /** Whether it was removed, and reads no further. */
  dropped = false;
  /** Whether it reads the stored records only when someone looks at its output. */
  resting = false;
  /** Part of the stored records that it has read, 0 to 1, also when it was removed meanwhile; null: it has read them and gets records as they come. */
  progress: number | null = null;
  #ended: End | null = null;
  #report: SandboxReport | null = null;
  /** Whether the report was made at its end. */
  #final = false;
  readonly #taken = new RateMeter();
  readonly #injected = new RateMeter();
  readonly #onEnded: RunningFilterOptions['onEnded'];

  constructor({ template, name, source, sandbox, sourcePipeline, rowSeconds, onEnded }: RunningFilterOptions) {
    this.rowSeconds = rowSeconds;
    this.template = template;
    this.name = name;
    this.source = source;
    this.sandbox = sandbox;
    this.#onEnded = onEnded;
    this.runner = new FilterRunner({
      name,
      sandbox,
      clock: source.clock,
      maxMessageLoops: MAX_LOOPS,
      router: sourcePipeline.pipeline.router,
      matcher: compileExpression(template.matcher),
      signer: template.signer,
      tickerInterval: template.ticker,
      onTerminated: (end) => this.end(end),
      onGone: () => sourcePipeline.pipeline.router.remove(this.runner),
    });
  }

  get id(): string {
    return filterId(this.source.id, this.template.name);
  }

  /** The reason of its end; null: it has not ended. */
  get ended(): End | null {
    return this.#ended;
  }

  end(end: End): void {
    if (this.#ended !== null || this.stopped) return;
    this.#ended = end;
    this.#onEnded(this, end);
  }

  /** Requests the report of the sandbox. */
  async poll(): Promise<void> {
    if (!this.sandbox.started || this.#final || this.stopped) return;
    this.#final = this.#ended !== null;
    const before = this.#report;
    const report = await this.sandbox.report().catch(() => before);
    if (report === null) return;
    this.#report = report;
    this.#taken.add(Math.max(0, report.processed - (before?.processed ?? 0)));
    this.#injected.add(Math.max(0, report.injected - (before?.injected ?? 0)));
  }

  info(): PluginInfo {
    const { template, source, sandbox, stopped } = this;
    const progress = stopped || this.resting ? null : this.progress;
    const flows = this.#ended === null && !stopped;
    return pluginInfo({
      id: this.id,
      section: template.name,
      bundled: template.builtIn,
      matcher: template.matcher,
      source: source.id,
      spec: sandbox.spec,
      end: this.#ended,
      report: this.#report,
      stopped,
      progress,
      waiting: !sandbox.started,
      rate: flows ? this.#taken.rate() : 0,
      injectedRate: flows ? this.#injected.rate() : 0,
    });
  }
}

/** The id of a filter: the number of its source, and its section. */
const filterId = (source: number, section: string): string => `filter/${source}/${section}`;
