import { ROW_HEIGHT } from '../../../lib/table/virtual.ts';

/** Pixels that a wheel event means: it may count pixels, lines or pages. */
export function wheelPixels(event: Pick<WheelEvent, 'deltaMode' | 'deltaY'>, pageHeight: number): number {
  if (event.deltaMode === 1) return event.deltaY * ROW_HEIGHT;
  if (event.deltaMode === 2) return event.deltaY * pageHeight;
  return event.deltaY;
}
