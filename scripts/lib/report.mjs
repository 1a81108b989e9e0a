/** A failure of the set-up that the user can mend: what happened, and the next step. */
export class SetupError extends Error {
  /**
   * @param {string} message what happened
   * @param {{ hint?: string, cause?: unknown }} [options] `hint`: the next step, best a command to run
   */
  constructor(message, { hint, cause } = {}) {
    super(message, { cause });
    this.name = 'SetupError';
    this.hint = hint;
  }
}

/**
 * One line about what the set-up does. Nothing is said about what is already in place.
 * @param {string} line
 */
export const say = (line) => console.log(`sluicebox: ${line}`);

/**
 * Runs a script's main function, prints a failure as a sentence with its next step, and sets the exit code.
 * @param {() => Promise<number | void>} main gives the exit code, 0 when it gives none
 */
export async function runMain(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(`sluicebox: ${error.message}`);
    if (error.hint) console.error(`  ${error.hint}`);
    process.exitCode = 1;
  }
}
