import { tlsListener } from '../../base/net/tls.ts';
import { encryption, HAS_CERTIFICATE } from '../../section/tls.ts';
import { address, bytes } from '../../section/values.ts';
import { listenerFacts, portOf } from '../net/address.ts';
import { inputType } from '../shared/input-type.ts';
import { decoding } from '../shared/parameters.ts';
import { AcknowledgedInput, type AcknowledgedInputOptions } from './acknowledged-input.ts';
import { BeatsSession } from './beats-session.ts';

const DEFAULT_MAX_MESSAGE = 16 << 20;

/** The type `BeatsInput` of sections. */
export const beatsInput = inputType({
  type: 'BeatsInput',
  summary:
    'Receives events of Filebeat and other Beats, which send them to it as to Logstash (`output.logstash`). `@timestamp` is the time of a message, `message` ' +
    'its Payload, `host.name` its Hostname, and all else its fields, with dots between the names of objects, such as `log.file.path`. A decoder reads the ' +
    'Payload. Events are acknowledged when all filters and outputs have them; what was not acknowledged is sent again.',
  example:
    '[beats]\ntype = "BeatsInput"\naddress = ":5044"\n\n[shown]\ntype = "LogOutput"\nencoder = "text"\nmessage_matcher = "Logger == \'beats\'"',
  parameters: () => ({
    address: address.default('127.0.0.1:5044').describe('Where to listen.'),
    max_message_size: bytes
      .min(1)
      .max(256 << 20)
      .default(DEFAULT_MAX_MESSAGE)
      .describe(
        'Longest frame of the protocol, which may have many events. The limit holds for the compressed and for the uncompressed events.',
      ),
    ...encryption,
    ...decoding,
  }),
  rules: [HAS_CERTIFICATE],
  repeats: true,
  facts: ({ address: at }) => ({ ...listenerFacts('tcp', at), label: `beats:${portOf(at)}` }),
  make: ({ name, address: at, max_message_size: maxMessage, use_tls: encrypted, tls }, { type }) =>
    makeBeatsInput({ name, address: at, maxMessage, tls: encrypted ? tlsListener(tls) : undefined }, type),
});

/** @param type of the messages; the name of the input by default. @throws {InputError} `port.bad-address` */
export function makeBeatsInput(options: AcknowledgedInputOptions, type = options.name): AcknowledgedInput {
  const { name, maxMessage } = options;
  return new AcknowledgedInput(options, (peer) => new BeatsSession({ name, type, maxMessage }, peer));
}
