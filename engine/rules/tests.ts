import type { Test } from './model.ts';
import { fits, fragmentOf, foldedOf, plainText, type Fragment } from './text-pattern.ts';

/** A test of one value; null: the test is not about values. */
export function valueTest(test: Test): ((text: string) => boolean) | null {
  switch (test.kind) {
    case 'text':
      return (text) => fits(test.pattern, text);
    case 'regex':
      return (text) => test.pattern.test(text, 0, text.length);
    case 'networks':
      return (text) => test.networks.contains(text, 0, text.length);
    case 'number':
      return numberTest(test.relation, test.value);
    case 'time':
      return (text) => timePart(text, test.unit) === test.value;
    case 'field':
    case 'null':
    case 'exists':
      return null;
  }
}

function numberTest(relation: 'gt' | 'gte' | 'lt' | 'lte', bound: number): (text: string) => boolean {
  return (text) => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    switch (relation) {
      case 'gt':
        return value > bound;
      case 'gte':
        return value >= bound;
      case 'lt':
        return value < bound;
      case 'lte':
        return value <= bound;
    }
  };
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d))?/;
const DAY_MS = 86_400_000;

/** A part of a date as it is written, without regard to its zone. */
function timePart(text: string, unit: Extract<Test, { kind: 'time' }>['unit']): number {
  const match = DATE.exec(text);
  if (match === null) return Number.NaN;
  const [year, month, day, hour, minute] = match.slice(1).map(Number) as [number, number, number, number, number];
  return { year, month, day, hour, minute, week: weekOf(year, month, day) }[unit];
}

/** The number of a week (ISO 8601): that of its Thursday. */
function weekOf(year: number, month: number, day: number): number {
  const date = new Date(Date.UTC(year, month - 1, day));
  const thursday = date.getTime() + (3 - ((date.getUTCDay() + 6) % 7)) * DAY_MS;
  const first = Date.UTC(new Date(thursday).getUTCFullYear(), 0, 1);
  return Math.floor((thursday - first) / (7 * DAY_MS)) + 1;
}

/** Whether a value is that of another field, or holds it. */
export function fieldTest(place: Extract<Test, { kind: 'field' }>['place'], text: string, other: string): boolean {
  return fits(plainText(other, place, false), text);
}

const SHORTEST_REQUIRED = 3;

/** A text that each value that passes a test has; null: none is known. */
export function fragmentOfTest(test: Test): Fragment | null {
  if (test.kind === 'text') return fragmentOf(test.pattern);
  if (test.kind !== 'regex') return null;
  const { required } = test.pattern;
  return required === null || required.length < SHORTEST_REQUIRED ? null : { text: foldedOf(required), isWhole: false };
}
