import { appendFile } from 'node:fs/promises';
import { MOST_RECORDS, noteAsked } from '../../assistants/asked.ts';
import { Serial } from '../../base/time/serial.ts';
import type { GrantedLog } from './granted-logs.ts';
import type { AskedCall } from './toolbox.ts';

/** Characters of arguments that are noted. */
const MOST_ARGUMENTS = 4000;
/** Characters of the short words of a question, of one of its arguments, and of a refusal. */
const [MOST_WORDS, MOST_ARGUMENT, MOST_REFUSAL] = [300, 120, 200];
/** Arguments that say how much is wanted, or name files. */
const LEFT_OUT = ['files', 'file', 'limit', 'start', 'fields', 'before', 'after', 'buckets', 'values'];

interface AskedLogOptions {
  /** A file of a user, which is added to as it is; null: none. */
  readonly file: string | null;
  /** The file of the window, which is kept small; null: none. */
  readonly window: string | null;
  /** The log of an id, or of a name of records. */
  readonly named: (name: string) => GrantedLog | undefined;
  readonly complain: (text: string) => void;
}

/** A log of what was asked, one JSON object a line, which the window shows, or opens and follows. What was answered is not in it. */
export class AskedLog {
  readonly #options: AskedLogOptions;
  readonly #turns = new Serial();

  constructor(options: AskedLogOptions) {
    this.#options = options;
  }

  add({ tool, args, result, ms }: AskedCall): void {
    const asked = JSON.stringify(args);
    const [text] = result.content;
    const data = (result.structuredContent as { readonly data?: unknown } | undefined)?.data;
    const line = JSON.stringify({
      time: new Date().toISOString(),
      level: result.isError ? 'warning' : 'info',
      message: `${tool} ${asked.length > MOST_ARGUMENTS ? `${asked.slice(0, MOST_ARGUMENTS)}…` : asked}`,
      tool,
      question: wordsOf(args),
      files: this.#filesOf(args),
      rows: rowsOf(data),
      ms: Math.round(ms),
      bytes: Buffer.byteLength(text?.text ?? ''),
      ...(result.isError ? { error: text?.text.slice(0, MOST_REFUSAL) } : {}),
      records: this.#recordsOf(data),
    });
    const { file, window } = this.#options;
    if (file !== null) this.#write(file, () => appendFile(file, `${line}\n`, { mode: 0o600 }));
    if (window !== null) this.#write(window, () => noteAsked(window, line));
  }

  /** Resolves when all is written. */
  end(): Promise<void> {
    return this.#turns.idle();
  }

  #write(path: string, write: () => Promise<void>): void {
    void this.#turns.run(() => write().catch((error: unknown) => this.#options.complain(`${path}: ${String(error)}`)));
  }

  /** Names of the files that a question is about; none: all. */
  #filesOf(args: unknown): string[] {
    const { files, file, record, a, b } = args as Readonly<Record<string, unknown>>;
    const sides = [a, b].flatMap((side) => (side as { readonly files?: unknown } | undefined)?.files ?? []);
    const ids = [files, file, typeof record === 'string' ? record.split('#')[0] : undefined, sides].flat();
    const names = ids.flatMap((id) => (typeof id === 'string' ? (this.#options.named(id)?.source.label ?? []) : []));
    return [...new Set(names)].slice(0, 100);
  }

  /** The first records that an answer names. */
  #recordsOf(data: unknown): object[] {
    const found = named(data);
    return found.slice(0, MOST_RECORDS).flatMap(({ record, time, undated }) => {
      const log = this.#options.named(record.slice(0, record.lastIndexOf('#')));
      return log === undefined
        ? []
        : [{ name: record, path: log.path, time: undated !== true && typeof time === 'string' && time !== '' ? time : null }];
    });
  }
}

interface Named {
  readonly record: string;
  readonly time?: unknown;
  /** The time is not its own: it may be another one where it is read at another time. */
  readonly undated?: unknown;
}

/** The things in an answer that have the name of a record. */
function named(value: unknown, depth = 0): Named[] {
  if (typeof value !== 'object' || value === null || depth > 3) return [];
  const own = 'record' in value && typeof value.record === 'string' ? [value as Named] : [];
  return [...own, ...Object.values(value).flatMap((part) => named(part, depth + 1))];
}

/** Rows of the list of an answer; null: it has none. */
function rowsOf(data: unknown): number | null {
  if (typeof data !== 'object' || data === null) return null;
  if ('record' in data) return 1;
  const LISTS = ['records', 'rows', 'groups', 'files', 'patterns', 'fields', 'lines'];
  const list = LISTS.map((name) => (data as Readonly<Record<string, unknown>>)[name]).find(Array.isArray);
  return list?.length ?? null;
}

/** The arguments in short words, such as `text timeout, where status:5xx`. */
function wordsOf(args: unknown): string {
  const words = Object.entries(args as object).flatMap(([name, value]) => {
    if (LEFT_OUT.includes(name) || value === false) return [];
    if (value === true) return [name];
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const short = text.length > MOST_ARGUMENT ? `${text.slice(0, MOST_ARGUMENT)}…` : text;
    return [['sql', 'record'].includes(name) ? short : `${name} ${short}`];
  });
  return words.join(', ').slice(0, MOST_WORDS);
}
