/** The first characters of what spreadsheets take for a formula (OWASP, CSV injection), also in the wide forms of East Asian fonts. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
/** A number, or the dash that logs have for nothing: no formulas. */
const HARMLESS = /^(?:-|[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)$/;

/** One cell as it is, in quotes where RFC 4180 asks for them. */
export const exactCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/**
 * One cell for spreadsheets: what they would take for a formula gets an apostrophe in front, which makes it a text, and quotes. Numbers such as -5 stay
 * numbers.
 */
export function spreadsheetCell(text: string): string {
  if (!FORMULA.test(text) || HARMLESS.test(text)) return exactCell(text);
  return `"'${text.replaceAll('"', '""')}"`;
}
