import type { ViewFacts } from '../api/view-types.ts';
import { sharedType, type SharedType } from './record-kind.ts';
import { hasSeverities } from './summary.ts';
import type { ViewEntry } from './view.ts';

/** Gathers the properties of what a view shows, segment by segment. Type, texts and fractions are those of whole segments: what a filter leaves out counts as well. */
export class Facts {
  #from = Infinity;
  #to = -Infinity;
  #severities = false;
  #type: SharedType = undefined;
  #texts = false;
  #fractions = false;

  include({ segment, summary, count }: ViewEntry): void {
    if (count === 0) return;
    this.#from = Math.min(this.#from, summary.minTime);
    this.#to = Math.max(this.#to, summary.maxTime);
    this.#severities ||= hasSeverities(summary);
    for (const { removed, type, texts, fractions } of segment.parts) {
      if (removed) continue;
      this.#type = sharedType(this.#type, type);
      this.#texts ||= texts;
      this.#fractions ||= fractions;
    }
  }

  get facts(): ViewFacts {
    const span = this.#from > this.#to ? null : { from: this.#from, to: this.#to };
    return { span, severities: this.#severities, type: this.#type ?? null, texts: this.#texts, fractions: this.#fractions };
  }
}
