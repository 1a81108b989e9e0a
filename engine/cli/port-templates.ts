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
 * Writes the Type and the payload of a message, one message a line, and at each tick how many there were.
 */
export const meta: PluginMeta = {
  name: '${name}',
  kind: 'output',
  summary: 'Writes a message as a line of text.',
  parameters: {
    separator: { type: 'string', summary: 'What stands between Type and payload.', default: ': ' },
  },
  examples: [],
};

const separator = String(read_config('separator'));
let written = 0;

export function process_message(): ProcessStatus {
  const type = read_message('Type');
  if (type === '') return [-1, 'the message has no Type'];
  write_output(type, separator, read_message('Payload'), '\\n');
  written++;
  return 0;
}

export function timer_event(_ns: number): void {
  if (written > 0) write_output('# ', written, '\\n');
  written = 0;
}
`,
    tests: [
      { title: 'a message', in: OUTPUT[1], out: 'disk: 93 % full\n' },
      { title: 'another separator', config: { separator: '|' }, in: OUTPUT[0], out: 'app|started\n' },
      { title: 'a tick', in: [OUTPUT[0], OUTPUT[1], { timer: '1000000000' }], out: ['app: started\n', 'disk: 93 % full\n', '# 2\n'] },
      { title: 'a message without a Type', in: 'started', fails: 'the message has no Type' },
    ],
    input: { extension: 'jsonl', text: OUTPUT.map((message) => `${JSON.stringify(message)}\n`).join('') },
  };
}
