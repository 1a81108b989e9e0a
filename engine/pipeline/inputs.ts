import type { InputConfig } from '../config/index.ts';
import { FileInput, parseSplit, TcpInput, UdpInput } from '../inputs/index.ts';
import type { Input } from '../inputs/types.ts';

export interface InputSurroundings {
  readonly hostname: string;
  /** Folder of checkpoints. */
  readonly stateDirectory: string;
  /** Type of what listeners receive; the name of the input by default. */
  readonly type?: string;
}

/** Makes the input of a section. */
export function makeInput(config: Exclude<InputConfig, { type: 'SandboxInput' }>, surroundings: InputSurroundings): Input {
  const { name } = config;
  const type = surroundings.type === undefined ? {} : { type: surroundings.type };
  switch (config.type) {
    case 'FileInput':
      return makeFileInput(config, surroundings);
    case 'UdpInput':
      return new UdpInput({ name, address: config.address, ...type });
    case 'TcpInput':
      return new TcpInput({ name, address: config.address, ...type });
  }
}

function makeFileInput(config: Extract<InputConfig, { type: 'FileInput' }>, { hostname, stateDirectory }: InputSurroundings): Input {
  const { name, paths, follow, start } = config;
  return new FileInput({
    ...{ name, paths, follow, hostname },
    split: parseSplit(config.splitter),
    startAt: start === 'end' ? 'end' : 'beginning',
    ...(start === 'resume' ? { stateDirectory } : {}),
  });
}
