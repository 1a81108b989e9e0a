/** Formats numbers, sizes, rates and times for reading. Pure; the language is English, digits are grouped by commas. */

import { formatCompact } from '../../../engine/api/quantities.ts';

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** A count with grouped digits: `1,234,567`. */
export function formatCount(count: number): string {
  return whole.format(count);
}

/** Records a second: `1.2k/s`; below one a second with a fraction. */
export function formatRate(perSecond: number): string {
  if (perSecond > 0 && perSecond < 0.1) return '<0.1/s';
  return `${formatCompact(perSecond)}/s`;
}

/** A span of milliseconds in its two largest parts: `2 h 5 min`, `41 s`, `250 ms`. */
export function formatSpan(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1000);
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}

/** A part of 1 as a percentage: `12.3 %`. Only nothing is 0 %, and only all is 100 %. */
export function formatShare(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) return '<0.1 %';
  if (percent >= 99.95 && percent < 100) return '>99.9 %';
  return `${percent.toFixed(percent >= 100 ? 0 : 1)} %`;
}

/** The part that a filter has read, so that nobody takes what it has found for all: `42 % read`; null: it has read everything, which needs no words. */
export const shareRead = (progress: number | null): string => (progress === null ? '' : `${Math.floor(progress * 100)} % read`);

/** `1 record`, `2 records`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
