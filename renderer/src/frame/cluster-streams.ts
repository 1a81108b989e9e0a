import type { FleetConsumer, FleetEdge, StreamStart } from '../../../engine/api/types.ts';
import { formatSpan } from '../lib/format.ts';

/** From where a stream is opened, as the dialog offers it. */
export type StartChoice = 'end' | 'hour' | 'day' | 'begin' | 'time';

export const START_CHOICES: readonly { readonly value: StartChoice; readonly title: string }[] = [
  { value: 'end', title: 'now' },
  { value: 'hour', title: 'an hour ago' },
  { value: 'day', title: 'a day ago' },
  { value: 'begin', title: 'its beginning' },
  { value: 'time', title: 'a time' },
];

const HOUR_MS = 3_600_000;
const AGES: Readonly<Partial<Record<StartChoice, number>>> = { hour: HOUR_MS, day: 24 * HOUR_MS };

/** The start for the engine; null: a time was chosen, and none is given. @param time of a field for local times */
export function startOf(choice: StartChoice, time: string, nowMs: number): StreamStart | null {
  if (choice === 'end' || choice === 'begin') return choice;
  const age = AGES[choice];
  if (age !== undefined) return nowMs - age;
  const given = Date.parse(time);
  return Number.isNaN(given) ? null : Math.max(0, given);
}

/** Time since something happened; clocks of two machines may differ by a little. */
export function ageOf(ms: number, nowMs: number): string {
  if (ms === 0) return 'empty';
  return nowMs - ms < 1000 ? 'just now' : `${formatSpan(nowMs - ms)} ago`;
}

/** Whether somebody who reads the stream has not got all that an edge has published. */
export const isBehind = ({ position }: FleetEdge, consumers: readonly FleetConsumer[]): boolean =>
  consumers.some(({ acknowledged, waiting, unacknowledged }) => waiting + unacknowledged > 0 && acknowledged < position);
