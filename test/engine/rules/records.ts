import { parseMessage } from '../../../engine/message/json/json-parse.ts';
import { JsonReader } from '../../../engine/message/json/json-reader.ts';
import type { MessageBatch } from '../../../engine/message/batch/batch.ts';
import { RuleEngine } from '../../../engine/rules/engine.ts';
import { parseRules } from '../../../engine/rules/folder.ts';

/** A message of a test: its headers, and fields by their names. */
export interface Record {
  readonly time?: number;
  readonly type?: string;
  readonly payload?: string;
  readonly fields?: Readonly<{ [name: string]: string | number | boolean | readonly string[] | { readonly json: unknown } }>;
}

export function batchOf(records: readonly Record[]): MessageBatch {
  const reader = new JsonReader();
  for (const { time = 0, type, payload, fields = {} } of records) {
    const list = Object.entries(fields).map(([name, value]) =>
      typeof value === 'object' && 'json' in value
        ? { name, value_type: 0, representation: 'json', value: [JSON.stringify(value.json)] }
        : { name, value: Array.isArray(value) ? value : [value] },
    );
    const message = { Uuid: '0f6a1c2e-1111-4222-8333-944455556666', Timestamp: time * 1e9, Type: type, Payload: payload, Fields: list };
    reader.append(parseMessage(JSON.stringify(message)));
  }
  return reader.build();
}

/** A rule about any log, or one of a source, with this detection. */
export const ruleOf = (detection: string, source = 'product: any', more = ''): string =>
  `title: A rule\n${more}logsource:\n${indented(source)}\ndetection:\n${indented(detection)}\n`;

const indented = (text: string): string => text.replaceAll(/^/gm, '    ');

/** The rows for which rules are true, with their titles. */
export function hitsOf(text: string, records: readonly Record[]): string[] {
  const { rules, problems } = parseRules(text, 'test.yml');
  if (problems.length > 0) throw new Error(problems.map(({ line, text: why }) => `${line}: ${why}`).join('\n'));
  return new RuleEngine(rules).run(batchOf(records)).map(({ row, rule }) => `${row} ${rule.title}`);
}
