/** A beginning of a record: the source of an expression for it. The first of a kind that fits counts. */
const TIMES = [
  String.raw`\[(?<time>[^\]]*\d:\d\d[^\]]*)\]`,
  String.raw`(?<time>\d{4}\S\d\d\S\d\d[T ]\S*\d)`,
  String.raw`(?<time>[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d\S*)`,
  String.raw`(?<time>\S*\d[-/.]\S+ \d\d?[:.]\d\d\S*)`,
  String.raw`(?<time>\d{10}(?:\d{3})?(?:\.\d+)?)`,
];
/** Parts that may follow the time, in any order, each once. */
const PARTS = [
  String.raw`\[?(?<level>TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL|[a-z]{4,8}(?=[\]:]))\]?:?`,
  String.raw`\[(?<thread>[^\]]*)\]`,
  String.raw`(?<program>[\w./-]+)\[(?<pid>\d+)\]:`,
  String.raw`(?<name>[\w.$/-]+):`,
];
const REST = '(?<message>.*)$';
/** Share of the lines that the expression must match. */
const ENOUGH = 0.5;
const MOST_LINES = 50;

/** An expression to begin with for lines of a log: time, level, thread and program as far as they stand at the beginning of most lines. */
export function patternFor(lines: readonly string[]): string {
  const sample = lines.slice(0, MOST_LINES);
  let found = '^';
  const grow = (parts: readonly string[]): string | undefined => {
    const part = parts.find((one) => isEnough(`${found}${one} *`, sample));
    if (part !== undefined) found += `${part} *`;
    return part;
  };
  grow(TIMES);
  let left: readonly string[] = PARTS;
  for (let part = grow(left); part !== undefined; part = grow(left)) left = left.filter((one) => one !== part);
  return `${found}${REST}`;
}

function isEnough(source: string, lines: readonly string[]): boolean {
  const expression = new RegExp(source);
  return lines.filter((line) => expression.test(line)).length > lines.length * ENOUGH;
}
