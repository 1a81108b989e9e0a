import { SCRIPTS_HELP, SCRIPTS_OPTION } from './settings.ts';

/** The options of commands that recognise files, or are told their decoder. */
export const DECODING_OPTIONS = {
  decoder: { type: 'string' },
  set: { type: 'string', short: 's', multiple: true, default: [] as string[] },
  ...SCRIPTS_OPTION,
  quiet: { type: 'boolean', short: 'q', default: false },
} as const;

export const DECODING_HELP = `      --decoder NAME        the decoder of all files, a bundled one or a script; without it each file is recognised by its first lines
  -s KEY=VALUE              sets a parameter of the decoder; may be given several times
${SCRIPTS_HELP}  -q, --quiet               does not print which decoder was chosen for a file
`;
