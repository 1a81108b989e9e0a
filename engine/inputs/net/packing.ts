import { z } from 'zod';
import { errorCode } from '../../base/errors.ts';
import type { Rule } from '../../section/section-schema.ts';
import { errorText } from '../notices.ts';
import { TooLargeError } from '../packed/errors.ts';
import type { InputNotice } from '../types.ts';
import { isSingle, isUsualZlib } from './zlib.ts';

/** The ways in which senders pack what they send. */
export type Packing = 'none' | 'single' | 'stream';

const SINGLES =
  '`single`: messages that rsyslog has compressed one by one (`compression.mode="single"`, or only `ZipLevel`) are unpacked, and others are taken as ' +
  'they are. Those that are damaged, or have more than 1 MiB, are dropped and counted (`DamagedMessageCount`).';
const FIGURE = 'Reports count the unpacked bytes (`UnpackedByteCount`).';

/** The parameter of connections. */
export const streamCompression = z
  .enum(['none', 'single', 'stream'])
  .default('none')
  .describe(
    `${SINGLES} \`stream\`: each connection is one zlib stream of rsyslog (\`compression.mode="stream:always"\`), and there are 1,000 of them at most. ` +
      'One that is no zlib, is damaged, or unpacks to more than 64 MiB and more than 500 times its size, is closed, and the log names its sender. ' +
      FIGURE,
  );

/** The parameter of datagrams. */
export const datagramCompression = z.enum(['none', 'single']).default('none').describe(`${SINGLES} ${FIGURE}`);

export const SINGLE_BY_LINES: Rule<{ readonly compression: Packing; readonly splitter?: string | undefined }> = {
  holds: ({ compression, splitter }) => compression !== 'single' || splitter === 'line',
  error: 'single needs the splitter line: rsyslog counts the octets of each compressed message',
  path: ['compression'],
};

export const SINGLE_IS_SYSLOG: Rule<{ readonly compression: Packing; readonly gelf: boolean; readonly splitter?: string | undefined }> = {
  holds: ({ compression, gelf, splitter }) => compression === 'none' || (!gelf && splitter !== 'framing'),
  error: 'single is for datagrams of syslog: it goes neither with gelf, which is unpacked anyway, nor with the splitter framing',
  path: ['compression'],
};

const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
/** The second byte of zlib whose head is text. */
const CARET = 0x5e;

/** A connection, for notices. */
export interface Place {
  /** Address of the sender. */
  readonly host: string;
  /** Name of the input. */
  readonly name: string;
}

export const framingNotice = (text: string): InputNotice => ({ level: 'warning', code: 'stream.framing', text });

/** Messages that were packed one by one cannot be unpacked. */
export function singleNotice(what: string): InputNotice {
  const text = `${what} that are damaged or too long: they are dropped and counted. Check the program that sends them.`;
  return { level: 'warning', code: 'stream.damaged', text };
}

/** The advice that the first bytes of a connection give, when they are packed in another way than an input takes; null: none. */
export function packingNotice(bytes: Buffer, taken: Packing, { host, name }: Place): InputNotice | null {
  const advice = adviceFor(bytes, taken);
  return advice === null ? null : framingNotice(`${host} sends compressed data to input ${name}: ${advice}.`);
}

function adviceFor(bytes: Buffer, taken: Packing): string | null {
  if (bytes.subarray(0, ZSTD.length).equals(ZSTD)) return 'zstd, which is not taken. Set compression.driver="zlib" in its rsyslog';
  const sent = packingOf(bytes);
  return sent === 'none' || sent === taken ? null : `set compression = "${sent}" for this input`;
}

function packingOf(bytes: Buffer): Packing {
  if (isUsualZlib(bytes) && bytes[1] !== CARET) return 'stream';
  const count = /^[1-9]\d{0,9} /.exec(bytes.toString('latin1', 0, 12))?.[0];
  return count !== undefined && isSingle(bytes, count.length, bytes.length) ? 'single' : 'none';
}

/** A connection that is to be one zlib stream was closed. */
export function zlibNotice(error: Error, { host, name }: Place): InputNotice {
  const kept = 'What came before was read';
  if (errorCode(error) === 'Z_BUF_ERROR') {
    const text = `The connection from ${host} to input ${name} ended amid its zlib stream: what the sender had not flushed is lost. ${kept}.`;
    return { level: 'info', code: 'connection.broken', text };
  }
  const advice =
    error instanceof TooLargeError
      ? 'Find out what sends it'
      : 'The sender needs compression.mode="stream:always" and the driver zlib, or this input another compression';
  return framingNotice(
    `The zlib stream from ${host} to input ${name} cannot be read on (${errorText(error)}), and the connection was closed. ${kept}. ${advice}.`,
  );
}
