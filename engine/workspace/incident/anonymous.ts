import { hostname, userInfo } from 'node:os';
import type { RecordDetail } from '../../api/record-types.ts';
import { Anonymiser } from '../../redact/anonymiser.ts';
import { withTexts, type Gathered } from './gather.ts';

/**
 * Learns what tells of somebody in an incident, and in further texts that come along.
 * @param words that do, which nothing but the user knows
 * @throws {Error} when there are no pseudonyms for it
 */
export function anonymiserOf({ incident, details }: Gathered, words: readonly string[], texts: readonly string[] = []): Anonymiser {
  const anonymiser = new Anonymiser();
  anonymiser.learnValue('host', hostname());
  anonymiser.learnValue('user', nameOfUser());
  for (const word of words) anonymiser.learnValue('host', word);
  for (const detail of details) learnRecord(anonymiser, detail);
  for (const { columns, rows } of incident.queries)
    for (const row of rows) for (const [i, cell] of row.entries()) anonymiser.learnValue(columns[i] ?? '', cell);
  for (const { by, series } of incident.charts) {
    const fields = by.map(fieldOf);
    for (const { name } of series)
      for (const [i, value] of (fields.length > 1 ? name.split(' · ') : [name]).entries()) anonymiser.learnValue(fields[i] ?? '', value);
  }
  const learn = (text: string): string => {
    anonymiser.learn(text);
    return text;
  };
  withTexts(incident, learn);
  texts.forEach(learn);
  anonymiser.settle();
  return anonymiser;
}

const fieldOf = (variable: string): string => /^Fields\[(.*)\]$/s.exec(variable)?.[1] ?? variable;

function learnRecord(anonymiser: Anonymiser, { fields, hostname: host, raw, text }: RecordDetail): void {
  for (const { name, values } of fields) for (const value of values) anonymiser.learnValue(name, value);
  if (host !== null) anonymiser.learnValue('Hostname', host);
  if (raw !== null) anonymiser.learn(raw);
  anonymiser.learn(text);
}

function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}
