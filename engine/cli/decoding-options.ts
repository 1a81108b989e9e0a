import { LOOKUPS_HELP, LOOKUPS_OPTION, SCRIPTS_HELP, SCRIPTS_OPTION } from './settings.ts';

/** The options about records that no decoder takes. */
export const REFUSED_OPTIONS = {
  'only-decoded': { type: 'boolean', default: false },
  strict: { type: 'boolean', default: false },
} as const;

export const REFUSED_HELP = `      --only-decoded        leaves out the records that no decoder takes
      --strict              ends with exit code 1 when there are such
`;

/** Select messages by an expression and by their time. */
export const SELECTION_OPTIONS = { where: { type: 'string', short: 'w' }, since: { type: 'string' }, until: { type: 'string' } } as const;

/** The options of commands that recognise files, or are told their decoder. */
export const DECODING_OPTIONS = {
  decoder: { type: 'string' },
  set: { type: 'string', short: 's', multiple: true, default: [] as string[] },
  ...SCRIPTS_OPTION,
  ...LOOKUPS_OPTION,
  ...REFUSED_OPTIONS,
  quiet: { type: 'boolean', short: 'q', default: false },
} as const;

export const DECODING_HELP = `      --decoder NAME        the decoder of all files, a bundled one or a script; without it each file is recognised by its first lines
  -s KEY=VALUE              sets a parameter of the decoder; may be given several times
${SCRIPTS_HELP}${LOOKUPS_HELP}${REFUSED_HELP}  -q, --quiet               does not print which decoder was chosen for a file
`;

export const TIME_HELP = `      --since TIME          only messages from a time on, of universal time: 12:40, yesterday 9:00, '2026-11-22 12:40', 1h (ago), or any with a zone of its own
      --until TIME          only messages before a time
`;
