/** Texts that are dates. */

const DATE =
  /^(?:\d{4}([-/])\d\d\1\d\d[T ]\d\d:\d\d|\d\d\/[A-Z][a-z]{2}\/\d{4}[: ]\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d (?:\d{4} )?\d\d:\d\d:\d\d)/;
const LONGEST = 40;

/** Whether a text is a date and a time in a usual shape. */
export const isDateText = (text: string): boolean => text.length < LONGEST && DATE.test(text);
