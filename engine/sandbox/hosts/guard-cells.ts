/** The memory that the engine and its memory guard share: a counter that wakes the guard, and a record for each guarded process. */

/** Number of processes that can be guarded. */
export const PLACES = 1024;

export const Cell = {
  /** Counts what the guard is to look at when it sleeps. */
  WAKE: 0,
  /** Number of records that were ever in use. */
  USED: 1,
  /** 1: the guard sleeps until it is woken; else it looks again by itself within milliseconds. */
  ASLEEP: 2,
  RECORDS: 3,
} as const;

/** Cells of a record. */
export const Part = {
  /** Process number; 0: the record is free. */
  PID: 0,
  /** 1: it may take memory now. */
  BUSY: 1,
  /** Memory in KiB with which it is killed; 0: not set. */
  BOUND: 2,
  /** 1: it was killed for its memory. */
  HEAVY: 3,
  LENGTH: 4,
} as const;

export const cellOf = (place: number, part: number): number => Cell.RECORDS + place * Part.LENGTH + part;

export const CELLS = cellOf(PLACES, 0);
