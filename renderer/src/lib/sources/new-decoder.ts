/** The text of a new decoder script, which runs as it is: it takes the first word for the Type. */
export const NEW_DECODER = `/**
 * Reads lines of a word, a colon and a text.
 */
export const meta: PluginMeta = {
  name: 'my_decoder',
  kind: 'decoder',
  summary: 'Lines of a word, a colon and a text.',
  parameters: {},
  examples: [],
};

/** One group for each field. */
const LINE = /^(\\w+):\\s*(.*)$/;

export function process_message(): ProcessStatus {
  const line = String(read_message('Payload') ?? '');
  const found = LINE.exec(line);
  if (found === null) return [-1, 'it is not a word, a colon and a text'];
  const [, word = '', text = ''] = found;
  inject_message({ Type: word, Payload: text, Fields: { word, length: text.length } });
  return 0;
}
`;
