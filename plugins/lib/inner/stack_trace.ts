/** Lines of stack traces, which go on with the record before them. */

/** White space, a bracket that closes, and the lines of Java and Python that are not indented. */
const FURTHER =
  /^(?:\s|[)}\]]+[;,]?$|Caused by: |Suppressed: |\.{3} \d+ (?:more|common)|Traceback \(most recent call last\):|During handling of the above exception|The above exception was )/;
/** The last line of a traceback. */
const ERROR = /^[\w$.]*(?:Error|Exception|Interrupt|Exit|Iteration|Warning|Throwable)\b(?:: |$)/;
const TRACE = /\n(?:Traceback \(most recent call last\):|\s+(?:at |File "))/;

/** Whether a line goes on with the record that a program wrote before it. */
export const goesOn = (record: string, line: string): boolean =>
  !OBJECT.test(record) && (line === '' || FURTHER.test(line) || (ERROR.test(line) && (TRACE.test(record) || isTraceback(record))));

/** A JSON object in one line, which has a trace of its own within. */
const OBJECT = /^(?:\d\S* )?\{.*\}$/;

const isTraceback = (record: string): boolean => record.startsWith('Traceback (');
