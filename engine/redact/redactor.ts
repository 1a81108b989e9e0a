import { otherIpv4, otherIpv6, otherMac } from './addresses.ts';
import { Keyed } from './keyed.ts';

export type Replace = (keyed: Keyed, text: string) => string;

/** Kind of text that tells of somebody, and the pattern that finds it. */
interface Rule {
  /** Text before it, which stays. */
  readonly behind?: string;
  readonly pattern: string;
  readonly replace: Replace;
}

/** Between the name of something and its value, as in `user=x`, `"user": "x"`, `User x`. */
const IS = String.raw`\\?["']?\s{0,3}(?:=>?|:)\s{0,3}`;
const SECRETS = [
  ...['password', 'passwd', 'passphrase', 'pwd', 'secret', 'token', 'api[_-]?key', 'access[_-]?key', 'private[_-]?key', 'authorization'],
  ...['credentials?', 'session(?:[_-]?id)?', 'csrf', 'sid', 'signature', 'otp'],
].join('|');
const USERS = [
  'user(?:[_-]?(?:name|id))?',
  'usr',
  'ruser',
  'login',
  'logname',
  'account',
  'acct',
  'uname',
  'owner',
  'email',
  'subject',
].join('|');
const SCHEMES = String.raw`(?:Bearer|Basic|Digest|Negotiate)\s{1,3}`;
const NAME = String.raw`[\p{L}\p{N}_][\p{L}\p{N}_.@\\$+-]{0,63}`;
const HEX = '[0-9a-fA-F]';

export const user: Replace = (keyed, text) => `user-${keyed.letters('user', text.toLowerCase(), 8)}`;
export const secret: Replace = (keyed, text) => `secret-${keyed.letters('secret', text, 10)}`;

export const host: Replace = (keyed, text) => `host-${keyed.letters('host', text.toLowerCase(), 8)}`;

const mail: Replace = (keyed, text) => {
  const [name = '', place = ''] = text.toLowerCase().split(/@|%40/);
  return `${user(keyed, name)}${text.includes('@') ? '@' : '%40'}${host(keyed, place)}.example`;
};

/** Words in the place of a name that are none, and accounts that are the same on each machine. */
export const PLAIN =
  /^(?:-|root|nobody|null|none|true|false|undefined|anonymous|unknown|system|daemon|www-data|invalid|agent|user|name|login|account|\d{1,3})$/i;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** In the place of a name may stand something else that tells of somebody. */
const named: Replace = (keyed, text) => {
  if (PLAIN.test(text)) return text;
  if (IPV4.test(text)) return otherIpv4(keyed, text);
  return (/^[^@]+@[^@]+\.\p{L}{2,}$/u.test(text) ? mail : user)(keyed, text);
};

/** A text with other digits in the same form, such as that of a Uuid. */
const sameForm: Replace = (keyed, text) => {
  const digits = keyed.letters('token', text.toLowerCase(), text.length, '0123456789abcdef');
  return text.replace(/[0-9a-f]/gi, (digit, at: number) => {
    const other = digits[at] as string;
    return /[A-F]/.test(digit) ? other.toUpperCase() : other;
  });
};

/** A long word of letters of both cases and digits; paths have such parts, too. */
const opaque: Replace = (keyed, text) => {
  const isMixed = /\d/.test(text) && /[A-Z]/.test(text) && /[a-z]/.test(text);
  return isMixed && text.split('/').length < 5 ? secret(keyed, text) : text;
};

