/**
 * Decodes what npm, and npm's relatives such as pnpm and node-gyp, print on a terminal: `npm ERR! code E404`, `npm warn deprecated …`, `gyp info ok`.
 *
 * | Part | Becomes |
 * |---|---|
 * | program | Logger |
 * | level: ERR!, WARN, notice, http, verb, sill and others | Severity |
 * | the rest | Payload, or the whole line with payload_keep |
 *
 * The lines have no time, so the field undated is true.
 */
import { KEEP_LINE, TYPE } from '../lib/parameters.ts';
import { patternDecoder } from '../lib/pattern_decoder.ts';
import { NPM } from '../lib/forms/npm_lines.ts';
import { TEXT_SUMMARY } from '../lib/summaries.ts';

export const meta: PluginMeta = {
  name: 'npm',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes what npm prints: errors, warnings and notices.',
  recordSummary: TEXT_SUMMARY,
  looks: [
    {
      lines: /^(?:npm|pnpm|gyp|node-pre-gyp) (?:ERR!|WARN|error|warn|notice|info|timing|http|verb|verbose|sill|silly)(?: |$)/,
      least: 0.9,
      rank: 8,
    },
  ],
  parameters: {
    type: TYPE,
    payload_keep: KEEP_LINE,
  },
  examples: [
    {
      title: 'an error',
      in: 'npm ERR! code ERESOLVE',
      out: { Severity: 3, Logger: 'npm', Payload: 'code ERESOLVE', Fields: { undated: true } },
    },
    {
      title: 'a warning of npm 10',
      config: { type: 'build' },
      in: 'npm warn deprecated inflight@1.0.6: This module is not supported',
      out: {
        Type: 'build',
        Severity: 4,
        Logger: 'npm',
        Payload: 'deprecated inflight@1.0.6: This module is not supported',
        Fields: { undated: true },
      },
    },
    {
      title: 'an empty line between others, and colours',
      in: '\u001b[0m\u001b[37;40mnpm\u001b[0m \u001b[0m\u001b[31;40mERR!\u001b[0m\u001b[35m\u001b[0m ',
      out: { Severity: 3, Logger: 'npm', Payload: '', Fields: { undated: true } },
    },
    { title: 'a line of a script', in: 'added 7 packages in 2s', fails: 'no level of npm' },
  ],
};

const decode = patternDecoder(NPM);

export function process_message(): ProcessStatus {
  return decode();
}
