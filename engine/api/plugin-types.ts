/** Types of plugins and scripts, as the window gets them. */

import type { End } from './ends.ts';
import type { DecoderParameter, PreviewRecord } from './decoder-types.ts';
import type { Graph } from './output-types.ts';

type ConfigValues = Readonly<Record<string, string | number | boolean>>;

/** Current, highest and allowed use of one resource; a limit of 0 is none. */
export interface LimitUse {
  readonly current: number;
  readonly maximum: number;
  readonly limit: number;
}

/** The figures of a plugin that blocks the stages before it. */
interface PluginStall {
  /** Milliseconds for which it has made little or no progress. */
  readonly ms: number;
  /** Milliseconds that it takes for one message; null: it has processed none in that time. */
  readonly messageMs: number | null;
  readonly waiting: number;
}

export interface PluginInfo {
  /** Stays the same while it is stopped, started or replaced. */
  readonly id: string;
  readonly name: string;
  readonly kind: 'input' | 'decoder' | 'filter' | 'encoder' | 'output';
  /** Absolute path. */
  readonly script: string;
  /** Its section in the workspace file; null: it has none of its own. */
  readonly section: string | null;
  /** Whether it came with Sluicebox. */
  readonly bundled: boolean;
  readonly config: ConfigValues;
  readonly matcher: string | null;
  /** The source whose messages it gets; null: all. */
  readonly source: number | null;
  /** `waiting`: it starts with the first message that its matcher selects. */
  readonly state: 'waiting' | 'starting' | 'running' | 'terminated' | 'stopped';
  /** The text of `end`; null: it has not ended. */
  readonly reason: string | null;
  /** Its end, with a code; null: it has not ended. */
  readonly end: End | null;
  /** The last reason for which it refused a message. */
  readonly lastError: string | null;
  /** Part of the stored records that it has read, 0 to 1; null: it has read them and gets records as they come. */
  readonly progress: number | null;
  /** Absent: it blocks nothing. */
  readonly stall?: PluginStall | undefined;
  readonly processed: number;
  readonly failures: number;
  readonly injected: number;
  /** Messages a second that it takes, and that it injects. */
  readonly rate: number;
  readonly injectedRate: number;
  /** Nanoseconds of one process_message call: on average lately, and what 99 of 100 do not exceed (0: not known yet). */
  readonly averageNs: number;
  readonly percentile99Ns: number;
  readonly memory: LimitUse;
  readonly instructions: LimitUse;
  readonly output: LimitUse;
}

/** A filter of the workspace file, as a form shows it. */
export interface FilterSection {
  readonly name: string;
  /** Bundled name, or absolute path of an own script. */
  readonly script: string;
  readonly bundled: boolean;
  readonly matcher: string;
  /** Seconds. */
  readonly ticker: number;
  readonly config: ConfigValues;
  /** Sections of the inputs that it is for; null: all. */
  readonly inputs: readonly string[] | null;
  readonly limits: { readonly memory: number; readonly instructions: number; readonly output: number };
}

/** A script of the workspace, or a bundled one. */
export interface ScriptAbout {
  /** Bundled name, or absolute path. */
  readonly script: string;
  readonly summary: string;
  /** The parameters that its meta declares; null: it has no meta. */
  readonly parameters: readonly DecoderParameter[] | null;
  /** Whether its text has a `timer_event`: without one it cannot be ticked. */
  readonly ticks: boolean;
}

export interface ScriptFile {
  /** Its path; null: it is a draft, such as the copy of a bundled script. */
  readonly path: string | null;
  /** Suggested file name. */
  readonly name: string;
  readonly text: string;
}

/** A script to try, with its records and settings. */
export interface TrialRequest {
  readonly kind: 'filter' | 'decoder';
  readonly text: string;
  /** Its path, by which its imports are found; null: it has no file yet. */
  readonly path: string | null;
  /** Whether it is TypeScript. */
  readonly typed: boolean;
  readonly source: number;
  readonly matcher: string;
  readonly config: ConfigValues;
  readonly limits: FilterSection['limits'];
  /** The last records of the source. */
  readonly records: number;
}

/** A place in the script; line and column from 1 on, 0: unknown. */
export interface ScriptProblem {
  readonly line: number;
  readonly column: number;
  readonly text: string;
  /** Whether it ended the script; else the script only refused a message. */
  readonly fatal: boolean;
  /** The end of the script; absent: it only refused a message, or could not be started with what was given. */
  readonly end?: End;
}

/** A message that the script emitted. */
export interface TrialMessage {
  /** Number of the record that it was working on, from 0; null: in `timer_event`. */
  readonly row: number | null;
  readonly message: PreviewRecord;
}

export interface TrialReply {
  /** Records that were there, and those that the matcher selected. */
  readonly records: number;
  readonly selected: number;
  readonly processed: number;
  readonly failed: number;
  /** Messages that it emitted, and the first of them. */
  readonly emitted: number;
  readonly messages: readonly TrialMessage[];
  /** The circular buffers that it injected, as they were last. */
  readonly graphs: readonly Graph[];
  readonly problems: readonly ScriptProblem[];
  /** Steps of its lines, without those that took none. */
  readonly lines: readonly { readonly line: number; readonly steps: number }[];
  /** Steps in modules and functions of the sandbox. */
  readonly elsewhere: number;
  readonly memory: LimitUse;
  readonly instructions: LimitUse;
  readonly output: LimitUse;
  readonly averageNs: number;
  /** Its parameters, as its meta declares them; null: it has none. */
  readonly parameters: readonly DecoderParameter[] | null;
}
