/** Short names of zones, as programs write them behind times. */

/** Hours ahead of UTC, for names that nearly always mean one zone. */
const HOURS: Readonly<Record<string, number>> = {
  UTC: 0,
  GMT: 0,
  WET: 0,
  BST: 1,
  WEST: 1,
  CET: 1,
  MET: 1,
  CEST: 2,
  MEST: 2,
  EET: 2,
  SAST: 2,
  EEST: 3,
  MSK: 3,
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
  AKST: -9,
  AKDT: -8,
  HST: -10,
  JST: 9,
  KST: 9,
  AWST: 8,
  AEST: 10,
  AEDT: 11,
  NZST: 12,
  NZDT: 13,
};

/** Hours that a zone of this name is ahead of UTC; undefined when the name is not known. */
export function zoneHours(name: string): number | undefined {
  return Object.hasOwn(HOURS, name) ? HOURS[name] : undefined;
}
