import { parseArgs } from 'node:util';

/** Reads the options of a soak, all of which are whole numbers, and the seed; ends the process with 2 for wrong ones. */
export function readSoakArguments<Name extends string>(
  args: string[],
  defaults: Readonly<Record<Name, number>>,
): Record<Name | 'seed', number> {
  try {
    const all = { ...defaults, seed: Date.now() % 2 ** 31 };
    const options = Object.entries(all).map(([name, value]) => [name, { type: 'string', default: String(value) }] as const);
    const { values } = parseArgs({ args, options: Object.fromEntries(options) });
    return Object.fromEntries(Object.entries(values).map(([name, text]) => [name, wholeNumber(name, String(text))])) as typeof all;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  }
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new Error(`--${name} must be a whole number, not ${text}`);
  return Number(text);
}
