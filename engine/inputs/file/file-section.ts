import { basename } from 'node:path';
import { z } from 'zod';
import { flag, path } from '../../section/values.ts';
import { inputType } from '../shared/input-type.ts';
import { clock, decoding, fileSplitter, FRAMING, framing } from '../shared/parameters.ts';
import { FileInput } from './file-input.ts';

/** The type `FileInput` of sections. */
export const fileInput = inputType({
  type: 'FileInput',
  summary:
    'Reads text files, follows them while they grow, and continues after rotation. Files are held open from when they are seen, so that those that rotation ' +
    'removes are read to their ends, however long that takes: half as many as the limit on open files allows (`ulimit -n`), at most 4,096, divided among all ' +
    'inputs. What is removed beyond that is lost; the log names it, and reports count it (`LostFileCount`, `LostFileBytes`).',
  example: '[access]\ntype = "FileInput"\npaths = ["/var/log/nginx/access.log", "/var/log/nginx/*.gz"]\ndecoder = "auto"',
  parameters: () => ({
    paths: z
      .array(path)
      .min(1)
      .meta({ shown: 'list of paths' })
      .describe('Files to read. `*`, `?`, `[…]` and `{a,b}` stand for names, `**` for any depth of folders.'),
    start: z
      .enum(['resume', 'begin', 'end'])
      .default('resume')
      .describe(
        'Where reading begins. `resume` continues where the last run stopped, and reads new files from their beginning. `begin` and `end` start ' +
          'at the beginning or end of each file.',
      ),
    encoding: z
      .enum(['auto', 'utf-8', 'utf-16le', 'utf-16be'])
      .default('auto')
      .describe('Encoding of the text; `auto` looks at the first bytes. Compressed files are always found by themselves.'),
    follow: flag.default(true).describe('Wait for more at the end of a file, also when it is renamed and a new one takes its place.'),
    splitter: fileSplitter
      .default('auto')
      .describe(
        `How a file is cut into records: by lines, not at all, or at matches of a regular expression. \`auto\` cuts as the decoder needs, and by lines without a decoder.${FRAMING}`,
      ),
    ...framing,
    ...decoding,
    clock: clock('For files that are not followed, `message` gives the same graphs in each run.'),
  }),
  repeats: true,
  source: { form: () => 'chunks', remembers: true, endsWhenIdle: ({ follow }) => !follow },
  facts: ({ paths }) => ({ kind: 'file', label: basename(paths[0] ?? ''), location: paths.join(', ') }),
  make: ({ name, paths, follow, start, encoding }, { split, kinds, hostname, stateDirectory, texts }) =>
    new FileInput({
      name,
      paths,
      follow,
      split,
      kinds,
      hostname,
      texts,
      encoding: encoding === 'auto' ? undefined : encoding,
      startAt: start === 'end' ? 'end' : 'beginning',
      stateDirectory: start === 'resume' ? stateDirectory : undefined,
    }),
});
