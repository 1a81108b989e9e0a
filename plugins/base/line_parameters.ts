/**
 * Parameters of scripts that write a line for each field. Their metas name these constants, and are read without running anything: literals only.
 * Modules take the defaults from here for scripts that declare none.
 */

/** Parameters for the names of lines and the choice of fields. */
export const LINE_NAMES = {
  name_prefix: { type: 'string', summary: "In front of each field's name; may hold `%{…}`." },
  name_prefix_delimiter: { type: 'string', summary: 'Between name_prefix and name.', default: '' },
  skip_fields: { type: 'string', summary: 'Fields that make no lines, separated by blanks.' },
  source_value_field: { type: 'string', summary: 'The only field to make a line, named by name_prefix alone.' },
} as const;

/** Parameters of every script that writes line protocol. */
export const LINES = {
  decimal_precision: { type: 'string', summary: 'Digits behind the decimal point, 0 to 100.', default: '6' },
  ...LINE_NAMES,
  tag_fields: { type: 'string', summary: 'Tags: `all`, `all_base`, or names separated by blanks.', default: 'all_base' },
  timestamp_precision: { type: 'string', summary: 'Unit of the times.', default: 'ms', values: ['ms', 's', 'm', 'h'] },
  value_field_key: { type: 'string', summary: 'The key of the values.', default: 'value' },
} as const;

/** Parameters of scripts that collect lines into batches. */
export const FLUSH_COUNT = {
  type: 'string',
  summary: 'Messages after which the lines go out before the tick; 0: only at ticks.',
  default: '0',
} as const;
