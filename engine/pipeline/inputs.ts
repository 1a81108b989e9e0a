import type { InputConfig } from '../config/index.ts';
import { FileInput, parseSplit, TcpInput, UdpInput, type FramedOptions, type SplitOptions } from '../inputs/index.ts';
import type { Input } from '../inputs/types.ts';

export interface InputSurroundings {
  readonly hostname: string;
  /** Folder of checkpoints. */
  readonly stateDirectory: string;
  /** Type of what listeners receive; the name of the input by default. */
  readonly type?: string;
  /** Largest framed message in bytes. */
  readonly maxMessageSize?: number;
}

type RecordInputConfig = Exclude<InputConfig, { type: 'SandboxInput' }>;

/** How framed messages are to be taken, from an input that takes such. */
function framed(config: RecordInputConfig, { maxMessageSize }: InputSurroundings): { readonly framed?: FramedOptions } {
  if (config.splitter !== 'framing') return {};
  const keys = new Map(Object.entries(config.signers).map(([name, { hmac_key: key }]) => [name, key]));
  return { framed: { keys: config.skip_authentication ? null : keys, ...(maxMessageSize === undefined ? {} : { maxMessageSize }) } };
}

/** How a listener cuts what it receives, unless as it does by itself. */
function splitting(
  config: RecordInputConfig,
  own: 'none' | 'line',
  surroundings: InputSurroundings,
): { readonly framed?: FramedOptions; readonly split?: SplitOptions } {
  if (config.splitter === own) return {};
  return config.splitter === 'framing' ? framed(config, surroundings) : { split: parseSplit(config.splitter) };
}

/** Makes the input of a section. */
export function makeInput(config: RecordInputConfig, surroundings: InputSurroundings): Input {
  const { name } = config;
  const type = surroundings.type === undefined ? {} : { type: surroundings.type };
  switch (config.type) {
    case 'FileInput':
      return makeFileInput(config, surroundings);
    case 'UdpInput': {
      const { address, set_hostname: setHostname } = config;
      return new UdpInput({ name, address, setHostname, ...type, ...splitting(config, 'none', surroundings) });
    }
    case 'TcpInput':
      return new TcpInput({ name, address: config.address, ...type, ...splitting(config, 'line', surroundings) });
  }
}

function makeFileInput(config: Extract<InputConfig, { type: 'FileInput' }>, surroundings: InputSurroundings): Input {
  const { hostname, stateDirectory } = surroundings;
  const { framed: framing } = framed(config, surroundings);
  const { name, paths, follow, start, encoding } = config;
  return new FileInput({
    ...{ name, paths, follow, hostname },
    split: framing === undefined ? parseSplit(config.splitter) : { kind: 'framing', ...framing },
    ...(encoding === 'auto' ? {} : { encoding }),
    startAt: start === 'end' ? 'end' : 'beginning',
    ...(start === 'resume' ? { stateDirectory } : {}),
  });
}
