import { realpathSync } from 'node:fs';
import { isBundled } from '../../base/product/bundled.ts';
import { isShipped } from '../../base/product/shipped.ts';
import { readScriptFile } from '../code/script-files.ts';
import { DEFAULT_LIMITS, keepsNothing, type SandboxLimits, type SandboxSpec } from '../contract/types.ts';

/** A place where scripts run: the process that starts them, a thread of it, or a sandbox host. */
export type SeatName = 'here' | 'thread' | 'host';

/** Seats that a process offers to the scripts it starts, besides those in hosts. */
export interface Seats {
  /** It ends with its input: a script that holds it up holds up nothing else. */
  readonly here: boolean;
  /** Number of its threads for scripts. */
  readonly threads: number;
}

interface SeatRule {
  readonly seat: SeatName;
  /** The place, in words. */
  readonly place: string;
  /** The scripts that run there, in words. */
  readonly scripts: string;
  readonly fits: (spec: SandboxSpec, seats: Seats) => boolean;
}

/** Who runs where: the first row that fits. What does not load in a place is started by the next row. */
export const SEATING: readonly SeatRule[] = [
  {
    seat: 'here',
    place: 'the process itself',
    scripts:
      'bundled decoders, filters and encoders with the usual limits, in a command or a service that ends with its input; decoders and filters with much to do go on in a thread',
    fits: (spec, { here }) => here && isOurs(spec),
  },
  {
    seat: 'thread',
    place: 'a thread of the process',
    scripts:
      'bundled decoders that keep nothing from one record to the next, in the window and in a service, where there is more than one core',
    fits: (spec, { threads }) => threads > 0 && keepsNothing(spec) && isOurs(spec),
  },
  {
    seat: 'host',
    place: 'an isolate of a sandbox host',
    scripts:
      'all others: scripts of users, edited bundled ones, inputs and outputs, and all that have limits, a profile or a state of their own',
    fits: () => true,
  },
];

/** The seats for a script, the one to try first in front. */
export const seatsFor = (spec: SandboxSpec, seats: Seats): SeatName[] =>
  SEATING.filter(({ fits }) => fits(spec, seats)).map(({ seat }) => seat);

/** The place where a script runs when it loads there, in words. A bundled file that was edited goes to a host. */
export const placeOf = (spec: SandboxSpec, seats: Seats): string =>
  SEATING.find(({ seat, fits }) => fits(spec, seats) && (seat === 'host' || isAsShipped(spec.script)))?.place ?? '';

function isAsShipped(script: string): boolean {
  try {
    return isShipped(script, readScriptFile(script, null).bytes.toString('utf8'));
  } catch {
    return false;
  }
}

/** Limits that the prelude alone holds, in all seats. */
const LIMITS_OF_PRELUDE: ReadonlySet<string> = new Set(['output', 'processInject', 'timerInject'] satisfies (keyof SandboxLimits)[]);

/**
 * Whether a script is our own code, with the limits that are nobody's wish, and what it keeps of earlier calls is no more than what a host can go on from.
 * The files are compared with those that were shipped when it is loaded.
 */
export const isOurs = ({ kind, script, text, profile, preservation, beside, judged, sampling, limits }: SandboxSpec): boolean =>
  (kind === 'decoder' || kind === 'filter' || kind === 'encoder') &&
  text === undefined &&
  profile !== true &&
  preservation === undefined &&
  beside !== true &&
  judged !== true &&
  (sampling?.profile ?? 0) === 0 &&
  Object.entries(DEFAULT_LIMITS).every(([name, limit]) => LIMITS_OF_PRELUDE.has(name) || limits[name as keyof SandboxLimits] === limit) &&
  script.endsWith('.ts') &&
  isBundled(realpathSync.native(script));
