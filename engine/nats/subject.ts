import type { Message } from '../message/types.ts';

/** Headers that a subject can have parts of. */
const HEADERS = { Hostname: 'hostname', Logger: 'logger', Type: 'type' } as const;
type Header = keyof typeof HEADERS;

/** The headers of a message that a subject can have parts of. */
type NamedHeaders = { readonly [K in (typeof HEADERS)[Header]]?: Message[K] | undefined };

const PLACE = /\{([^{}]*)\}/g;

/** The places in a template that name no header. */
export const unknownPlaces = (template: string): string[] =>
  [...template.matchAll(PLACE)].map(([, name = '']) => name).filter((name) => !Object.hasOwn(HEADERS, name));

/** Makes the subjects of messages of a template such as `logs.{Hostname}.{Type}`. */
export class Subjects {
  readonly #template: string;
  /** All messages have the same. */
  readonly isFixed: boolean;
  #last: (NamedHeaders & { readonly subject: string }) | null = null;

  constructor(template: string) {
    this.#template = template;
    this.isFixed = !template.includes('{');
  }

  /** Messages with the same headers come one behind the other, mostly. */
  of(message: NamedHeaders): string {
    if (this.isFixed) return this.#template;
    const { hostname, logger, type } = message;
    const last = this.#last;
    if (last !== null && last.hostname === hostname && last.logger === logger && last.type === type) return last.subject;
    const subject = this.#template.replaceAll(PLACE, (_, name: Header) => tokenOf(message[HEADERS[name]]));
    this.#last = { hostname, logger, type, subject };
    return subject;
  }
}

/** One token of a subject: a dot begins the next one, `*`, `>` and blanks mean something else or nothing, and names that begin with `$` are the server's. */
function tokenOf(text = ''): string {
  return text === ''
    ? '_'
    : text
        .replaceAll(/^\$|[\s.*>\p{Cc}]/gu, '_')
        .slice(0, MAX_TOKEN)
        .replace(CUT_CHARACTER, '');
}

/** Characters of a token that come from a message. */
const MAX_TOKEN = 100;
/** The first half of a character whose second half was cut off. */
const CUT_CHARACTER = /[\uD800-\uDBFF]$/;
