import { firstIndex } from '../message/binary-search.ts';
import type { SeverityShare, ViewFacts } from '../api/view-types.ts';
import { alikeInBoth, type AlikeFields } from './alike-fields.ts';
import { sharedType, type SharedType } from './record-kind.ts';
import { withSeverity } from './summary.ts';
import type { Rows } from './query.ts';
import { partRange } from './segment.ts';
import type { ViewEntry } from './view-entry.ts';

/** One in so many records with a severity is enough, whatever the form of their sources. */
const MANY_OF = 100;

/** Records from which on fields that say the same in all of them are told: of few records it says little. */
const TELLING = 50;

/**
 * Gathers the properties of what a view shows, segment by segment. Type, texts, fractions and fields that are alike are those of whole parts of segments: what a filter leaves out
 * of a part counts as well.
 */
export class Facts {
  #from = Infinity;
  #to = -Infinity;
  /** Records with a severity. */
  #severities = 0;
  /** Whether records of the form of their source have severities, and not those alone that stand between them. */
  #usual = false;
  #type: SharedType = undefined;
  readonly #sources = new Set<number>();
  #texts = false;
  #fractions = false;
  #alike: AlikeFields = undefined;
  #count = 0;

  include({ segment, summary, rows, count }: ViewEntry): void {
    if (count === 0) return;
    this.#from = Math.min(this.#from, summary.minTime);
    this.#to = Math.max(this.#to, summary.maxTime);
    this.#severities += withSeverity(summary);
    this.#count += count;
    for (const [part, { removed, source, type, texts, severities, fractions, alike }] of segment.parts.entries()) {
      if (removed || !hasRows(rows, partRange(segment, part))) continue;
      this.#sources.add(source);
      this.#type = sharedType(this.#type, type);
      this.#texts ||= texts;
      this.#usual ||= severities;
      this.#fractions ||= fractions;
      this.#alike = alikeInBoth(this.#alike, alike);
    }
  }

  get facts(): ViewFacts {
    const span = this.#from > this.#to ? null : { from: this.#from, to: this.#to };
    const alike = this.#count < TELLING ? {} : Object.fromEntries(this.#alike ?? []);
    const sources = [...this.#sources].sort((a, b) => a - b);
    return { span, severities: this.#share(), sources, type: this.#type ?? null, texts: this.#texts, fractions: this.#fractions, alike };
  }

  #share(): SeverityShare {
    if (this.#severities === 0) return 'none';
    return this.#usual || this.#severities * MANY_OF >= this.#count ? 'many' : 'few';
  }
}

/** Whether any of the rows, in ascending order, is in a range; null: they are all. */
function hasRows(rows: Rows, [from, to]: readonly [from: number, to: number]): boolean {
  if (rows === null) return true;
  const row = rows[firstIndex(rows.length, (i) => (rows[i] as number) >= from)];
  return row !== undefined && row < to;
}
