import type { SummaryWay } from './template.ts';

/** The first line of a text that says anything. */
export function firstLine(text: string): string {
  const end = text.search(/[\n\r]/);
  if (end === -1) return text.trim();
  const line = text.slice(0, end).trim();
  return line === '' ? firstLine(text.slice(end + 1).trimStart()) : line;
}

/** Writes a text in a way that a template names. */
export const WAYS: Readonly<Record<SummaryWay, (text: string) => string>> = { request: requestOf, error: errorOf, name: nameOf };

/** The request line of HTTP without its protocol. */
function requestOf(text: string): string {
  return firstLine(text).replace(/ HTTP\/[\d.]+$/, '');
}

/** The last part of a name with dots, as those of classes: `Checkout` of `org.example.Checkout`. */
function nameOf(text: string): string {
  const line = firstLine(text);
  return /^[\w$]+(?:\.[\w$]+)+$/.test(line) ? line.slice(line.lastIndexOf('.') + 1) : line;
}

/** The class of an exception with its packages, in front of its message or alone. */
const EXCEPTION = /^(?:[\w$]+[.\\])*([A-Z][\w$]*(?:Error|Exception|Throwable|Fault|Interrupt|Exit))(?=$|:)/;
/** The head of a stack trace of Java behind the words of the program, and what stands in front of such a head. */
const THREAD = /^Exception in thread "[^"]*" /;
const TRACEBACK = /^Traceback \(most recent call last\):/;
/** Characters of a text in which an exception is looked for. */
const MOST_SEARCHED = 4000;

/**
 * The message of an error: its first line, with the exception that follows it, whose class is written without its packages. Of a traceback of Python, whose
 * exception stands last, that one.
 */
function errorOf(text: string): string {
  const first = firstLine(text);
  const head = first.replace(THREAD, '');
  if (EXCEPTION.test(head)) return head.replace(EXCEPTION, '$1');
  if (!/[\n\r]/.test(text)) return first;
  const lines = text
    .slice(0, MOST_SEARCHED)
    .split(/\r?\n/)
    .map((line) => line.replace(/^Caused by: /, ''));
  const at = lines.findIndex((line, i) => i > 0 && EXCEPTION.test(line) && line.trim() !== first);
  if (at === -1) return first;
  const exception = (lines[at] as string).trim().replace(EXCEPTION, '$1');
  return TRACEBACK.test(first) ? exception : `${first} · ${exception}`;
}
