import { matching, receiver } from '../section/receiver.ts';
import { restart } from '../section/restart.ts';
import { outputType } from './output-type.ts';
import { encoder, exit } from './parameters.ts';
import { StreamWriter } from './writers.ts';

/** The type `LogOutput` of sections. */
export const logOutput = outputType({
  type: 'LogOutput',
  summary: 'Writes messages to standard output.',
  example: '[console]\ntype = "LogOutput"\nmessage_matcher = "Severity <= 3"\nencoder = "text"',
  parameters: { ...matching, encoder: encoder('text'), ...receiver, ...restart, ...exit },
  make: (_config, { stdout }) => new StreamWriter(stdout, { lines: true }),
});
