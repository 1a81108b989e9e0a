/** Decoders of events in JSON whose members are known by their names. */
import { flatten, isObject, jsonText, type ExactJson, type ExactObject } from '../../modules/json.ts';
import type { LogMessage } from '../../modules/table_writer.ts';
import type { HeaderDefaults } from '../header/record_headers.ts';
import { RecordMessage } from '../record_message.ts';

/** The rules by which events become messages. */
export interface EventForm {
  /** Members that become headers. */
  readonly headers: HeaderDefaults;
  /** Members of the event that are kept as their JSON text. */
  readonly whole?: readonly string[];
  /** The units of numbers. */
  readonly units?: Readonly<Record<string, string>>;
  /** Headers that are made of several members. */
  readonly known: (event: ExactObject) => LogMessage;
}

const tooDeep: ProcessStatus = [-1, 'nested too deeply'];

/** Makes messages of events, by the parameters type and payload_keep. */
export class JsonEvents {
  readonly #message: RecordMessage;
  readonly #form: EventForm;
  readonly #whole: ReadonlySet<string>;
  readonly #units: ReadonlyMap<string, string>;

  /** @param isConfigured false: parameters are of no concern, as for an event within an envelope */
  constructor(form: EventForm, isConfigured = true) {
    this.#message = new RecordMessage(form.headers, { isConfigured });
    this.#form = form;
    this.#whole = new Set(form.whole);
    this.#units = new Map(Object.entries(form.units ?? {}));
  }

  /** Injects the message of an event; [start, end) of the text is its record. Returns the status of `process_message`. */
  inject(event: ExactObject, text: string, start: number, end: number): ProcessStatus {
    return this.#collect(event) ? this.#message.inject(text, start, end, this.#form.known(event)) : tooDeep;
  }

  /** The message of an event; null when it is nested too deeply. */
  build(event: ExactObject): LogMessage | null {
    return this.#collect(event) ? this.#message.build(this.#form.known(event)) : null;
  }

  /** Collects the members of an event. False when it is nested too deeply. */
  #collect(event: ExactObject): boolean {
    const message = this.#message;
    message.begin();
    try {
      flatten(this.#flat(event), (name, value, isJson) => {
        const json = isJson || (this.#whole.has(name) && typeof value === 'string');
        message.add(name, value, json ? 'json' : this.#units.get(name));
      });
    } catch {
      return false;
    }
    return true;
  }

  /** Injects a message for each event of a list. Other items are left out. */
  injectAll(events: readonly ExactJson[]): ProcessStatus {
    for (const event of events) {
      if (!isObject(event)) continue;
      const text = jsonText(event);
      const status = this.inject(event, text, 0, text.length);
      if (status !== 0) return status;
    }
    return 0;
  }

  /** The event with members in `whole` as texts. */
  #flat(event: ExactObject): ExactObject {
    if (this.#whole.size === 0) return event;
    return Object.fromEntries(
      Object.entries(event).map(([name, member]) =>
        this.#whole.has(name) && typeof member === 'object' && member !== null ? [name, jsonText(member)] : [name, member],
      ),
    );
  }
}

/** The member that a path of names leads to; undefined when there is none. */
export function memberAt(event: ExactObject, ...path: readonly string[]): ExactJson | undefined {
  let at: ExactJson | undefined = event;
  for (const name of path) {
    if (at === undefined || !isObject(at) || !Object.hasOwn(at, name)) return undefined;
    at = at[name];
  }
  return at;
}
