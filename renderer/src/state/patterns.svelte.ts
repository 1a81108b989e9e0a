import type { LogPatterns, Overview } from '../../../engine/api/types.ts';
import { fieldVariable } from '../../../engine/api/filter/expression.ts';
import { errorText, type Client } from '../lib/api.ts';

/** State of a pattern since a time: new when its first line is later, gone when its last one is earlier. */
export type PatternState = 'new' | 'gone' | 'known';

const MOST_PATTERNS = 500;

/** Fields that tell what a record without a text of its own is about. */
const TELLING = ['message', 'msg', 'request', 'request_uri', 'uri', 'url', 'path', 'cs-uri-stem', 'query', 'statement', 'event'];

/** The variable whose values stand for records that have no text of their own: a line would begin with its address, and end with a browser. null: the lines. */
export function tellingVariable({ fields, records }: Pick<Overview, 'fields' | 'records'>): string | null {
  const known = fields.filter(({ isHeader, types, records: count }) => !isHeader && types[0]?.type === 'string' && count * 2 >= records);
  const name = TELLING.find((telling) => known.some((field) => field.name === telling));
  return name === undefined ? null : fieldVariable(name);
}

/** The patterns of the records that are shown. */
export class Patterns {
  value = $state.raw<LogPatterns | null>(null);
  /** The variable whose values are looked at, as someone chose; null: the text of the records; undefined: nobody chose. */
  variable = $state<string | null | undefined>(undefined);
  /** The same, of what was found. */
  foundIn = $state<string | null>(null);
  problem = $state<string | null>(null);
  busy = $state(false);
  /** Time since which patterns are new or gone; null: none is chosen. It stays when another view is shown. */
  since = $state<number | null>(null);
  /** The patterns that are listed. */
  shown = $state<PatternState | 'all'>('all');
  readonly #client: Client;
  readonly #view: () => number | null;
  #run = 0;

  constructor(client: Client, view: () => number | null) {
    this.#client = client;
    this.#view = view;
  }

  /** Finds them anew; what was found before stays until then. @param texts whether records have texts of their own */
  async find(of: Pick<Overview, 'fields' | 'records'>, texts: boolean): Promise<void> {
    const run = ++this.#run;
    const variable = this.variable === undefined ? (texts ? null : tellingVariable(of)) : this.variable;
    this.problem = null;
    this.busy = true;
    try {
      for (let complete = false; !complete && run === this.#run;) {
        const view = this.#view();
        if (view === null) return;
        const value = await this.#client.request('view.patterns', { view, limit: MOST_PATTERNS, variable: variable ?? undefined });
        if (run === this.#run) [this.value, this.foundIn] = [value, variable];
        ({ complete } = value);
      }
    } catch (error) {
      if (run === this.#run) this.problem = errorText(error);
    } finally {
      if (run === this.#run) this.busy = false;
    }
  }

  /** Nobody looks at them any more. */
  stop(): void {
    this.#run++;
    this.busy = false;
  }
}
