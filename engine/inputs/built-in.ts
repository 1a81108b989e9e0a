import { beatsInput } from './acknowledged/beats-input.ts';
import { relpInput } from './acknowledged/relp-input.ts';
import { fluentForwardInput } from './fluent/fluent-forward-input.ts';
import { fileInput } from './file/file-section.ts';
import { httpInput } from './http/http-input.ts';
import { httpListenInput } from './http/http-listen-input.ts';
import { otlpInput } from './http/otlp-input.ts';
import type { InputType } from './shared/input-type.ts';
import { tcpInput } from './net/tcp-input.ts';
import { udpInput } from './net/udp-input.ts';
import { filePollingInput } from './poll/file-polling-input.ts';
import { natsInput } from './nats/nats-input.ts';
import { processInput } from './process/process-input.ts';
import { statAccumInput } from './statsd/stat-accum-input.ts';
import { statsdInput } from './statsd/statsd-input.ts';

/** All inputs that are no script, in the order of the documentation. */
export const INPUT_TYPES = [
  fileInput,
  udpInput,
  tcpInput,
  filePollingInput,
  processInput,
  httpListenInput,
  httpInput,
  otlpInput,
  fluentForwardInput,
  beatsInput,
  relpInput,
  natsInput,
  statsdInput,
  statAccumInput,
] as const satisfies readonly InputType[];

/** The type of that name. @throws {RangeError} when there is none */
export function inputTypeOf(name: string, types: readonly InputType[] = INPUT_TYPES): InputType {
  const type = types.find((each) => each.type === name);
  if (type === undefined) throw new RangeError(`there is no input of type ${name}`);
  return type;
}
