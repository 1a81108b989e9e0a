import type { Config } from '../../plugins/parameters.ts';
import type { ScriptOptions } from '../../plugins/sandboxes.ts';
import type { SandboxLimits } from '../../sandbox/types.ts';

/** A filter of the workspace. Every source gets its own, on its own clock: two files of different years cannot mix in one graph. */
export interface FilterTemplate extends ScriptOptions {
  /** Its section in the configuration. */
  readonly name: string;
  /** Bundled name or path of the script. */
  readonly script: string;
  readonly matcher: string;
  /** Only messages that are signed by this name. */
  readonly signer?: string;
  readonly config: Readonly<Config>;
  /** Seconds; on the message clock for files, on the wall clock for live sources. */
  readonly ticker: number;
  /** Sections of the inputs whose messages it gets; absent: all of them. */
  readonly inputs?: readonly string[];
  /** Sections of the inputs for which someone stopped it. */
  readonly stoppedFor?: readonly string[];
  /** Waits for its first message before it starts, and shows progress while a file is being read. */
  readonly builtIn: boolean;
}

/** Room for a thousand long items, which the default of 63 KiB is not. */
const LARGE_OUTPUT: Partial<SandboxLimits> = { output: 1 << 20, memory: 32 << 20 };
/** The window is told at the end of a file and while it is read anyway; on the message clock more ticks only cost. */
const TICKER = 3600;

const frequent = (name: string, field: string): FilterTemplate => ({
  name,
  script: 'frequent_items',
  matcher: `Fields[${field}] != NIL`,
  config: { message_variable: `Fields[${field}]`, min_output_weight: 0, reset_days: 0 },
  ticker: TICKER,
  limits: LARGE_OUTPUT,
  builtIn: true,
});

/** What a workspace starts with. Their matchers say for which logs they are. */
export const DEFAULT_TEMPLATES: readonly FilterTemplate[] = [
  {
    name: 'http_status',
    script: 'http_status',
    matcher: 'Fields[status] != NIL',
    config: {},
    ticker: TICKER,
    limits: LARGE_OUTPUT,
    builtIn: true,
  },
  frequent('frequent_clients', 'remote_addr'),
  frequent('frequent_requests', 'request'),
  frequent('frequent_programs', 'programname'),
];
