import { tmpdir, hostname } from 'node:os';
import type { PlainInputConfig } from '../../config/schema/sections.ts';
import { FileInput } from '../../inputs/file/file-input.ts';
import { TcpInput } from '../../inputs/net/tcp-input.ts';
import { UdpInput } from '../../inputs/net/udp-input.ts';
import { StatHub } from '../../inputs/stats/stat-hub.ts';
import type { SplitOptions } from '../../inputs/splitters/index.ts';
import type { Input } from '../../inputs/types.ts';
import { TextPool } from '../../message/text-pool.ts';
import { makeInput } from '../../service/inputs.ts';

export interface ListenAddress {
  readonly protocol: 'udp' | 'tcp';
  readonly host: string;
  readonly port: number;
}

/** Makes the inputs of a workspace. The record store is new at every start, so files are read from their beginning. */
export interface InputFactory {
  /** Reads a file from its beginning and follows it. */
  file(name: string, path: string, split: SplitOptions): Input;
  listen(name: string, address: ListenAddress): Input;
  /** The input of a section of the workspace file. */
  configured(config: PlainInputConfig): Input;
}

const stats = new StatHub();
const texts = new TextPool();

export const INPUTS: InputFactory = {
  file: (name, path, split) => new FileInput({ name, paths: [path], split, flushMs: 300, pollMs: 100, texts }),
  listen: (name, { protocol, host, port }) => {
    const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    return protocol === 'udp' ? new UdpInput({ name, address, type: 'syslog' }) : new TcpInput({ name, address, type: 'syslog' });
  },
  configured: (config) => {
    const isSyslog = 'decoder' in config && config.decoder === 'syslog';
    const surroundings = {
      hostname: hostname(),
      stateDirectory: tmpdir(),
      stats,
      endless: true,
      texts,
      type: isSyslog ? 'syslog' : undefined,
    };
    return makeInput(config.type === 'FileInput' && config.start === 'resume' ? { ...config, start: 'begin' } : config, surroundings);
  },
};
