import { namedGroups } from '../matcher/regex/groups.ts';
import type { Config } from '../plugins/parameters.ts';
import { decoderSplit, splitRule, type SplitRule } from '../plugins/split.ts';
import type { LookMeta, PluginScript } from '../plugins/types.ts';
import { FORMS } from './forms/forms.ts';
import { sampleOf, withoutColours, type Head } from './forms/head.ts';
import type { Patterns } from './forms/patterns.ts';

/** A decoder that may fit, with its parameters. */
export interface DecoderCandidate {
  readonly decoder: PluginScript;
  readonly config: Readonly<Config>;
  /** Records to try it with. */
  readonly records: readonly string[];
}

/** One way to recognise the files of a decoder, given in its meta. */
export class Look {
  readonly decoder: PluginScript;
  readonly meta: LookMeta;
  readonly #patterns: Patterns;

  /** @param patterns of the decoder */
  constructor(decoder: PluginScript, meta: LookMeta, patterns: Patterns) {
    this.decoder = decoder;
    this.meta = meta;
    this.#patterns = patterns;
  }

  /** Returns the parameters with which the decoder is worth a try, the likeliest first. Does not run the script. */
  candidates(head: Head): DecoderCandidate[] {
    const { decoder, meta } = this;
    const [config = {}] = meta.configs;
    if (!this.#fitsText(head) || !this.#fitsLines(head, splitRule(decoder.meta, config))) return [];
    if (meta.records.length > 0 && !this.#fits(meta.records, this.#records(head, config).map(withoutColours))) return [];
    if (meta.form === null) return this.#configs(head).map((own) => ({ decoder, config: own, records: this.#records(head, own) }));
    return FORMS[meta.form](head).flatMap(({ config: found, records }) =>
      meta.configs.map((own) => {
        const all = { ...found, ...own };
        return { decoder, config: all, records: records ?? this.#records(head, all) };
      }),
    );
  }

  /** Cuts the text as the decoder asks for; the sample's lines when its records are lines. */
  #records(head: Head, config: Readonly<Config>): readonly string[] {
    const split = splitRule(this.decoder.meta, config);
    if (split === 'line') return head.lines;
    if (split === 'none') return head.text.trim() === '' ? [] : [head.text];
    if (typeof split === 'string' || !('before' in split)) return sampleOf(head.cut(decoderSplit(this.decoder, config)));
    const { before, preamble } = split;
    const isPreamble = preamble === undefined ? () => false : this.#patterns.test(preamble);
    return head.recordsFrom(this.#patterns.test(`^\ufeff?(?:${before})`), isPreamble);
  }

  #fitsText({ text }: Head): boolean {
    const occurs = (source: string): boolean => this.#patterns.test(source)(text);
    return this.meta.text.every(occurs) && !this.meta.without.some(occurs);
  }

  /** Lines that are indented belong to the record before them where a decoder joins lines. */
  #fitsLines(head: Head, split: SplitRule): boolean {
    const { lines, fewest } = this.meta;
    if (head.lines.length < fewest) return false;
    if (lines.length === 0) return true;
    const joins = typeof split === 'object' && 'before' in split;
    return this.#fits(lines, joins ? head.outerLines : head.plainLines) || (joins && this.#fits(lines, this.#ownLines(head, lines)));
  }

  /** The lines that are not indented, and the indented ones that match: those of Consul on a terminal are, behind a banner that is not. */
  #ownLines({ plainLines }: Head, sources: readonly string[]): readonly string[] {
    const patterns = sources.map((source) => this.#patterns.test(source));
    return plainLines.filter((line) => !/^\s/.test(line) || patterns.every((test) => test(line)));
  }

  /** Tells whether enough lines or records match. */
  #fits(sources: readonly string[], parts: readonly string[]): boolean {
    const patterns = sources.map((source) => this.#patterns.test(source));
    const others = this.meta.not.map((source) => this.#patterns.test(source));
    const most = parts.length - Math.ceil(parts.length * this.meta.least - ROUNDING);
    let misfits = 0;
    for (const part of parts) {
      if (patterns.every((test) => test(part)) && !others.some((test) => test(part))) continue;
      if (++misfits > most) return false;
    }
    return parts.length > 0;
  }

  /** Fills the placeholders of the parameter sets with the texts of the named groups. */
  #configs({ text }: Head): readonly Readonly<Config>[] {
    const { configs } = this.meta;
    const sources = this.meta.text.filter((source) => source.includes('(?<') || source.includes('(?P<'));
    if (sources.length === 0) return configs;
    const groups = Object.fromEntries(sources.flatMap((source) => Object.entries(namedGroups(source, text))));
    const fill = (value: string): string =>
      value.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(groups, name) ? (groups[name] ?? '') : whole));
    return configs.map((config) =>
      Object.fromEntries(Object.entries(config).map(([name, value]) => [name, typeof value === 'string' ? fill(value) : value])),
    );
  }
}

/** Tolerance for floating point: 0.6 · 5 is a little more than 3. */
const ROUNDING = 1e-9;
