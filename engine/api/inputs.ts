import { FileInput } from '../inputs/index.ts';
import type { Input } from '../inputs/types.ts';

export interface ListenAddress {
  readonly protocol: 'udp' | 'tcp';
  readonly host: string;
  readonly port: number;
}

/** Makes the inputs of a workspace. */
export interface InputFactory {
  /** Reads a file from its beginning and follows it. */
  file(name: string, path: string): Input;
  listen(name: string, address: ListenAddress): Input;
}

export const INPUTS: InputFactory = {
  file: (name, path) => new FileInput({ name, paths: [path], flushMs: 300, pollMs: 100 }),
  listen: () => {
    throw new Error('listeners are not there yet');
  },
};
