import { hostname } from 'node:os';
import { z } from 'zod';
import { natsName, natsServers, ONE_LOGIN, serversOf, subject } from '../../nats/parameters.ts';
import { unknownPlaces } from '../../nats/subject.ts';
import { matching, remoteReceiver } from '../../section/receiver.ts';
import { restart } from '../../section/restart.ts';
import { oneLine } from '../../section/values.ts';
import { outputType } from '../output-type.ts';
import { exit, milliseconds } from '../parameters.ts';
import { NatsWriter } from './nats-writer.ts';

/** The type `NatsOutput` of sections. */
export const natsOutput = outputType({
  type: 'NatsOutput',
  summary:
    'Publishes messages in batches to a stream of NATS JetStream, from which a `NatsInput` elsewhere reads them; see ' +
    '[cluster.md](../cluster.md). Messages wait in a disk buffer, unless `use_buffering = false`, until the stream has them. Without a `stream` ' +
    'they reach only those who listen at that moment. A script with this target passes it messages in protobuf, one with each call.',
  example:
    '[upstream]\ntype = "NatsOutput"\nservers = ["127.0.0.1:4222"]\nstream = "LOGS"\nsubject = "logs.{Hostname}.{Type}"\nmessage_matcher = "TRUE"',
  parameters: () => ({
    ...matching,
    ...natsServers,
    stream: natsName
      .min(1)
      .optional()
      .describe('Stream that must take the subjects. It is not made here. Absent: nothing is kept on the servers.'),
    subject: subject
      .refine((value) => !/[*>]/.test(value), { error: 'must have no * and no >: those are for reading' })
      .check((context) => {
        for (const name of unknownPlaces(context.value)) {
          context.issues.push({
            code: 'custom',
            input: context.value,
            message: `has {${name}}, and may have {Hostname}, {Logger} and {Type}`,
          });
        }
      })
      .default('logs.{Hostname}.{Type}')
      .describe('Subject of the messages, with `{Hostname}`, `{Logger}` and `{Type}` in it; dots and blanks in these become `_`.'),
    flush_interval: milliseconds
      .default(1_000)
      .describe('How long messages wait for others of a batch. Longer intervals make fewer and smaller batches. 0: not at all.'),
    batch_messages: z.int().min(1).max(1_000_000).default(5_000).describe('Messages that are gathered at most, and those of a batch.'),
    edge: oneLine.min(1).max(100).optional().describe('Name of this program among those that publish. Default: the name of the machine.'),
    ...remoteReceiver,
    ...restart,
    ...exit,
  }),
  rules: [ONE_LOGIN],
  make: (config, { stateFolder, notedAfter, onProblem }) =>
    NatsWriter.open({
      servers: serversOf(config),
      stream: config.stream ?? null,
      subject: config.subject,
      edge: config.edge ?? hostname(),
      name: config.name,
      flushInterval: config.flush_interval,
      batchMessages: config.batch_messages,
      // Only a disk buffer can go on behind what is noted.
      folder: notedAfter === undefined ? null : (stateFolder ?? null),
      retries: config.retries,
      onProblem,
    }),
});
