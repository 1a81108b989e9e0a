/** Functions that a script must or may define. */
export const ENTRY_POINTS: readonly { readonly name: string; readonly insert: string; readonly doc: string }[] = [
  {
    name: 'process_message',
    insert: 'export function process_message(): ProcessStatus {\n  ${}\n  return 0;\n}',
    doc: 'Is called for each message that the matcher selects. 0: done, below 0: refused, above 0: ends the script.',
  },
  {
    name: 'timer_event',
    insert: 'export function timer_event(ns: number): void {\n  ${}\n}',
    doc: 'Is called at each tick, with the time in nanoseconds since 1970.',
  },
];
