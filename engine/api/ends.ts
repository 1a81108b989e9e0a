import type { CatalogueEntry } from './catalogue.ts';

/**
 * The codes of the ends of scripts, with the words for each: the window, the command line and `docs/errors.md` take them from here. The module
 * imports nothing at run time, because the window loads it, too.
 */

export interface EndEntry extends CatalogueEntry {
  /** Unit of the limit. */
  readonly unit?: 'bytes' | 'count' | 'ms' | 'ns';
  /** Whether the text of the end is shown instead of `happened`, because it says more. */
  readonly quotes?: true;
}

export const ENDS = {
  'limit.instructions': {
    happened: 'One call took more than {limit} steps.',
    advice: 'A loop may not end. If the work is meant to take so long, raise instruction_limit; the editor shows what each line costs.',
    unit: 'count',
  },
  'limit.memory': {
    happened: 'It held more than {limit} of memory.',
    advice: 'It may keep something for every message. Let it forget, or raise its memory limit.',
    unit: 'bytes',
  },
  'limit.output': {
    happened: 'It wrote a payload of more than {limit}.',
    advice: 'Inject smaller payloads, or raise its output limit.',
    unit: 'bytes',
  },
  'limit.time': {
    happened: 'One call took longer than {limit}.',
    advice: 'A regular expression that tries very many ways is the usual cause.',
    unit: 'ms',
  },
  'limit.process-inject': {
    happened: 'It injected more than {limit} in one call of process_message.',
    advice: 'Collect them, and inject them in timer_event.',
    unit: 'count',
  },
  'limit.timer-inject': {
    happened: 'It injected more than {limit} in one call of timer_event.',
    advice: 'Collect them, and inject them in timer_event.',
    unit: 'count',
  },
  'limit.loops': {
    happened: 'A message that it injected went around more than {limit} times.',
    advice: 'Two filter scripts feed each other: narrow the matcher of one of them.',
    unit: 'count',
  },
  'limit.state': {
    happened: 'Its own code took more than {limit} steps while its state was kept or put back.',
    advice: 'Look at the accessors and conversions (toJSON, valueOf) of its global variables.',
    unit: 'count',
  },
  'limit.source': {
    happened: 'Its file, or one that it imports, has more than {limit} characters.',
    advice: 'Split it into modules, or move tables into its parameters.',
    unit: 'count',
  },
  'script.throws': {
    happened: 'It threw an error that nothing caught.',
    advice: '',
    quotes: true,
  },
  'script.status': {
    happened: 'It asked to be ended: process_message returned a status above 0.',
    advice: '',
    quotes: true,
  },
  'script.return': {
    happened: 'Its process_message returned a value that is not a status.',
    advice: 'Return a number, or a number and a text: 0 for done, below 0 for refused, above 0 to end.',
    quotes: true,
  },
  'script.process-missing': {
    happened: 'It has no function process_message.',
    advice: 'Export it, or define it at the top level.',
  },
  'script.timer-missing': {
    happened: 'It has no function timer_event, and was called by the clock.',
    advice: 'Define it, or set no ticker_interval.',
  },
  'script.load': {
    happened: 'Its file, or one that it imports, cannot be loaded.',
    advice: '',
    quotes: true,
  },
  'script.syntax': {
    happened: 'Its text is not valid JavaScript or TypeScript.',
    advice: '',
    quotes: true,
  },
  'state.unreadable': {
    happened: 'The file with its preserved state cannot be read.',
    advice: 'Move the file away to begin without a state.',
    quotes: true,
  },
  'state.restore': {
    happened: 'Its preserved state does not fit the script any more.',
    advice: 'Change _PRESERVATION_VERSION in the script, or move the file of its state away.',
    quotes: true,
  },
  'filter.circular': {
    happened: 'Its matcher selects the messages that it injects itself.',
    advice: 'Add && Type !~ /^svc\\./ to the matcher.',
  },
  'filter.slow': {
    happened: 'It was slow, and inputs waited for it: a message may take {limit} on average.',
    advice: 'Narrow its matcher, make it faster, or raise max_process_duration.',
    unit: 'ns',
  },
  'filter.refill': {
    happened: 'The stored records that it gets first could not be read.',
    advice: '',
    quotes: true,
  },
  'input.source': {
    happened: 'Its source has failed.',
    advice: '',
    quotes: true,
  },
  'input.delivery': {
    happened: 'The messages that it injected were not accepted.',
    advice: '',
    quotes: true,
  },
  'output.undelivered': {
    happened: 'What it wrote could not be delivered, and there are no further attempts.',
    advice: 'Check whether the target can be reached, or raise max_retries.',
    quotes: true,
  },
  'host.crashed': {
    happened: 'It brought down the process that it ran in.',
    advice: 'Most likely it used too much memory at once.',
  },
  'host.memory': {
    happened: 'The process that it ran in got no memory from the system: each process is limited to {limit}.',
    advice: 'Raise or remove the limit of the program: ulimit -v, ulimit -d, or LimitAS and LimitDATA of its service.',
    unit: 'bytes',
  },
  'host.ended': {
    happened: 'The process that it ran in ended again and again.',
    advice: 'The alert about it has the last output of that process.',
  },
  'host.start': {
    happened: 'The process for it does not start.',
    advice: '',
    quotes: true,
  },
  'sandbox.stopped': {
    happened: 'It was stopped during a call.',
    advice: '',
  },
  'sandbox.ended': {
    happened: 'It had ended before.',
    advice: '',
  },
  'sandbox.protocol': {
    happened: 'Its sandbox sent data that is not part of the protocol.',
    advice: 'The script may have changed functions that the sandbox needs.',
    quotes: true,
  },
  failed: {
    happened: 'It failed outside of its script.',
    advice: '',
    quotes: true,
  },
} as const satisfies Readonly<Record<string, EndEntry>>;

export type EndCode = keyof typeof ENDS;

/** A place in a script; line and column from 1 on. */
export interface ScriptPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** The end of a script and its reason. */
export interface End {
  readonly code: EndCode;
  /** The whole sentence, as messages and logs carry it. It is for people: nothing reads it to learn what happened. */
  readonly reason: string;
  /** The limit that was exceeded. */
  readonly limit?: number | undefined;
  readonly place?: ScriptPlace | undefined;
  /** The words of the script, or of the error, without the place. */
  readonly said?: string | undefined;
}

export const isEndCode = (code: unknown): code is EndCode => typeof code === 'string' && Object.hasOwn(ENDS, code);

/** The catalogue entry of a code. */
export const endEntry = (code: EndCode): EndEntry => ENDS[code];
