import { z } from 'zod';

/** Input or output of a test: a text, or a message as a table. */
const item = z.union([z.string(), z.record(z.string(), z.unknown())], { error: 'must be a text in quotes or a message as a table' });

/** A test of a configuration. */
export const configTest = z.strictObject({
  title: z.string().min(1).describe('Title of the test, which is printed with its result.'),
  input: z
    .string()
    .optional()
    .describe(
      'The input that gets the records: its decoder decodes them, or its script reads them as the records, units or pieces of its source. Without one, ' +
        'messages go to the filters and outputs as they are.',
    ),
  in: z
    .array(item)
    .min(1)
    .meta({ shown: 'list of texts and tables' })
    .describe('Input of the test, in this order: texts are records, tables are messages.'),
  output: z.string().optional().describe('The output, filter or input that `out` is about. Default: the only output.'),
  out: z
    .array(item)
    .meta({ shown: 'list of texts and tables' })
    .describe(
      'The whole expected result, in this order. A text is what the output writes. A table is a message that the output gets, the filter injects, ' +
        'or the decoder of the input makes; only the headers and the fields that it names are compared.',
    ),
});
