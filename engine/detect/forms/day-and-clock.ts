/** Dates and times of day that stand in two columns, or in one in a form that needs a format. */
import { DATE } from './date.ts';

const DAY_NAME = /^(?:date|day|datum|fecha|data)$/i;
const CLOCK_NAME = /^(?:time|uhrzeit|zeit|heure|hora|ora)$/i;

interface Form {
  /** All moments have it. */
  readonly all: RegExp;
  /** One of them at least has this. */
  readonly one?: RegExp;
  /** The parameter time_format; none where the decoder reads the form by itself. */
  readonly format?: string;
}

/** The first that fits counts. A day that is no month tells how the others are meant. */
const FORMS: readonly Form[] = [
  { all: DATE },
  { all: /^\d\d\.\d\d\.\d{4} \d\d:\d\d:\d\d$/, format: '%d.%m.%Y %T' },
  { all: /^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/, one: /^(?:1[3-9]|[23])/, format: '%d/%m/%Y %T' },
  { all: /^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/, format: '%m/%d/%Y %T' },
  { all: /^\d\d\/\d\d\/\d\d \d\d:\d\d:\d\d$/, format: '%D %T' },
];

/** The parameters by which the decoder joins the columns of the date and the time; null when there are none such. */
export function dayAndClock(names: readonly string[], rows: readonly (readonly string[])[]): Record<string, string> | null {
  const day = names.findIndex((name) => DAY_NAME.test(name));
  const clock = names.findIndex((name) => CLOCK_NAME.test(name));
  if (day < 0 || clock < 0 || rows.length === 0) return null;
  const moments = rows.map((row) => `${row[day]} ${row[clock]}`);
  const form = formOf(moments);
  if (form === undefined) return null;
  const columns = { time_field: `${names[day]} + ${names[clock]}` };
  return form.format === undefined ? columns : { ...columns, time_format: form.format };
}

/** The time_format of moments that the decoder does not read by itself; undefined when they have no such form. */
export function oneColumn(values: readonly string[]): string | undefined {
  const moments = values.filter((value) => value !== '');
  return moments.length === 0 ? undefined : formOf(moments)?.format;
}

function formOf(moments: readonly string[]): Form | undefined {
  return FORMS.find(({ all, one }) => moments.every((text) => all.test(text)) && moments.some((text) => one?.test(text) ?? true));
}
