import { SetupError } from './report.mjs';

const PARTS = ['lint', 'unit', 'producers', 'e2e'];
/** Parts that can be narrowed down to what a change touches. */
const CHANGED_PARTS = ['lint', 'unit'];

/**
 * Reads the arguments of `npm test`: the parts to run; `strict`: what failed once has failed, also when it passes at a second try.
 * @param {readonly string[]} args
 * @returns {{ parts: readonly string[], changed: boolean, strict: boolean }}
 * @throws {SetupError} when there is no such part
 */
export function readTestArguments(args) {
  const changed = args.includes('--changed');
  const strict = args.includes('--strict');
  const parts = args.filter((arg) => arg !== '--changed' && arg !== '--strict');
  const possible = changed ? CHANGED_PARTS : PARTS;
  const unknown = parts.find((part) => !possible.includes(part));
  if (unknown === undefined) return { parts: parts.length > 0 ? parts : possible, changed, strict };
  throw new SetupError(`there is no part "${unknown}" of the tests${changed ? ' with --changed' : ''}.`, {
    hint: `Parts: ${possible.join(', ')}. Without one, all run.`,
  });
}
