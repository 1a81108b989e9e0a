/**
 * Parameters that filters with graphs have in common. Their metas name these constants, and are read without running anything: literals only. Modules take
 * the defaults from here for scripts that declare none.
 */

export const ROWS = { type: 'uint', summary: 'Rows of the graph.', default: 1440, minimum: 2 } as const;

export const SECONDS_PER_ROW = { type: 'uint', summary: 'Seconds of a row.', default: 60, minimum: 1 } as const;

export const ALERT_THROTTLE = { type: 'uint', summary: 'Least seconds between two alerts.', default: 3600 } as const;

/** Parameters of filters that get the layout of their graphs from messages. */
export const MAX_CELLS = {
  type: 'uint',
  summary: 'Rows by columns of all graphs together, and some for names; more need a higher memory_limit.',
  default: 500_000,
} as const;

export const OUTPUTS_PER_TICK = {
  type: 'uint',
  summary: 'Messages that a tick brings; to be raised with max_timer_inject.',
  default: 10,
  minimum: 1,
} as const;

/** Of filters whose counts can be merged. */
export const ENABLE_SKETCH = {
  type: 'bool',
  summary: 'Output what was counted since the last output, too, for `sketch_aggregator`.',
  default: false,
} as const;
