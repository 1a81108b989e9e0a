/** The name by which files of a section, or of a script of it, are kept. Different names may have the same: `check` refuses them. */
export const fileName = (name: string): string => name.replaceAll(/\W/g, '_');

/** The name of the sandbox in which a decoder works for an input. */
export const decoderInstance = (decoder: string, input: string): string => `${decoder} (${input})`;

/** The decoder of which this sandbox works for an input. */
export function decoderOfInstance(instance: string, input: string): string {
  const end = decoderInstance('', input);
  return instance.endsWith(end) ? instance.slice(0, -end.length) : instance;
}

/** The name of the sandbox in which an encoder works for an output. */
export const encoderInstance = (encoder: string, output: string): string => `${output}-${encoder}`;
