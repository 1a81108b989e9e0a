import { parseArgs } from 'node:util';

export interface SoakArguments {
  readonly kills: number;
  readonly records: number;
  readonly seed: number;
}

/** Reads the options of a soak; ends the process with 2 for wrong ones. */
export function readSoakArguments(args: string[], defaults: { readonly kills: string; readonly records: string }): SoakArguments {
  try {
    const { values } = parseArgs({
      args,
      options: {
        kills: { type: 'string', default: defaults.kills },
        records: { type: 'string', default: defaults.records },
        seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
      },
    });
    return {
      kills: wholeNumber('kills', values.kills),
      records: wholeNumber('records', values.records),
      seed: wholeNumber('seed', values.seed),
    };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  }
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new Error(`--${name} must be a whole number, not ${text}`);
  return Number(text);
}
