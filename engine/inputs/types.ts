import type { NoticeCode } from '../api/notices.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import type { TextColumn } from '../message/batch/columns.ts';

export type NoticeLevel = 'info' | 'warning' | 'error';

/** Something the user should know about an input: shown in the window and on the command line; the rest goes on. */
export interface InputNotice {
  readonly level: NoticeLevel;
  readonly code: NoticeCode;
  /** The plugin that it is about; absent: its input. */
  readonly subject?: string;
  /** Says what happened to which file or port, and what to do. */
  readonly text: string;
}

/** Records as they were cut from one input, in order, not yet decoded. */
export interface InputBatch {
  /** Payload holds the records (without their line end unless the splitter keeps it); Type, Logger, Hostname are set by the input. */
  readonly batch: MessageBatch;
  /**
   * Line number (1-based) of the first record within its file: row r is line firstLine + r. Where records are not lines, the number of
   * the record. 0 where there are none (sockets) or it is not known.
   */
  readonly firstLine: number;
  /** The origin of the records, for messages about them: the path of the file. Absent where one batch has many sources. */
  readonly source?: string;
  /** Kind of the file, for an input that recognises its files; see `FileKinds`. */
  readonly fileKind?: string | undefined;
  /** For messages that come decoded: the records that they were made of. Absent where these are not known. */
  readonly raw?: TextColumn | null;
  /** Signer of the messages; absent where they are not signed. */
  readonly signer?: string | undefined;
  /**
   * Nanoseconds since 1970 after which no record was written: the time of their file, or one time for each record when a file spans several
   * years without naming them. Absent where it is unknown, and for messages that came framed.
   */
  readonly writtenNs?: bigint | BigInt64Array | undefined;
  /** These are the errors of a command, which say nothing of the form of its records. */
  readonly isStderr?: boolean;
  /** For pieces that were not cut: their source, such as a file or a connection. Absent where each stands alone. */
  readonly stream?: object | undefined;
  /** For a piece that was not cut: acknowledges so many of its bytes; the others may be read again after a restart. */
  acknowledgeTo?(bytes: number): void;
  /** Nobody waits for the acknowledgement: outputs may gather more before they write it. */
  readonly isPatient?: boolean;
  /** Tells the input that all of this batch was delivered: its checkpoint may move past it. Called once, in order. */
  readonly acknowledge: () => void;
}

/** The receiver of an input's batches and notices. */
export interface InputSink {
  /** Resolves when the pipeline can take more: until then a file waits and a stream socket is not read. */
  deliver(batch: InputBatch): Promise<void>;
  notice(notice: InputNotice): void;
  /** For pieces that were not cut: no more of them come from this stream. */
  ended?(stream: object): void;
  /** The input has nothing more to read for now (end of the files); called again whenever that becomes true again. */
  idle(): void;
  /** Somebody waits for the delivery: the outputs write now what they have gathered. */
  hurry?(): void;
}

/** Counters that the window shows. Bytes and records since start; `dropped` counts what UDP lost here. */
export interface InputStats {
  readonly bytes: number;
  readonly records: number;
  readonly dropped: number;
  /** Bytes that can be read now, as far as is known: files' sizes together. */
  readonly totalBytes: number;
  /** No file has the names that it reads under any more. */
  readonly gone?: boolean;
}

/** A running input. */
export interface Input {
  readonly name: string;
  start(sink: InputSink): Promise<void>;
  stop(): Promise<void>;
  /** Keeps what was acknowledged after the stop; absent: it keeps nothing. */
  settle?(): Promise<void>;
  stats(): InputStats;
  /** Further figures for reports, by name. */
  figures?(): Readonly<Record<string, number>>;
  /** The reason for which nothing can come from it now, such as a port that is taken; null or absent: none. */
  readonly problem?: string | null;
}

/** The end of an input that ended by itself. */
export interface InputEnd {
  /** Exit status of what it ran; null: there is none. */
  readonly status: number | null;
  /** Name of the signal that ended it; null: none did. */
  readonly signal: string | null;
  /** The reason for which that is a failure; null: it is none. */
  readonly reason: string | null;
  /** The reason for which it failed, in the words of what it ran, and what to do; absent: that is not known. */
  readonly why?: string;
}

/** An input that can end by itself and be started again then. */
export interface EndingInput extends Input {
  /** Resolves when it has ended after the last `start`; never, when it was stopped. */
  readonly ended: Promise<InputEnd>;
}
