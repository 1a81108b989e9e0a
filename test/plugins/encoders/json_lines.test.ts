import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainMessage } from '../support/message.ts';
import { startPlugin } from '../support/sandbox.ts';

const HEADERS = ['Type', 'Logger', 'Severity', 'Payload', 'EnvVersion', 'Pid', 'Hostname'] as const;

interface Options {
  readonly skip_fields: string;
  readonly nested_fields?: string;
}

interface Member {
  readonly name: string;
  readonly value: number | string;
}

/** The line of a message, from maps of its members. */
function lineOf(options: Options, message: InjectMessage, fields: readonly Member[]): string {
  const skipped = new Set(options.skip_fields.split(' '));
  const nested = options.nested_fields ?? null;
  const line = new Map<string, string>();
  if (!skipped.has('Timestamp')) line.set('Timestamp', String(message.Timestamp));
  for (const name of HEADERS) {
    const value = message[name];
    if (!skipped.has(name) && value !== undefined && value !== '') line.set(name, JSON.stringify(value));
  }
  const members = nested === null ? line : new Map<string, string>();
  const counts = new Map<string, number>();
  for (const { name, value } of fields) {
    const instance = counts.get(name) ?? 0;
    counts.set(name, instance + 1);
    const taken = nested === null && (name === 'Timestamp' || (HEADERS as readonly string[]).includes(name)) ? 1 : 0;
    if (!skipped.has(name)) members.set(instance + taken === 0 ? name : `${name}${instance + taken + 1}`, JSON.stringify(value));
  }
  if (nested !== null) line.set(nested, textOf(members));
  return `${textOf(line)}\n`;
}

const textOf = (members: ReadonlyMap<string, string>): string =>
  `{${Array.from(members, ([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;

const name = fc.constantFrom('a', 'b', 'a2', 'Type', 'Type2', 'Timestamp', 'Pid', '7', 'é"');
const value = fc.oneof(fc.constantFrom(0, 1.5, -7), fc.constantFrom('', 'x', 'é', '"\\\n', 'y'.repeat(200)));
const fieldLists = fc.array(fc.record({ name, value }), { maxLength: 20 });
const header = fc.constantFrom(undefined, '', 'same', 'other', 'Ünïcode "x"');
const message = fc.record({ Timestamp: fc.constantFrom(0, 1e9, 1614949679e9), Type: header, Payload: header, Hostname: header });

test('JSON lines: members are those of a map, whatever messages came before', () => {
  const options = fc.constantFrom<Options>(
    { skip_fields: '' },
    { skip_fields: 'Type a' },
    { skip_fields: 'Timestamp', nested_fields: 'f' },
    { skip_fields: '', nested_fields: 'Type' },
    { skip_fields: 'Type b', nested_fields: 'Type' },
    { skip_fields: '', nested_fields: 'Timestamp' },
  );
  fc.assert(
    fc.property(options, fc.array(fc.tuple(message, fieldLists, fc.nat({ max: 2 })), { maxLength: 8 }), (config, messages) => {
      const plugin = startPlugin('encoders/json_lines.ts', { timestamp: 'ns', ...config });
      for (const [headers, fields, repeats] of messages) {
        const given: InjectMessage = { Timestamp: headers.Timestamp, Fields: fields };
        for (const key of ['Type', 'Payload', 'Hostname'] as const) if (headers[key] !== undefined) given[key] = headers[key];
        for (let i = 0; i <= repeats; i++) {
          expect(plugin.process(plainMessage(given)).injected[0]?.Payload).toBe(lineOf(config, given, fields));
        }
      }
    }),
  );
});
