import type { InputConfig } from '../config/index.ts';
import { EngineError } from '../errors.ts';
import { FileInput, parseSplit } from '../inputs/index.ts';
import type { Input } from '../inputs/types.ts';

export interface InputSurroundings {
  readonly hostname: string;
  /** Folder of checkpoints. */
  readonly stateDirectory: string;
}

/**
 * Makes the input of a section.
 * @throws {EngineError} `config.unsupported`
 */
export async function makeInput(config: Exclude<InputConfig, { type: 'SandboxInput' }>, surroundings: InputSurroundings): Promise<Input> {
  switch (config.type) {
    case 'FileInput':
      return Promise.resolve(makeFileInput(config, surroundings));
    case 'UdpInput':
    case 'TcpInput':
      throw new EngineError('config.unsupported', `${config.type} is not available in this version.`);
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
