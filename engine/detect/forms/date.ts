/** Matches a value that is, or begins with, a date and a time. */
export const DATE =
  /^(?:\d{4}([-/])\d\d\1\d\d[T ]\d\d:\d\d|\d\d\/[A-Z][a-z]{2}\/\d{4}[: ]\d\d:\d\d:\d\d|\d{1,2}\/\d{1,2}\/\d{4},? \d{1,2}:\d\d(?::\d\d)? [AP]M$)/;
