import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../../plugins/parameters.ts';
import type { ScriptOptions } from '../../plugins/sandboxes.ts';
import type { SandboxLimits } from '../../sandbox/contract/types.ts';

/** A filter of the workspace. Each source runs its own instance on its own clock, so files of different years do not mix in a graph. */
export interface FilterTemplate extends ScriptOptions {
  /** Its section in the configuration. */
  readonly name: string;
  /** Bundled name or path of the script. */
  readonly script: string;
  readonly matcher: string;
  /** Only messages that are signed by this name. */
  readonly signer?: string | undefined;
  readonly config: Readonly<Config>;
  /** Seconds; on the message clock for files, on the wall clock for live sources. */
  readonly ticker: number;
  /** Sections of the inputs whose messages it gets; absent: all of them. */
  readonly inputs?: readonly string[] | undefined;
  /** Sections of the inputs for which someone stopped it. */
  readonly stoppedFor?: readonly string[] | undefined;
  /** Waits for its first message before it starts, and shows progress while a file is being read. */
  readonly builtIn: boolean;
}

/** Room for a thousand long items; the default of 63 KiB is too small. */
const LARGE_OUTPUT: Partial<SandboxLimits> = { output: 1 << 20, memory: 32 << 20 };
/** Seconds. The window gets the state at the end of a file and while it is read anyway; more ticks of the message clock only cost time. */
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

/** The filters of a new workspace. Their matchers select the logs that they are for. */
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

/** The kind of output of a default filter. */
export type DefaultOutput = 'graph' | 'items';

/** The kind of output of a default filter that nobody has changed; null for all other filters. Default filters raise no alerts. */
export function defaultOutput(template: FilterTemplate): DefaultOutput | null {
  const said = ({ script, matcher, config, ticker, signer }: FilterTemplate): object => ({ script, matcher, config, ticker, signer });
  const known = DEFAULT_TEMPLATES.find(({ name }) => name === template.name);
  if (known === undefined || !isDeepStrictEqual(said(known), said(template))) return null;
  return known.script === 'http_status' ? 'graph' : 'items';
}