/** Of those that fit at a place the first one is taken. */
const RULES: readonly Rule[] = [
  {
    behind: String.raw`:\/\/`,
    pattern: String.raw`[^\s\/@"']{1,256}(?=@)`,
    replace: (keyed, text) => {
      const at = text.indexOf(':');
      return at < 0 ? user(keyed, text) : `${user(keyed, text.slice(0, at))}:${secret(keyed, text.slice(at + 1))}`;
    },
  },
  { behind: String.raw`\b(?:set-)?cookie${IS}["']?`, pattern: String.raw`[^"'\r\n]{1,4096}`, replace: secret },
  { behind: String.raw`(?:\b|[_-])(?:${SECRETS})${IS}\\?"(?:${SCHEMES})?`, pattern: String.raw`[^"\\\r\n]{1,4096}`, replace: secret },
  {
    behind: String.raw`(?:\b|[_-])(?:${SECRETS})${IS}'?(?:${SCHEMES})?`,
    pattern: String.raw`[^\s"'&,;\]})]{1,4096}`,
    replace: secret,
  },
  { behind: String.raw`\b(?:${USERS})${IS}\\?["']?`, pattern: NAME, replace: named },
  {
    behind: String.raw`\b(?:(?:invalid|illegal|for|by|session opened for)\suser|user|(?:accepted|failed)\s\w{1,32}\sfor)\s`,
    pattern: String.raw`${NAME}(?=\s(?:from|by|on|at|logged|does|is|not|has|password)\b|[,;:(]|$)`,
    replace: named,
  },
  { behind: String.raw`[\\\/](?:home|Users)[\\\/]{1,2}`, pattern: String.raw`[^\s\/\\"':;,<>|*?]{1,64}`, replace: user },
  { behind: `\\b${SCHEMES}`, pattern: String.raw`[\w.~+\/=-]{6,4096}`, replace: secret },
  {
    pattern: String.raw`\b(?:eyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)?|gh[pousr]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{8,}|A[KS]IA[0-9A-Z]{16}|AIza[\w-]{30,}|sk[-_][\w-]{16,})`,
    replace: secret,
  },
  { pattern: String.raw`(?<!${HEX}|[:-])${HEX}{2}(?<between>[:-])(?:${HEX}{2}\k<between>){4}${HEX}{2}(?!${HEX}|[:-])`, replace: otherMac },
  {
    pattern: String.raw`(?<![\p{L}\p{N}_:.])(?:${HEX}{1,4}|(?=::)):(?:${HEX}{0,4}:){1,6}(?:\d{1,3}(?:\.\d{1,3}){3}|${HEX}{0,4})(?![\p{L}\p{N}_:])`,
    replace: otherIpv6,
  },
  { pattern: String.raw`(?<=\s-\s)[^\s\[]{1,64}(?=\s\[\d)`, replace: named },
  { pattern: String.raw`(?<!\d|\d\.)\d{1,3}(?:\.\d{1,3}){3}(?!\d|\.\d)`, replace: otherIpv4 },
  { pattern: String.raw`(?<!${HEX})${HEX}{8}(?:-${HEX}{4}){3}-${HEX}{12}(?!${HEX})`, replace: sameForm },
  { pattern: String.raw`(?<![\p{L}\p{N}_])${HEX}{32,}(?![\p{L}\p{N}_])`, replace: sameForm },
  { pattern: String.raw`(?<![\w+\/=-])[A-Za-z0-9+\/_-]{40,}={0,2}`, replace: opaque },
  {
    pattern: String.raw`(?<![\p{L}\p{N}._+-])[\p{L}\p{N}_][\p{L}\p{N}._+-]{0,63}(?:@|%40)(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}`,
    replace: mail,
  },
];

const patternOf = ({ behind, pattern }: Rule, at: number): string =>
  `${behind === undefined ? '' : `(?<behind${at}>${behind})`}(?<found${at}>${pattern})`;
const ALL = new RegExp(RULES.map(patternOf).join('|'), 'gimu');
/** Pseudonyms that are remembered. */
const REMEMBERED = 100_000;

/**
 * Puts pseudonyms in the place of what tells of people and machines: addresses, mail addresses, tokens and other secrets, user names, and home folders. They have the
 * form of what they stand for, so that decoders still read the text. One original has one pseudonym for as long as the secret is the same.
 */
export class Redactor {
  readonly #keyed: Keyed;
  readonly #known = new Map<string, string>();
  readonly #most: number;

  /** @param most pseudonyms that are remembered */
  constructor(keyed = new Keyed(), most = REMEMBERED) {
    this.#keyed = keyed;
    this.#most = most;
  }

  /** The originals that were found, with their pseudonyms; some stay as they are. */
  get pairs(): (readonly [original: string, made: string])[] {
    return Array.from(this.#known, ([key, made]) => [key.slice(key.indexOf(' ') + 1), made] as const);
  }

  /** One with other pseudonyms for what was found so far. */
  rekeyed(keyed: Keyed): Redactor {
    const other = new Redactor(keyed, this.#most);
    for (const key of this.#known.keys()) other.#made(key);
    return other;
  }

  /** A text without originals. */
  text(text: string): string {
    return text.replace(ALL, (...parts: readonly unknown[]) => this.#replaced(parts.at(-1) as Readonly<Record<string, string>>));
  }

  #replaced(groups: Readonly<Record<string, string | undefined>>): string {
    const at = RULES.findIndex((_, rule) => groups[`found${rule}`] !== undefined);
    const [found = '', behind = ''] = [groups[`found${at}`], groups[`behind${at}`]];
    return behind + this.#made(`${at} ${found}`);
  }

  /** The pseudonym of an original, which stands behind the number of its rule. */
  #made(key: string): string {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const space = key.indexOf(' ');
    const made = (RULES[Number(key.slice(0, space))] as Rule).replace(this.#keyed, key.slice(space + 1));
    if (this.#known.size >= this.#most) this.#known.clear();
    this.#known.set(key, made);
    return made;
  }
}
