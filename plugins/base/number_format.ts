/**
 * Formats numbers as text for payloads, graphs and alerts. It imports nothing, so that the sandbox can use the same code for
 * `add_to_payload`.
 */

/** Numbers beyond this are written with 17 significant digits instead of eight decimals. */
const FIXED_LIMIT = 2_147_483_647;
const FRACTION_DIGITS = 8;
const FRACTION_SCALE = 10 ** FRACTION_DIGITS;

/**
 * The text of a number in a payload: `nan`, `inf`, `-inf`; up to eight decimals without trailing zeros; 17 significant digits
 * (`%0.17g` of C) above 2147483647. Halves of the last decimal go to the even digit, and up from 0.
 */
export function formatNumber(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Math.abs(value) > FIXED_LIMIT) return formatSignificant(value, 17);
  if (Number.isInteger(value)) return String(value);
  return formatFraction(value);
}

function formatFraction(value: number): string {
  const magnitude = Math.abs(value);
  const sign = value < 0 ? '-' : '';
  let whole = Math.floor(magnitude);
  const scaled = (magnitude - whole) * FRACTION_SCALE;
  let fraction = Math.floor(scaled);
  const rest = scaled - fraction;
  if (rest > 0.5 || (rest === 0.5 && (fraction === 0 || fraction % 2 === 1))) fraction++;
  if (fraction === FRACTION_SCALE) {
    fraction = 0;
    whole++;
  }
  if (fraction === 0) return sign + whole;
  let digits = FRACTION_DIGITS;
  for (; fraction % 10 === 0; digits--) fraction /= 10;
  return `${sign}${whole}.${String(fraction).padStart(digits, '0')}`;
}

/**
 * `%g` of C: at most `digits` significant digits, exponent form below 1e-4 and from 10^digits on, no trailing zeros, ties to the even
 * digit.
 */
export function formatSignificant(value: number, digits: number): string {
  const [mantissa = '', exponentText = ''] = value.toExponential(digits - 1).split('e');
  const exponent = Number(exponentText);
  const rounded = isTie(Math.abs(value), digits - 1 - exponent) ? toEven : asItIs;
  if (exponent >= -4 && exponent < digits) return withoutTrailingZeros(rounded(value.toPrecision(digits)));
  const sign = exponent < 0 ? '-' : '+';
  return `${withoutTrailingZeros(rounded(mantissa))}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

const asItIs = (text: string): string => text;

/** `%.Nf` of C: `digits` decimals, all digits before the point, ties to the even digit; `nan`, `inf`, `-inf`. */
export function formatFixed(value: number, digits: number): string {
  if (!Number.isFinite(value)) return formatNumber(value);
  if (Number.isSafeInteger(value)) return (Object.is(value, -0) ? '-0' : String(value)) + noDecimals(digits);
  const magnitude = Math.abs(value);
  const sign = value < 0 ? '-' : '';
  if (magnitude >= 1e21) return sign + BigInt(magnitude).toString() + noDecimals(digits);
  const text = magnitude.toFixed(digits);
  return sign + (isTie(magnitude, digits) ? toEven(text) : text);
}

/** Whether the number lies in the middle between two with so many decimals; below 0: between two that end in so many zeros. */
function isTie(magnitude: number, decimals: number): boolean {
  if (decimals < 0) return magnitude % 10 ** -decimals === 5 * 10 ** (-decimals - 1);
  const halves = magnitude * 2 ** (decimals + 1);
  return Number.isInteger(halves) && halves % 2 === 1;
}

/** JavaScript rounds ties up, so an odd last digit is one too high. */
function toEven(text: string): string {
  const last = Number(text.at(-1));
  return last % 2 === 1 ? text.slice(0, -1) + (last - 1) : text;
}

/** The point and so many zeros, by their number. */
const ZEROS = [''];

function noDecimals(digits: number): string {
  for (let i = ZEROS.length; i <= digits; i++) ZEROS.push(`.${'0'.repeat(i)}`);
  return ZEROS[digits] as string;
}

function withoutTrailingZeros(text: string): string {
  if (!text.includes('.')) return text;
  let end = text.length;
  while (text[end - 1] === '0') end--;
  return text.slice(0, text[end - 1] === '.' ? end - 1 : end);
}
