import { belowHeight, isCrowded, paneSizes } from '../lib/table/pane-layout.ts';
import type { Builder } from './builder.svelte.ts';
import type { Engine } from './engine.svelte.ts';
import type { Logs } from './logs.svelte.ts';
import type { Marks } from './marks.svelte.ts';
import type { Prefs } from './prefs.svelte.ts';

interface PanesOptions {
  readonly prefs: Prefs;
  readonly engine: Pick<Engine, 'sources'>;
  readonly logs: Logs;
  readonly marks: Marks;
  readonly builder: Pick<Builder, 'inPane'>;
}

/** The panes beside the main view. In a narrow window an inspector that has nothing to show leaves its room to the records. */
export class Panes {
  /** Pixels of the window without the rail. */
  width = $state(0);
  /** Pixels of the window without its bars. */
  height = $state(0);
  /** Someone opened the inspector although it has nothing to show. */
  #called = $state(false);
  readonly #options: PanesOptions;

  constructor(options: PanesOptions) {
    this.#options = options;
  }

  readonly #rests = $derived.by(() => {
    const { prefs, logs, marks, builder } = this.#options;
    const shows = logs.detail.record !== null || logs.detail.problem !== null || builder.inPane || marks.open;
    return !shows && !this.#called && !prefs.inspectorBelow && isCrowded(this.width, prefs.sources, prefs.inspector);
  });
  /** Whether the inspector is open in the Logs view. */
  readonly inspects = $derived.by(() => this.#options.prefs.inspector.open && !this.#rests);
  readonly sizes = $derived.by(() => {
    const { prefs, engine } = this.#options;
    const isPossible = prefs.view === 'logs' && engine.sources.length > 0;
    const open = isPossible && this.inspects;
    const below = open && prefs.inspectorBelow ? belowHeight(this.height, prefs.belowSize) : 0;
    return { ...paneSizes(this.width, prefs.sources, { ...prefs.inspector, open: open && below === 0 }), below };
  });

  /** Lays the inspector below the records, or beside them again, and opens it. */
  moveInspector(): void {
    const { prefs } = this.#options;
    prefs.inspectorBelow = !prefs.inspectorBelow;
    if (!this.inspects) this.toggleInspector();
  }

  toggleInspector(): void {
    const { prefs } = this.#options;
    const open = !this.inspects;
    prefs.inspector = { ...prefs.inspector, open };
    this.#called = open;
  }
}
