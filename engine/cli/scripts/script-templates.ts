import { TYPES_FOLDER } from './module-types.ts';
import { input, output } from './port-templates.ts';

/** Kinds of scripts that `sluicebox new` makes. */
export const NEW_KINDS = ['decoder', 'filter', 'encoder', 'input', 'output'] as const;
export type NewKind = (typeof NEW_KINDS)[number];

/** Contents of the files of a new script. */
export interface ScriptTemplate {
  readonly script: string;
  /** Cases for `sluicebox sandbox --test`. */
  readonly tests: readonly object[];
  readonly input: { readonly extension: string; readonly text: string };
}

/** Returns the template of a script of this kind. */
export const templateOf = (kind: NewKind, name: string): ScriptTemplate => TEMPLATES[kind](name);

const TEMPLATES: Readonly<Record<NewKind, (name: string) => ScriptTemplate>> = { decoder, filter, encoder, input, output };

const LINES = [
  '2026-11-20T10:00:00Z info started',
  '2026-11-20T10:00:05Z warn disk is 93 % full',
  '2026-11-20T10:00:09Z error disk is full',
];

function decoder(name: string): ScriptTemplate {
  return {
    script: `/**
 * Takes lines apart such as \`2026-11-20T10:00:05Z warn disk is 93 % full\`.
 */
export const meta: PluginMeta = {
  name: '${name}',
  kind: 'decoder',
  summary: 'Decodes lines of a time, a level and a message.',
  parameters: {
    type: { type: 'string', summary: 'Type of the messages.', default: '${name}' },
  },
  examples: [],
};

const LINE = /^(\\S+) (debug|info|warn|error) (.*)$/;
const SEVERITIES: Readonly<Record<string, number>> = { debug: 7, info: 6, warn: 4, error: 3 };

const type = String(read_config('type'));

export function process_message(): ProcessStatus {
  const line = LINE.exec(String(read_message('Payload') ?? ''));
  if (line === null) return [-1, 'a time, a level and a message are expected'];
  const [, time = '', level = '', text = ''] = line;
  const ms = Date.parse(time);
  if (Number.isNaN(ms)) return [-1, \`\${time} is not a time\`];
  inject_message({
    Timestamp: BigInt(ms) * 1_000_000n,
    Type: type,
    Severity: SEVERITIES[level] ?? 7,
    Payload: text,
    Fields: { level },
  });
  return 0;
}
`,
    tests: [
      {
        title: 'a line',
        in: LINES[1],
        out: {
          Timestamp: '2026-11-20T10:00:05Z',
          Type: name,
          Severity: 4,
          Payload: 'disk is 93 % full',
          Fields: { level: 'warn' },
        },
      },
      { title: 'another type', config: { type: 'app' }, in: LINES[0], out: { Type: 'app', Payload: 'started' } },
      { title: 'a line without a level', in: 'started', fails: 'a time, a level and a message are expected' },
      { title: 'a time that is none', in: 'today info started', fails: 'today is not a time' },
    ],
    input: { extension: 'log', text: `${LINES.join('\n')}\n` },
  };
}

const MESSAGES = [
  { Timestamp: '2026-11-20T10:00:00Z', Type: 'app', Payload: 'started' },
  { Timestamp: '2026-11-20T10:00:05Z', Type: 'disk', Payload: '93 % full' },
  { Timestamp: '2026-11-20T10:00:09Z', Type: 'disk', Payload: 'full' },
];

const MESSAGE_LINES = { extension: 'jsonl', text: MESSAGES.map((message) => `${JSON.stringify(message)}\n`).join('') };

function filter(name: string): ScriptTemplate {
  return {
    script: `/**
 * Counts messages by their Type, and injects the counts at each tick.
 */
export const meta: PluginMeta = {
  name: '${name}',
  kind: 'filter',
  summary: 'Counts messages by their Type.',
  parameters: {
    title: { type: 'string', summary: 'Name of the payload.', default: 'Types' },
  },
  examples: [],
};

declare global {
  /** On globalThis, so that preserve_data keeps it over a restart. */
  var counts: Map<string, number>;
}
globalThis.counts = new Map();

const title = String(read_config('title'));

export function process_message(): ProcessStatus {
  const type = String(read_message('Type'));
  if (type === '') return [-1, 'the message has no Type'];
  counts.set(type, (counts.get(type) ?? 0) + 1);
  return 0;
}

export function timer_event(_ns: number): void {
  for (const [type, count] of counts) add_to_payload(type, '\\t', count, '\\n');
  inject_payload('txt', title);
  counts.clear();
}
`,
    tests: [
      { title: 'counts at the tick', in: MESSAGES, out: 'app\t1\ndisk\t2\n' },
      {
        title: 'begins anew after a tick',
        in: [MESSAGES[0], { timer: '1000000000' }, MESSAGES[1], { timer: '2000000000' }],
        out: [
          {
            Type: 'svc.sandbox-output',
            Payload: 'app\t1\n',
            Fields: { payload_type: { value: 'txt', representation: 'file-extension' }, payload_name: 'Types' },
          },
          { Payload: 'disk\t1\n' },
        ],
      },
      { title: 'nothing to count', in: [], out: [] },
      { title: 'a message without a Type', in: 'started', fails: 'the message has no Type' },
    ],
    input: MESSAGE_LINES,
  };
}

function encoder(name: string): ScriptTemplate {
  return {
    script: `/**
 * Writes the Type and the payload of a message, one message a line.
 */
export const meta: PluginMeta = {
  name: '${name}',
  kind: 'encoder',
  summary: 'Writes a message as a line of text.',
  parameters: {
    separator: { type: 'string', summary: 'The separator of Type and payload.', default: ': ' },
  },
  examples: [],
};

const separator = String(read_config('separator'));
const NO_OUTPUT = -2;

export function process_message(): ProcessStatus {
  const type = read_message('Type');
  const payload = read_message('Payload');
  if (payload === '') return NO_OUTPUT;
  if (type === '') return [-1, 'the message has no Type'];
  inject_payload('txt', '', type, separator, payload, '\\n');
  return 0;
}
`,
    tests: [
      { title: 'a message', in: MESSAGES[1], out: 'disk: 93 % full\n' },
      { title: 'another separator', config: { separator: '|' }, in: MESSAGES[0], out: 'app|started\n' },
      { title: 'a message without a payload', in: { Type: 'app' }, out: [] },
      { title: 'a message without a Type', in: 'started', fails: 'the message has no Type' },
    ],
    input: MESSAGE_LINES,
  };
}

/** Settings for editors and `tsc`. */
export const TSCONFIG = {
  compilerOptions: {
    target: 'ES2024',
    lib: ['ES2024', 'ESNext.Disposable'],
    types: [],
    module: 'ESNext',
    moduleResolution: 'bundler',
    strict: true,
    noUncheckedIndexedAccess: true,
    erasableSyntaxOnly: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    paths: { '*': [`./${TYPES_FOLDER}/modules/*`] },
  },
  include: ['.'],
  exclude: [TYPES_FOLDER],
};
