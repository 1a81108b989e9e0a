import { bulkOutput } from './bulk-output.ts';
import { fileOutput } from './file-output.ts';
import { httpOutput } from './http-output.ts';
import { logOutput } from './log-output.ts';
import { natsOutput } from './nats/nats-output.ts';
import { otlpOutput } from './otlp-output.ts';
import type { OutputType } from './output-type.ts';
import { parquetOutput } from './parquet-output.ts';
import { smtpOutput } from './smtp/smtp-output.ts';
import { tcpOutput } from './tcp-output.ts';
import { udpOutput } from './udp-output.ts';

/** All outputs that are no script, in the order of the documentation. */
export const OUTPUT_TYPES = [
  logOutput,
  fileOutput,
  parquetOutput,
  tcpOutput,
  udpOutput,
  httpOutput,
  smtpOutput,
  bulkOutput,
  otlpOutput,
  natsOutput,
] as const satisfies readonly OutputType[];

/** The type of that name. @throws {RangeError} when there is none */
export function outputTypeOf(name: string, types: readonly OutputType[] = OUTPUT_TYPES): OutputType {
  const type = types.find((each) => each.type === name);
  if (type === undefined) throw new RangeError(`there is no output of type ${name}`);
  return type;
}
