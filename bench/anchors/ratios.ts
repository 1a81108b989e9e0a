import type { Tool } from '../installed.ts';
import type { Measured } from './measured.ts';
import { MEASURES, type Work } from './works.ts';

/** A measured work beside the measures of its task. */
export interface Compared {
  readonly work: Work;
  /** Processor time in microseconds a line. */
  readonly cpu: number;
  readonly seconds: number;
  /** Lines a second. */
  readonly rate: number;
  /** Its processor time and its time by those of the measures; null where those were not measured. */
  readonly cpuRatio: number | null;
  readonly timeRatio: number | null;
}

export function compared(measured: readonly Measured[], lines: number): Compared[] {
  return measured.map(({ work, seconds, cpuSeconds }) => {
    const firstOf = (tool: Tool): Measured | undefined =>
      measured.find((other) => other.work.task === work.task && other.work.tool === tool);
    const cpuMeasure = firstOf(MEASURES[work.task].cpu);
    const timeMeasure = firstOf(MEASURES[work.task].time);
    return {
      work,
      cpu: (cpuSeconds * 1e6) / lines,
      seconds,
      rate: lines / seconds,
      cpuRatio: ratio(cpuSeconds, cpuMeasure?.cpuSeconds),
      timeRatio: ratio(seconds, timeMeasure?.seconds),
    };
  });
}

/** Null where there is no measure, or too little work for one. */
const ratio = (value: number, measure: number | undefined): number | null =>
  measure === undefined || measure === 0 ? null : value / measure;
