import { tmpdir, hostname } from 'node:os';
import type { InputConfig } from '../config/index.ts';
import { FileInput } from '../inputs/index.ts';
import type { Input } from '../inputs/types.ts';
import { makeInput } from '../pipeline/inputs.ts';

export interface ListenAddress {
  readonly protocol: 'udp' | 'tcp';
  readonly host: string;
  readonly port: number;
}

/** Makes the inputs of a workspace. The record store is new at every start, so files are read from their beginning. */
export interface InputFactory {
  /** Reads a file from its beginning and follows it. */
  file(name: string, path: string): Input;
  listen(name: string, address: ListenAddress): Input;
  /** The input of a section of the workspace file. */
  configured(config: Exclude<InputConfig, { type: 'SandboxInput' }>): Promise<Input>;
}

export const INPUTS: InputFactory = {
  file: (name, path) => new FileInput({ name, paths: [path], flushMs: 300, pollMs: 100 }),
  listen: () => {
    throw new Error('listeners are not there yet');
  },
  configured: (config) => {
    const surroundings = { hostname: hostname(), stateDirectory: tmpdir() };
    return makeInput(config.type === 'FileInput' && config.start === 'resume' ? { ...config, start: 'begin' } : config, surroundings);
  },
};
