import { DescriptorWriter, isOnDisk } from './descriptor-writer.ts';
import { matching, receiver } from '../section/receiver.ts';
import { restart } from '../section/restart.ts';
import { outputType } from './output-type.ts';
import { encoder, exit } from './parameters.ts';
import { StreamWriter } from './writers.ts';

/** The type `LogOutput` of sections. */
export const logOutput = outputType({
  type: 'LogOutput',
  summary:
    'Writes messages to standard output, as the encoder makes them: `log_flags` puts nothing in front, so that other programs can read them. If that is a file and its disk is full, messages and inputs wait, as those of a FileOutput do.',
  example: '[console]\ntype = "LogOutput"\nmessage_matcher = "Severity <= 3"\nencoder = "text"',
  parameters: () => ({ ...matching, encoder: encoder('text'), ...receiver, ...restart, ...exit }),
  make: ({ retries }, { stdout, onProblem }) => {
    const fd = 'fd' in stdout && typeof stdout.fd === 'number' ? stdout.fd : null;
    return fd !== null && isOnDisk(fd)
      ? new DescriptorWriter(fd, 'standard output', { retries, onProblem })
      : new StreamWriter(stdout, { lines: true });
  },
});
