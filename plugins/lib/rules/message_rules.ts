/** Messages in plain words whose forms are known: from a message to what happened in it. */
import { hostForm } from '../hosts.ts';
import { numberedPattern, type NumberedPattern } from '../../base/numbered_pattern.ts';
import { plainNumber } from '../../base/scan.ts';
import type { LogField } from '../../modules/table_writer.ts';

/** A form of messages: its named groups become fields. */
export interface MessageRule {
  /** The value of the field event. */
  readonly event: string;
  /** A text that is in every message of this form; it is looked for before the pattern is tried. */
  readonly word?: string;
  readonly pattern: RegExp;
}

/** Fields that are no plain texts. */
export interface RuleFields {
  /** Numbers with their representations; an empty one is none. */
  readonly numbers: Readonly<Record<string, string>>;
  /** Addresses or names of hosts. */
  readonly hosts: readonly string[];
}

/** Makes the field that a text of this name is. */
export type FieldMaker = (name: string, value: string) => LogField;

const HOST = Symbol('host');

export function fieldMaker({ numbers, hosts }: RuleFields): FieldMaker {
  const kinds = new Map<string, string | typeof HOST>([
    ...Object.entries(numbers),
    ...hosts.map((name): [string, typeof HOST] => [name, HOST]),
  ]);
  return (name, value) => {
    const kind = kinds.get(name);
    if (kind === undefined) return { name, value };
    if (kind === HOST) return { name, value, representation: hostForm(value, 0, value.length) };
    const number = plainNumber(value);
    if (Number.isNaN(number)) return { name, value };
    return kind === '' ? { name, value: number } : { name, value: number, representation: kind };
  };
}

/** The pattern with a dot that matches every character: for JavaScript more of them end a line than for those who write messages. */
function overLines({ source, flags }: RegExp): RegExp {
  return new RegExp(source, flags.includes('s') ? flags : `${flags}s`);
}

/** Rules for messages, tried one after the other. */
export class MessageRules {
  readonly #rules: readonly (NumberedPattern & { readonly event: LogField; readonly word: string })[];
  readonly #fieldOf: FieldMaker;

  constructor(rules: readonly MessageRule[], fieldOf: FieldMaker) {
    this.#rules = rules.map(({ event, word = '', pattern }) => ({
      ...numberedPattern(overLines(pattern)),
      event: { name: 'event', value: event },
      word,
    }));
    this.#fieldOf = fieldOf;
  }

  /** The fields of the first rule that fits the message; none when no rule does. Groups that are empty set no field. */
  fieldsOf(message: string): LogField[] {
    for (const { expression, names, event, word } of this.#rules) {
      const found = message.includes(word) ? expression.exec(message) : null;
      if (found === null) continue;
      const fields = [event];
      for (let i = 1; i < names.length; i++) {
        const [name, value = ''] = [names[i], found[i]];
        if (name !== undefined && value !== '') fields.push(this.#fieldOf(name, value));
      }
      return fields;
    }
    return [];
  }
}
