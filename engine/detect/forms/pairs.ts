/** Recognition of lines of `name=value` pairs. */
import type { Head } from './head.ts';
import { MOST, NEARLY_ALL, share, type FormMatch } from './types.ts';

const PAIR_NAME = String.raw`(?:[A-Za-z_@][\w.@/-]*|"[^"\\]{1,80}")`;
const PAIR_VALUE = String.raw`(?:"(?:[^"\\]|\\.)*"|'[^']*'(?=[ \t]|$)|[[{][^\][{}]*[ \t"][^\][{}]*[\]}](?=[ \t]|$)|[^\s"=][^\s"]*)?`;
const PAIRS = new RegExp(`^${PAIR_NAME}=${PAIR_VALUE}(?:[ \t]+${PAIR_NAME}(?:=${PAIR_VALUE})?)*[ \t]*$`);
const PAIR = new RegExp(`(?:^|[ \t])${PAIR_NAME}=`, 'g');
const LOGFMT =
  /(?:^|[ \t])(?:time|ts|timestamp|t|datetime|level|lvl|severity|msg|message|Time|Timestamp|Level|Severity|Msg|Message)=|^at=(?:info|error|warn|warning|debug)\b/i;
/** The first pair is a time or a level. */
const LOGFMT_LINE = /^(?:time|ts|timestamp|t|level|lvl)=/;
/** Lines of Linux's audit, whose time is within a value. */
const AUDIT = /^type=\w+ msg=audit\(/;
const FEWEST_PAIRS = 2;

/** Recognises logfmt: lines of nothing but `name=value` pairs, among them names that are usual in logs. */
export const logfmt = (head: Head): FormMatch[] => (isLogfmt(head) && (arePairs(head) || isMixed(head)) ? [{ config: {} }] : []);

/** Whether most lines begin with a time or a level as pairs do, some of them with odd quotes, among lines of another form. */
const isMixed = ({ lines }: Head): boolean =>
  lines.length > 1 &&
  share(lines, (line) => LOGFMT_LINE.test(line) && (line.match(PAIR)?.length ?? 0) >= FEWEST_PAIRS) >= MOST &&
  lines.some((line) => LOGFMT_LINE.test(line) && isPairs(line));

/** Recognises other `name=value` lines. Since settings and command lines look similar, the lines must share their first three names. */
export function keyValue(head: Head): FormMatch[] {
  const { lines } = head;
  if (lines.length < 2 || !arePairs(head) || isLogfmt(head)) return [];
  const names = namesOf(lines[0] ?? '');
  const isAlike = (line: string): boolean => namesOf(line).slice(0, 3).join() === names.slice(0, 3).join();
  return names.length >= 3 && share(lines, isAlike) >= NEARLY_ALL ? [{ config: {} }] : [];
}

const isPairs = (line: string): boolean => PAIRS.test(line) && !AUDIT.test(line) && !isMostlyWords(line);
const arePairs = (head: Head): boolean => head.once(arePairs, ({ lines }) => share(lines, isPairs) >= NEARLY_ALL);
const isLogfmt = ({ lines }: Head): boolean => share(lines, LOGFMT) >= MOST;

const namesOf = (line: string): string[] => (line.match(PAIR) ?? []).map((pair) => pair.trim().slice(0, -1));

/** Tells a line with few pairs among its words; names without values are rare in logs. */
function isMostlyWords(line: string): boolean {
  const pairs = line.match(PAIR)?.length ?? 0;
  return (
    pairs < FEWEST_PAIRS ||
    pairs * 2 <
      line
        .replace(/"(?:[^"\\]|\\.)*"/g, '')
        .trim()
        .split(/[ \t]+/).length
  );
}
