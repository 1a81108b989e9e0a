import type { Message } from '../message/types.ts';

/** Headers that a subject can have parts of. */
const HEADERS = { Hostname: 'hostname', Logger: 'logger', Type: 'type' } as const;
type Header = keyof typeof HEADERS;

const PLACE = /\{([^{}]*)\}/g;

/** The places in a template that name no header. */
export const unknownPlaces = (template: string): string[] =>
  [...template.matchAll(PLACE)].map(([, name = '']) => name).filter((name) => !Object.hasOwn(HEADERS, name));

/** Makes the subjects of messages of a template such as `logs.{Hostname}.{Type}`. */
export class Subjects {
  readonly #template: string;
  /** All messages have the same. */
  readonly isFixed: boolean;

  constructor(template: string) {
    this.#template = template;
    this.isFixed = !template.includes('{');
  }

  of(message: Message): string {
    return this.isFixed ? this.#template : this.#template.replaceAll(PLACE, (_, name: Header) => tokenOf(message[HEADERS[name]]));
  }
}

/** One token of a subject: a dot begins the next one, and `*`, `>` and blanks mean something else or nothing. */
function tokenOf(text = ''): string {
  return text === '' ? '_' : text.replaceAll(/[\s.*>\p{Cc}]/gu, '_').slice(0, MAX_TOKEN);
}

/** Characters of a token that come from a message. */
const MAX_TOKEN = 100;
