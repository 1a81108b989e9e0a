import { tlsListener } from '../../base/net/tls.ts';
import { encryption, HAS_CERTIFICATE } from '../../section/tls.ts';
import { address, bytes } from '../../section/values.ts';
import { listenerFacts, portOf } from '../net/address.ts';
import { Gatherer } from '../net/gatherer.ts';
import { inputType } from '../shared/input-type.ts';
import { decoding } from '../shared/parameters.ts';
import { AcknowledgedInput, type AcknowledgedInputOptions } from './acknowledged-input.ts';
import { MOST_DATA, RelpSession } from './relp-session.ts';

/** The type `RelpInput` of sections. */
export const relpInput = inputType({
  type: 'RelpInput',
  summary:
    'Receives records by RELP, the protocol of `omrelp` in rsyslog. Each is acknowledged when all filters and outputs have it, so a sender loses nothing ' +
    'when either side ends; what was not acknowledged is sent again. Hostname is the address of the sender, unless a decoder sets another one, and the ' +
    'field `remote_port` of its records is its port.',
  example: '[relp]\ntype = "RelpInput"\naddress = ":2514"\ndecoder = "syslog"',
  parameters: () => ({
    address: address.default('127.0.0.1:2514').describe('Where to listen.'),
    max_message_size: bytes
      .min(1)
      .max(MOST_DATA)
      .default(128 << 10)
      .describe('Longest record. What is longer is cut, as the sender would send it for ever.'),
    ...encryption,
    ...decoding,
  }),
  rules: [HAS_CERTIFICATE],
  repeats: true,
  facts: ({ address: at }) => ({ ...listenerFacts('tcp', at), label: `relp:${portOf(at)}` }),
  make: ({ name, address: at, max_message_size: maxMessage, use_tls: encrypted, tls }, { type }) =>
    makeRelpInput({ name, address: at, maxMessage, tls: encrypted ? tlsListener(tls) : undefined }, type),
});

/** @param type of the records; the name of the input by default. @throws {InputError} `port.bad-address` */
export function makeRelpInput(options: AcknowledgedInputOptions, type = options.name): AcknowledgedInput {
  const gatherer = new Gatherer(type, options.name, { withHosts: true });
  const shared = { maxRecord: options.maxMessage, gatherer };
  return new AcknowledgedInput(options, (peer) => new RelpSession(shared, peer));
}
