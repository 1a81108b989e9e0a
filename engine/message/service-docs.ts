import { markdownTable } from '../base/text/markdown.ts';

/** A message that the service makes itself. */
interface ServiceMessage {
  readonly type: string;
  readonly when: string;
  readonly payload: string;
  /** Name, type, representation. */
  readonly fields: readonly (readonly [name: string, type: string, representation: string])[];
}

const PLUGIN = ['plugin', 'text', ''] as const;
const counted = (...names: string[]): (readonly [string, string, string])[] => names.map((name) => [name, 'integer', 'count']);

/** All of them; the fields are those that the messages have, in their order. */
export const SERVICE_MESSAGES: readonly ServiceMessage[] = [
  {
    type: 'svc.all-report',
    when: 'Every five seconds, unless `--report-interval` says otherwise. By default not with `--until-idle`, and never if all inputs have `clock = "message"`.',
    payload: 'A JSON object with what each plugin says about itself, and a line end.',
    fields: [],
  },
  {
    type: 'svc.memstat',
    when: 'With each report.',
    payload: '',
    fields: [
      ...['HeapSys', 'HeapAlloc', 'HeapIdle', 'HeapInuse', 'HeapReleased'].map((name) => [name, 'integer', 'B'] as const),
      ['HeapObjects', 'integer', 'count'],
    ],
  },
  {
    type: 'svc.sandbox-terminated',
    when: 'A sandbox of any kind has ended by itself, or a manager could not load a filter. `plugin` is its section, or the manager.',
    payload: 'Its name, with that of its input or output where it is a decoder or an encoder, a colon, and why.',
    fields: [PLUGIN],
  },
  {
    type: 'svc.sandbox-terminated',
    when: 'A filter that was loaded by a manager has been ended, because it was slow and inputs waited for it.',
    payload: 'Its name, a colon, and why, with the limit.',
    fields: [
      PLUGIN,
      ...counted('ProcessMessageCount', 'ProcessMessageFailures', 'ProcessMessageSamples'),
      ...['ProcessMessageAvgDuration', 'MatchAvgDuration'].map((name) => [name, 'integer', 'ns'] as const),
      ...counted('FilterChanLength', 'MatchChanLength', 'RouterChanLength'),
    ],
  },
  {
    type: 'svc.terminated',
    when: 'An output that is not a script has ended by itself. Or a filter has ended that was unloaded or removed from the configuration, or whose own matcher would select `svc.sandbox-terminated`.',
    payload: 'Name, type and why.',
    fields: [PLUGIN],
  },
];

/** A chapter about the messages that the service makes itself, as Markdown. */
export function serviceChapter(): string {
  const rows = SERVICE_MESSAGES.map(({ type, when, payload, fields }) => [
    `\`${type}\``,
    when,
    payload,
    fields.map(([name, kind, representation]) => `\`${name}\` (${representation === '' ? kind : `${kind}, ${representation}`})`).join(', '),
  ]);
  return `
## Messages of the service

\`sluicebox run\` reports on itself by messages, which filters and outputs can select like any others. Their Logger is \`svcd\`. Their Hostname and Pid are those of
the service. In the window they are the records of the source "This engine". Control messages, which come from outside, are described in
[managing-filters.md](managing-filters.md).

${markdownTable([['Type', 'When', 'Payload', 'Fields'], ...rows])}`;
}
