import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MatcherError } from '../../../engine/matcher/errors.ts';
import { compileMatcher } from '../../../engine/matcher/matcher.ts';
import { ValueType, type Field, type Message } from '../../../engine/message/types.ts';
import { batchOf, uuid } from './messages.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/matcher.md'), 'utf8');

/** The cells of all table rows whose first cell is code. */
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|')))
  .map((cells): [string, string] => [(cells[1] as string).slice(1, -1), cells[2] as string]);

interface PageField {
  readonly name: string;
  readonly value: readonly (string | number | boolean)[];
}

type PageMessage = Readonly<Record<'Uuid' | 'Type' | 'Logger' | 'Hostname' | 'Payload', string>> &
  Readonly<Record<'Timestamp' | 'Severity' | 'Pid', number>> & { readonly Fields: readonly PageField[] };

function exampleMessage(): Message {
  const json = JSON.parse((/```json\n([^]*?)```/.exec(page) as RegExpExecArray)[1] as string) as PageMessage;
  const { Type: type, Logger: logger, Hostname: hostname, Severity: severity, Pid: pid, Payload: payload } = json;
  const fields = json.Fields.map(fieldOf);
  return { uuid: uuid(json.Uuid), timestamp: BigInt(json.Timestamp), type, logger, hostname, severity, pid, payload, fields };
}

function fieldOf({ name, value }: PageField): Field {
  if (typeof value[0] === 'string') return { name, valueType: ValueType.STRING, values: value as string[] };
  if (typeof value[0] === 'boolean') return { name, valueType: ValueType.BOOL, values: value as boolean[] };
  return { name, valueType: ValueType.DOUBLE, values: value as number[] };
}

describe('the page about matchers', () => {
  const message = exampleMessage();
  const results = rows.filter(([, result]) => result === 'true' || result === 'false');
  const refusals = rows.filter(([, reason]) => reason.startsWith('column '));

  it('has examples of both', () => expect([results.length, refusals.length]).toEqual([25, 10]));

  it.each(results)('%s is %s', (expression, result) => {
    const matcher = compileMatcher(expression);
    expect(String(matcher.matches(message))).toBe(result);
    expect(matcher.select(batchOf([message]))?.length ?? 1).toBe(result === 'true' ? 1 : 0);
  });

  it.each(refusals)('%s is refused: %s', (expression, reason) => {
    const [, column, why] = /^column (\d+): (.*)$/.exec(reason) as RegExpExecArray;
    expect(() => compileMatcher(expression)).toThrow(MatcherError);
    expect(() => compileMatcher(expression)).toThrow(`column ${column as string}: `);
    expect(() => compileMatcher(expression)).toThrow(why);
  });
});
