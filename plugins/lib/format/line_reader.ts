import { layoutOf, LineParser, type LogItem } from './log_format.ts';
import { RelaxedLine } from './relaxed_line.ts';

/** Reads lines of one format into the columns of a message writer: as `LineParser` does, else as `RelaxedLine` does. */
export class LineReader {
  /** The columns that `read` fills. */
  readonly columns: readonly WriterColumn[];
  readonly #strict: LineParser;
  readonly #relaxed: RelaxedLine;

  /** @param absentValues whether a value may be missing where its type wants one */
  constructor(items: readonly LogItem[], absentValues: boolean) {
    const layout = layoutOf(items);
    this.columns = layout.columns;
    this.#strict = new LineParser(layout);
    this.#relaxed = new RelaxedLine(layout, absentValues);
  }

  /** The result of `process_message` for a line that `read` did not accept. */
  get refusal(): ProcessStatus {
    return this.#strict.refusal;
  }

  /** Writes the fields of the line [at, end) if it fits the format, and says whether it does. */
  read(writer: MessageWriter, text: string, at: number, end: number): boolean {
    return this.#strict.read(writer, text, at, end) || this.#readRelaxed(writer, text, at, end);
  }

  /** Writes the fields of the current record if it fits the format, and says whether it does. */
  readSpan(writer: MessageWriter, span: PayloadSpan): boolean {
    return this.#strict.readSpan(writer, span) || this.#readRelaxed(writer, span.text, span.start, span.end);
  }

  #readRelaxed(writer: MessageWriter, text: string, at: number, end: number): boolean {
    if (!this.#relaxed.parse(text, at, end)) return false;
    this.#relaxed.write(writer, text);
    return true;
  }
}
