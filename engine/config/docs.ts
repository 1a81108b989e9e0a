import { z } from 'zod';
import { firstSentence, markdownTable, type Pages } from '../base/text/markdown.ts';
import type { SandboxKind } from '../sandbox/contract/types.ts';
import { receiver } from '../section/receiver.ts';
import { restart } from '../section/restart.ts';
import { othersHave, script } from './schema/sandbox.ts';
import { adminSchema } from './schema/admin.ts';
import { SECRETS } from './secrets.ts';
import { SECTION_TYPES, type SectionType, type SectionTypes } from './schema/sections.ts';
import { serviceSchema } from './schema/service.ts';
import { configTest } from './schema/tests.ts';

const LISTED_SECRETS = new Intl.ListFormat('en-GB').format(
  [...SECRETS]
    .filter((name) => name !== 'password')
    .map((name) => (name === 'Authorization' ? '`Authorization` in `headers`' : `\`${name}\``)),
);

/** Prints the configuration reference as JSON, for the folder `docs/configuration`: an index, a page for each type, and pages of what they share. */

const INTRODUCTION = `# Configuration

This is the reference of all sections; each type has a page. If you have not written a configuration yet, begin with the [tutorial](../tutorial.md).

- A configuration is a [TOML](https://toml.io) file or a directory. In a directory, all \`*.toml\` files are read in alphabetical order and merged. If two files set the same parameter, the
  later one wins.
- Each section describes one plugin. The name of the section is the name of the plugin. Its \`type\` says what it is; without a \`type\`, the name is the type. The sections \`[svcd]\` and \`[admin]\` hold the
  [options of the service](service.md). The order of the sections does not matter.
- \`include = ["conf.d/*.toml"]\` before the first section reads further files behind this one, in alphabetical order: where both set a parameter, theirs wins. Relative paths start at the
  folder of the file. A running service notices changes of them, too.
- \`%ENV[NAME]\` is replaced by the environment variable NAME before the file is read. A variable that is not set counts as empty; \`%ENV[NAME:-TEXT]\` is TEXT then.
- Secrets can stand in files of their own. \`password_file\` names the file whose text is the \`password\`, without the line end behind it; ${LISTED_SECRETS} can be given in the same
  way, wherever they are parameters. A relative path is that of a credential of systemd (\`LoadCredential\`), or starts at the folder of the configuration. Files that everybody on the machine
  may read are refused.
- \`sluicebox check FILE\` lists everything that is wrong with a configuration, with file and line. Names that are not listed here are refused. [Tests](tests.md) in the configuration say what it
  has to make of records.
- Relative paths in \`[svcd]\` and of scripts start at the folder of the configuration file, those of inputs and outputs at the working directory.
- Matchers can use [lookups](../matcher.md#lookups): the lists and databases of addresses in the folder \`lookups\` beside the configuration, or in that of \`share_dir\`.
- Durations are written like \`250ms\`, \`2m\` or \`1h30m\`. [Matcher expressions](../matcher.md), also in their [short forms](../matcher.md#short-forms) such as \`level:error\`, and [messages](../messages.md) have pages of their own.

A running service watches its configuration:

| Change                                                                                        | Takes effect                                      |
| --------------------------------------------------------------------------------------------- | ------------------------------------------------- |
| An input, filter or output is added, removed or changed, or its decoder or encoder is changed | at once                                           |
| anything else in the configuration                                                            | at the next start, as the log says                |
| the file of a script                                                                          | at the next start, or when its section is changed |
| a configuration that has problems                                                             | never: the log lists the problems                 |

[Parameters that many types share](shared.md), such as those of delivery and of restarts, are on a page of their own. All pages are made from the schemas that
check the configuration.
`;

const CHAPTERS: Readonly<Record<SandboxKind, string>> = {
  input: 'Inputs',
  decoder: 'Decoders',
  filter: 'Filters',
  encoder: 'Encoders',
  output: 'Outputs',
};

/** Parameters that many types share, each listed once. */
const SHARED = [
  { title: 'Parameters of scripts', shape: script },
  { title: 'Parameters of delivery', shape: receiver },
  { title: 'Parameters of restarts', shape: restart },
] as const;
/** Parameters that decoders and encoders share. */
const OTHERS = { title: 'Parameters of other scripts', shape: othersHave } as const;
const CALLED_SHARED = [SHARED[0], OTHERS];

const SERVICE = `# Options of the service

They are in the section \`[svcd]\`.
`;

const ADMIN = `## How the service is, over HTTP

With a section \`[admin]\`, even an empty one, \`sluicebox run\` answers GET requests for \`/metrics\`, \`/health\` and \`/ready\`, which [Operate](../operate.md#seen-from-outside) describes.
Without it, and with \`--until-idle\`, nothing listens. A changed section takes effect at the next start.

\`\`\`toml
[admin]
address = "127.0.0.1:7584"
\`\`\`
`;

