import { layoutOf, LineParser, type LogItem } from './log_format.ts';
import { RelaxedLine } from './relaxed_line.ts';

/** Reads lines of one format into the columns of a message writer: as `LineParser` does, else as `RelaxedLine` does. */
export class LineReader {
  /** The columns that `write` fills. */
  readonly columns: readonly WriterColumn[];
  readonly #strict: LineParser;
  readonly #relaxed: RelaxedLine;
  #last: LineParser | RelaxedLine;

  /** @param absentValues whether a value may be missing where its type wants one */
  constructor(items: readonly LogItem[], absentValues: boolean) {
    const layout = layoutOf(items);
    this.columns = layout.columns;
    this.#strict = new LineParser(layout);
    this.#relaxed = new RelaxedLine(layout, absentValues);
    this.#last = this.#strict;
  }

  /** The result of `process_message` for a line that `read` did not accept. */
  get refusal(): ProcessStatus {
    return this.#strict.refusal;
  }

  /** Whether the line [at, end) fits the format. `write` then writes it. */
  read(text: string, at: number, end: number): boolean {
    this.#last = this.#strict;
    if (this.#strict.parse(text, at, end)) return true;
    this.#last = this.#relaxed;
    return this.#relaxed.parse(text, at, end);
  }

  /** Writes the fields of the line that `read` accepted last. */
  write(writer: MessageWriter, text: string): void {
    this.#last.write(writer, text);
  }
}
