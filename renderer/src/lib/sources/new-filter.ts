/** The text of a new filter script, which runs as it is. */
export const NEW_FILTER = `/**
 * Counts messages by their Type, and injects the counts at each tick.
 */
export const meta: PluginMeta = {
  name: 'my_filter',
  kind: 'filter',
  summary: 'Counts messages by their Type.',
  parameters: {},
  examples: [],
};

declare global {
  /** On globalThis, so that it is kept when the script is replaced. */
  var counts: Map<string, number>;
}
globalThis.counts = new Map();

export function process_message(): ProcessStatus {
  const type = String(read_message('Type'));
  counts.set(type, (counts.get(type) ?? 0) + 1);
  return 0;
}

export function timer_event(_ns: number): void {
  add_to_payload('Type\\tWeight\\n');
  for (const [type, count] of counts) add_to_payload(type, '\\t', count, '\\n');
  inject_payload('tsv', 'Types');
}
`;