const TESTS = `# Tests of a configuration

A table \`[[tests]]\` holds records or messages and the result that the configuration has to make of them. \`sluicebox check --test FILE\` runs the tests with the scripts
of the configuration, each test in a pipeline of its own, on the clock of the messages. Filters with a ticker get a last tick at the end. The tests read no inputs, open no ports, run no
commands, send nothing and keep no state. In a directory, the tests of all files are run.

\`\`\`toml
[access]
type = "FileInput"
paths = ["/var/log/nginx/access.log"]
decoder = "auto"

[errors]
type = "FileOutput"
path = "/var/log/errors.jsonl"
encoder = "json"
message_matcher = "Fields[status] >= 500"

[[tests]]
title = "a server error is told"
input = "access"
in = ['192.0.2.1 - - [17/Mar/2026:05:30:20 +0000] "GET / HTTP/1.1" 500 512 "-" "curl/8.0"']
output = "errors"
out = [{ Type = "nginx.access", Fields = { status = 500 } }]
\`\`\`
`;

/** Features that configurations of similar services may use, and what takes their place here. */
const LEFT_OUT = [
  ['Of other services', 'Here'],
  ['streams of numbered files', '`FileInput` finds out by itself which file continues which, by their content.'],
  ['a dashboard on a web port', 'The window shows graphs, lists, reports and ended scripts; a server writes them with `FileOutput`.'],
  ['Unix datagram sockets', 'The runtime has none; take a UDP address of this machine, such as `127.0.0.1:5514`.'],
  ['TLS of the versions before 1.0', 'The runtime does not speak it.'],
  [
    'scripts that open files',
    'No script has files, network or processes: an input reads from the one source that its section names, an output writes to one target.',
  ],
];

const BACK = '[All sections](README.md)\n';

/** Returns the configuration reference of these section types as pages of Markdown, laid out as prettier does. */
export function configurationPages(types: SectionTypes = SECTION_TYPES): Pages {
  const shared = [...SHARED, OTHERS].map(({ title, shape }) => `## ${title}\n\n${parameterTable(jsonOf(z.strictObject(shape)))}`);
  return {
    'README.md': index(types),
    'service.md': `${SERVICE}\n${parameterTable(jsonOf(serviceSchema))}\n${ADMIN}\n${parameterTable(jsonOf(adminSchema))}\n${BACK}`,
    ...Object.fromEntries(Object.entries(types).map(([name, type]) => [`${name}.md`, page(name, type)])),
    'shared.md': `# Parameters that many types share\n\n${shared.join('\n')}\n${BACK}`,
    'tests.md': `${TESTS}\n${parameterTable(jsonOf(configTest))}\n${BACK}`,
  };
}

function index(types: SectionTypes): string {
  const chapters = Object.entries(CHAPTERS).map(([kind, title]) => {
    const rows = Object.entries(types).flatMap(([name, type]) =>
      type.kind === kind ? [[`[${name}](${name}.md)`, firstSentence(type.summary)]] : [],
    );
    return `## ${title}\n\n${markdownTable([['Type', 'What it does'], ...rows])}`;
  });
  return [INTRODUCTION, ...chapters, `## What is left out\n\n${markdownTable(LEFT_OUT)}`].join('\n');
}

function page(name: string, { kind, summary, example, schema }: SectionType): string {
  const json = jsonOf(schema);
  const names = Object.keys(json.properties ?? {});
  const all = kind === 'decoder' || kind === 'encoder' ? CALLED_SHARED : SHARED;
  const shared = all.filter(({ shape }) => Object.keys(shape).every((property) => names.includes(property)));
  const own = Object.entries(json.properties ?? {}).filter(([property]) => !shared.some(({ shape }) => property in shape));
  const links = shared.map(
    ({ title }) => `[${title.toLowerCase().replace('parameters of ', '')}](shared.md#${title.toLowerCase().replaceAll(' ', '-')})`,
  );
  const also = links.length > 0 ? `\nAlso the parameters of ${new Intl.ListFormat('en').format(links)}.\n` : '';
  const table = own.length > 1 ? parameterTable({ ...json, properties: Object.fromEntries(own) }) : '';
  return `# ${name}\n\n${summary}\n\n\`\`\`toml\n${example}\n\`\`\`\n${table === '' ? '' : `\n${table}`}${also}\n${BACK}`;
}

interface Json {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly shown?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Json>>;
}

function jsonOf(schema: z.ZodType): Json {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json;
}

function parameterTable(json: Json): string {
  return markdownTable([['Parameter', 'Type', 'Default', 'Meaning'], ...rows(json, '')]);
}

function rows({ properties = {}, required = [] }: Json, prefix: string): string[][] {
  return Object.entries(properties)
    .filter(([name]) => name !== 'type')
    .flatMap(([name, json]) => {
      if (json.properties) return rows(json, `${prefix}${name}.`);
      const value = required.includes(name) ? 'required' : json.default === undefined ? '' : shownDefault(json.default);
      return [[`\`${prefix}${name}\``, shownType(json), value, json.description ?? '']];
    });
}

const TYPES: Readonly<Record<string, string>> = { string: 'text', integer: 'whole number', boolean: 'true or false', number: 'number' };

function shownType(json: Json): string {
  if (json.shown !== undefined) return json.shown;
  const choices = json.enum ?? (json.const === undefined ? [] : [json.const]);
  if (choices.length > 0) return choices.map((choice) => `\`${String(choice)}\``).join(', ');
  return TYPES[json.type ?? ''] ?? '';
}

function shownDefault(value: unknown): string {
  return typeof value === 'object' ? '' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

if (import.meta.main) process.stdout.write(JSON.stringify(configurationPages()));
