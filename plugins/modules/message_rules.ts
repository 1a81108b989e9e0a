/** Messages in plain words whose forms are known: from a message to what happened in it. */
import { hostForm } from './hosts.ts';
import type { SyslogField } from './syslog_message.ts';

/** A form of messages: its named groups become fields. */
export interface MessageRule {
  /** What happened; the field event. */
  readonly event: string;
  readonly pattern: RegExp;
}

/** Fields that are no plain texts. */
export interface RuleFields {
  /** Numbers with their representations; an empty one is none. */
  readonly numbers: Readonly<Record<string, string>>;
  /** Addresses or names of hosts. */
  readonly hosts: readonly string[];
}

const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

/** The fields of the first rule that fits the message; none when no rule does. Groups that are empty set no field. */
export function ruleFields(rules: readonly MessageRule[], kinds: RuleFields, message: string): SyslogField[] {
  for (const { event, pattern } of rules) {
    const match = pattern.exec(message);
    if (match === null) continue;
    const fields: SyslogField[] = [{ name: 'event', value: event }];
    for (const [name, value] of Object.entries(match.groups ?? {})) {
      if (value !== undefined && value !== '') fields.push(fieldOf(name, value, kinds));
    }
    return fields;
  }
  return [];
}

/** The field that a text of this name is. */
export function fieldOf(name: string, value: string, { numbers, hosts }: RuleFields): SyslogField {
  if (hosts.includes(name)) return { name, value, representation: hostForm(value, 0, value.length) };
  const unit = Object.hasOwn(numbers, name) ? numbers[name] : undefined;
  if (unit === undefined || !NUMBER.test(value)) return { name, value };
  return unit === '' ? { name, value: Number(value) } : { name, value: Number(value), representation: unit };
}
