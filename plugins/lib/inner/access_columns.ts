/**
 * Lines of access logs within the lines of an envelope, written straight into the columns of a message. Only those are taken that are plainly in the combined or
 * the common format, with nothing escaped; what all others are, `Envelope` says.
 */
import { upTo, upToQuote } from '../../base/scan.ts';
import { nginxLogFormat } from '../access/nginx_log_format.ts';
import { freeText } from '../format/log_fields.ts';
import { layoutOf, LineParser, type LogItem } from '../format/log_format.ts';

/** The quote in the text: as it is, or as a text of JSON has it. */
type Quote = '"' | '\\"';

const COMMON = '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent';
const COMBINED = `${COMMON} "$http_referer" "$http_user_agent"`;
const ADDRESS = String.raw`(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]{0,4}:[\da-f]{0,4}:[\da-f.:]{0,40})`;
const USER = String.raw`[^\s["\\\0-\x1f]{1,64}`;
const DATE = String.raw`\[\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}\]`;
const WORDS = String.raw`[^"\\\0-\x1f]*`;
/** Characters of a line that is read this way. */
const LONGEST = 8192;

/** Lines of one format, with the columns of an envelope around their own. */
export class AccessFormat {
  readonly writer: MessageWriter;
  /** The number of the first column behind those of the line. */
  readonly behind: number;
  /** The end of the line that was found last. */
  end = 0;
  readonly #parser: LineParser;

  constructor(items: readonly LogItem[], before: readonly WriterColumn[], behind: readonly WriterColumn[]) {
    const layout = layoutOf(items, before.length);
    this.#parser = new LineParser(layout);
    this.behind = before.length + layout.columns.length;
    this.writer = message_writer([...before, ...layout.columns, ...behind]);
  }

  /** Writes the fields of the line at `at` that was found last. False when it has a value that is none: nothing is written then. */
  write(text: string, at: number): boolean {
    return this.#parser.read(this.writer, text, at, this.end);
  }
}

/** A format that is made when its first line is found: most logs have none. */
interface Expected {
  readonly line: RegExp;
  readonly make: () => AccessFormat;
  made: AccessFormat | null;
}

/** Finds and writes lines. */
export class AccessColumns {
  readonly #formats: readonly Expected[];

  /**
   * @param before columns of the envelope whose fields stand in front of those of the line
   * @param behind those whose fields stand behind them
   */
  constructor(before: readonly WriterColumn[], behind: readonly WriterColumn[], quote: Quote = '"') {
    const mark = quote.replace('\\', '\\\\');
    const words = mark + WORDS + mark;
    const common = String.raw`${ADDRESS} - ${USER} ${DATE} ${words} \d{3} \d{1,15}`;
    const expected = (line: string, format: string): Expected => ({
      line: new RegExp(line, 'y'),
      make: () => new AccessFormat(itemsOf(format, quote), before, behind),
      made: null,
    });
    this.#formats = [expected(`${common} ${words} ${words}`, COMBINED), expected(common, COMMON)];
  }

  /** The format of the line that begins at `at`; null: none stands there that is plainly one. */
  formatAt(text: string, at: number): AccessFormat | null {
    for (const format of this.#formats) {
      const { line } = format;
      line.lastIndex = at;
      if (!line.test(text) || line.lastIndex - at > LONGEST) continue;
      const made = (format.made ??= format.make());
      made.end = line.lastIndex;
      return made;
    }
    return null;
  }
}

/** The items of a format. Texts end at the first character of a quote, since nothing is escaped in them. */
function itemsOf(format: string, quote: Quote): LogItem[] {
  const items = nginxLogFormat(format.replaceAll('"', quote), true);
  if (quote === '"') return items;
  const text = freeText(upTo('\\'));
  return items.map((item) => (item.kind === 'field' && item.type.scan === upToQuote ? { ...item, type: text } : item));
}
