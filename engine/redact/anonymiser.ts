import { Keyed } from './keyed.ts';
import { host, PLAIN, Redactor, secret, user, type Replace } from './redactor.ts';

/** The kind of what a field holds, by its name: a pseudonym takes the place of its whole value wherever that stands. */
const KINDS: readonly (readonly [name: RegExp, replace: Replace])[] = [
  [
    /^(?:.*[_.-])?(?:host|hostname|host[_.-]?name|server|server[_.-]?name|node|machine|computer|computer[_.-]?name|vhost|upstream|domain)$/i,
    host,
  ],
  [/^(?:.*[_.-])?(?:user|user[_.-]?name|user[_.-]?id|usr|login|account|acct|uname|logname|owner|principal|subject|email)$/i, user],
  [
    /^(?:.*[_.-])?(?:token|secret|password|passwd|api[_.-]?key|access[_.-]?key|session|session[_.-]?id|cookie|authorization|signature|csrf)$/i,
    secret,
  ],
];
/** Hosts in texts: of a URL, behind the name of something, behind an account, or by their ends. */
const HOSTS = [
  /(?<=:\/\/(?:[^\s/@"']{1,256}@)?)[\p{L}\p{N}][\p{L}\p{N}.-]{0,253}/giu,
  /(?<=\b(?:host|hostname|server|node|upstream|vhost|server_name)\\?["']?\s{0,3}(?:=>?|:)\s{0,3}\\?["']?)[\p{L}\p{N}][\p{L}\p{N}.-]{0,253}/giu,
  /(?<=[\p{L}\p{N}]@)[\p{L}\p{N}][\p{L}\p{N}.-]{0,253}/giu,
  /(?<![\p{L}\p{N}._/-])(?!(?:com|org|net|io|java|javax|jakarta)\.)(?:[a-z0-9-]{1,63}\.){1,8}(?:com|net|org|info|biz|edu|gov|cloud|local|lan|localdomain|internal|intranet|corp|home|example|test|invalid|de|at|ch|fr|uk|eu|us|nl|it|es|se|no|dk|fi|cz|ru|cn|jp|br|in|au|ca)(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}])/giu,
];
/** Words that name nobody, and those of which pseudonyms consist. */
const NO_NAME = /^(?:localhost|localdomain|host|user|secret|example|server|node|domain|true|false|[\d.,:_-]*)$/i;
const RUN = /[\p{L}\p{N}]+/gu;
const IS_RUN = /[\p{L}\p{N}]/u;
/** Secrets that are tried until no pseudonym is an original: some that keep what kind of network an address is of, and some that do not. */
const TRIES = 12;

interface Word {
  readonly lower: string;
  readonly replace: Replace;
}

/**
 * Puts pseudonyms in the place of what tells of people and machines, throughout a set of texts. All texts are learned first: the value of a field for a host or a user
 * is then found in any text, and no pseudonym is equal to an original or to that of another one.
 */
export class Anonymiser {
  #redactor = new Redactor(new Keyed(), Infinity);
  #keyed = new Keyed();
  /** Values that are replaced wherever they stand, by their first letters and digits; the longest first. */
  readonly #words = new Map<string, Word[]>();
  readonly #made = new Map<string, string>();

  /** Finds what tells of somebody in a text that is to be anonymised. */
  learn(text: string): void {
    this.#redactor.text(text);
    for (const pattern of HOSTS) for (const [found] of text.matchAll(pattern)) this.#add(found.replace(/\.+$/, ''), host);
  }

  /** The same for the value of a field. */
  learnValue(name: string, value: string): void {
    const [, replace] = KINDS.find(([pattern]) => pattern.test(name)) ?? [];
    if (replace !== undefined && this.#redactor.text(value) === value) this.#add(value, replace);
    else this.learn(value);
  }

  /** Chooses the pseudonyms of all that was learned. @throws {Error} when each choice has one that is an original */
  settle(): void {
    const probe = this.#redactor.rekeyed(new Keyed());
    const others = new Map(probe.pairs);
    const found = this.#redactor.pairs.filter(([original, made]) => original !== made || others.get(original) !== original);
    for (const [original] of found) if (!/[\s=&;]/.test(original) && !isAddress(original)) this.#add(original, user);
    const originals = new Set(found.map(([original]) => original.toLowerCase()));
    const words = [...this.#words.values()].flat();
    for (const { lower } of words) originals.add(lower);
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const keyed = new Keyed(undefined, attempt < TRIES / 2);
      const redactor = this.#redactor.rekeyed(keyed);
      const pairs = new Map(redactor.pairs.filter(([original]) => originals.has(original.toLowerCase())));
      const named = words.map(({ lower, replace }) => [lower, pairs.get(lower) ?? replace(keyed, lower)] as const);
      if (!areApart([...pairs, ...named], originals)) continue;
      this.#redactor = redactor;
      this.#keyed = keyed;
      this.#made.clear();
      for (const [lower, made] of named) this.#made.set(lower, made);
      return;
    }
    throw new Error('No pseudonyms were found of which none is an original.');
  }

  /** The text with pseudonyms. */
  text(text: string): string {
    return this.#named(this.#redactor.text(text));
  }

  #add(value: string, replace: Replace): void {
    const trimmed = value.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
    if (trimmed.length < 2 || PLAIN.test(trimmed) || NO_NAME.test(trimmed)) return;
    const lower = trimmed.toLowerCase();
    const [first = ''] = /^[\p{L}\p{N}]+/u.exec(lower) ?? [];
    const words = this.#words.get(first) ?? [];
    if (words.some((word) => word.lower === lower)) return;
    this.#words.set(
      first,
      [...words, { lower, replace }].sort((a, b) => b.lower.length - a.lower.length),
    );
    // The short name of a host stands for it, too.
    const short = replace === host ? lower.split('.')[0] : undefined;
    if (short !== undefined && short !== lower && /[\d-]/.test(short)) this.#add(short, host);
  }

  #named(text: string): string {
    if (this.#words.size === 0) return text;
    let made = '';
    let last = 0;
    for (const { 0: run, index } of text.matchAll(RUN)) {
      if (index < last) continue;
      const word = this.#words.get(run.toLowerCase())?.find(({ lower }) => isAt(text, index, lower));
      if (word === undefined) continue;
      made += text.slice(last, index) + (this.#made.get(word.lower) ?? word.replace(this.#keyed, word.lower));
      last = index + word.lower.length;
    }
    return made + text.slice(last);
  }
}

const isAddress = (text: string): boolean => /^(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f:]*:[\da-f:.]*)$/i.test(text);

/** Whether a word stands there and does not go on. */
function isAt(text: string, index: number, lower: string): boolean {
  const end = index + lower.length;
  return text.slice(index, end).toLowerCase() === lower && !IS_RUN.test(text.slice(end, end + 2).match(/^./u)?.[0] ?? '');
}

/** Whether no pseudonym is an original or that of another original. */
function areApart(pairs: readonly (readonly [original: string, made: string])[], originals: ReadonlySet<string>): boolean {
  const taken = new Map<string, string>();
  for (const [original, made] of pairs) {
    const [one, other] = [original.toLowerCase(), made.toLowerCase()];
    if (originals.has(other) || (taken.get(other) ?? one) !== one) return false;
    taken.set(other, one);
  }
  return true;
}
