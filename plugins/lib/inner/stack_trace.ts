/** Lines of stack traces, which go on with the record before them. */

/** White space, a bracket that closes, and the lines of Java and Python that are not indented. */
const FURTHER =
  /^(?:\s|[)}\]]+[;,]?$|Caused by: |Suppressed: |\.{3} \d+ (?:more|common)|Stack trace:$|#\d+ [\w/{[]|goroutine \d+ \[|Traceback \(most recent call last\):|During handling of the above exception|The above exception was )/;
/** The last line of a traceback. */
const ERROR = /^[\w$.]*(?:Error|Exception|Interrupt|Exit|Iteration|Warning|Throwable)\b(?:: |$)/;
const TRACE = /\n(?:Traceback \(most recent call last\):|\s+(?:at |File "))/;

/** The error that a trace begins with, and the line behind it. */
const THROWN = /^[\w$.]+(?:Error|Exception|Throwable)\b(?::| \(|$)/;
const PLACE = /^\s+(?:at |File "|\S+:\d+:in )|^#\d+ /;
/** A function in a dump of Go, in which the line with its place is indented. */
const CALL = /^(?:created by )?[\w./$*()-]+\(.*\)$|^created by /;

/**
 * Whether a line goes on with the record that a program wrote before it.
 * @param next the line behind it; absent: it is not known
 */
export const goesOn = (record: string, line: string, next = ''): boolean =>
  !OBJECT.test(record) &&
  (line === '' ||
    FURTHER.test(line) ||
    (ERROR.test(line) && (TRACE.test(record) || isTraceback(record))) ||
    (next !== '' && PLACE.test(next) && THROWN.test(line)) ||
    (CALL.test(line) && record.includes('\ngoroutine ')));

/** A JSON object in one line, which has a trace of its own within. */
const OBJECT = /^(?:\d\S* )?\{.*\}$/;

const isTraceback = (record: string): boolean => record.startsWith('Traceback (');
