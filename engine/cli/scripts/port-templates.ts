import type { ScriptTemplate } from './script-templates.ts';

const OUTPUT = [
  { Timestamp: '2026-11-20T10:00:00Z', Type: 'app', Severity: 6, Payload: 'started' },
  { Timestamp: '2026-11-20T10:00:05Z', Type: 'disk', Severity: 4, Payload: '93 % full' },
  { Timestamp: '2026-11-20T10:00:09Z', Type: 'disk', Severity: 3, Payload: 'full' },
];

/** Makes the template of an input script. */
export function input(name: string): ScriptTemplate {
  return {
    script: `/**
 * Reads tables: a line of names, then a line of values for each row. An empty line ends a table.
 */
export const meta: PluginMeta = {
  name: '${name}',
  kind: 'input',
  summary: 'Makes a message of each row of a table.',
  parameters: {
    type: { type: 'string', summary: 'Type of the messages.', default: '${name}' },
  },
  examples: [],
};

const type = String(read_config('type'));

/** One table with its empty line. */
function takeTable(table: string): void {
  const [head = '', ...rows] = table.split('\\n').filter((line) => line !== '');
  const names = head.split(/\\s+/);
  for (const row of rows) {
    const values = row.split(/\\s+/);
    inject_message({ Type: type, Payload: row, Fields: Object.fromEntries(names.map((column, i) => [column, values[i] ?? ''])) });
  }
}

export function process_message(): ProcessStatus {
  let rest = '';
  for (let text = read_input(); text !== null; text = read_input(rest)) {
    const tables = text.split(/(?<=\\n\\n)/);
    // The last table goes on in what comes next, unless nothing does.
    const isWhole = input_source().ended || text.endsWith('\\n\\n');
    rest = isWhole ? '' : (tables.pop() ?? '');
    for (const table of tables) takeTable(table);
  }
  return 0;
}
`,
    tests: [
      {
        title: 'a table in pieces',
        in: ['disk used\n/ 9', '3\n/home 5\n', '\n'],
        out: [
          { Type: name, Payload: '/ 93', Fields: { disk: '/', used: '93' } },
          { Payload: '/home 5', Fields: { disk: '/home', used: '5' } },
        ],
      },
      {
        title: 'two tables, and another type',
        config: { type: 't' },
        in: 'a\n1\n\nb\n2\n',
        out: [{ Type: 't', Fields: { a: '1' } }, { Fields: { b: '2' } }],
      },
      { title: 'a value too few', in: 'a b\n1\n\n', out: { Fields: { a: '1', b: '' } } },
      { title: 'nothing to read', in: [], out: [] },
    ],
    input: { extension: 'txt', text: 'disk used\n/ 93\n/home 5\n\ndisk used\n/ 94\n/home 5\n\n' },
  };
}

/** Makes the template of an output script. */
export function output(name: string): ScriptTemplate {
  return {
    script: `/**
 * Gathers messages as lines of their Type and payload, and writes several of them at once: when there are enough, and at each tick. With use_buffering
 * they stay in the disk buffer until then; timer_event_on_shutdown = true writes the rest when the service stops.
 */
export const meta: PluginMeta = {
  name: '${name}',
  kind: 'output',
  summary: 'Writes messages as lines of text, several at once.',
  parameters: {
    separator: { type: 'string', summary: 'The separator of Type and payload.', default: ': ' },
    lines: { type: 'uint', summary: 'Lines that are written at once.', default: 100, minimum: 1 },
  },
  examples: [],
};

/** Characters that are written at once; output_limit counts bytes. */
const MOST = 20_000;

const separator = String(read_config('separator'));
const most = Number(read_config('lines'));
let lines: string[] = [];
let size = 0;

function write(): void {
  if (lines.length > 0) write_output(lines.join(''));
  lines = [];
  size = 0;
  release_messages();
}

export function process_message(): ProcessStatus {
  const type = read_message('Type');
  if (type === '') return [-1, 'the message has no Type'];
  const line = \`\${type}\${separator}\${read_message('Payload')}\\n\`;
  if (line.length > MOST) return [-1, 'the message is too long'];
  if (size + line.length > MOST) write();
  lines.push(line);
  size += line.length;
  hold_messages();
  if (lines.length >= most) write();
  return 0;
}

export function timer_event(_ns: number): void {
  write();
}
`,
    tests: [
      { title: 'a line and a tick', in: [OUTPUT[1], { timer: '1000000000' }], out: 'disk: 93 % full\n' },
      { title: 'another separator', config: { separator: '|', lines: 1 }, in: OUTPUT[0], out: 'app|started\n' },
      { title: 'several at once', config: { lines: 2 }, in: OUTPUT, out: 'app: started\ndisk: 93 % full\n' },
      { title: 'a message without a Type', in: 'started', fails: 'the message has no Type' },
    ],
    input: { extension: 'jsonl', text: [...OUTPUT, { timer: '1000000000' }].map((line) => `${JSON.stringify(line)}\n`).join('') },
  };
}
