import { createInterface } from 'node:readline/promises';

/**
 * Decides what to do about missing system packages: `install` them, `ask` first, or `tell` the command that installs them. Unattended
 * machines, without a display or in continuous integration, install without a question.
 * @param {{ canInstall: boolean, hasDisplay: boolean, isCi: boolean, hasTerminal: boolean }} machine `canInstall`: root, with apt-get
 * @returns {'install' | 'ask' | 'tell'}
 */
export function installationWay({ canInstall, hasDisplay, isCi, hasTerminal }) {
  if (!canInstall) return 'tell';
  if (!hasDisplay || isCi) return 'install';
  return hasTerminal ? 'ask' : 'tell';
}

/**
 * Whether an answer to a `[Y/n]` question is yes. Enter is.
 * @param {string} answer
 */
export const isYes = (answer) => /^(|y|yes)$/i.test(answer.trim());

/**
 * Asks a question at the terminal. The end of the input is a no.
 * @param {string} question
 * @param {NodeJS.ReadableStream} [input]
 * @param {NodeJS.WritableStream} [output]
 * @returns {Promise<boolean>}
 */
export async function askYesNo(question, input = process.stdin, output = process.stdout) {
  const terminal = createInterface({ input, output });
  const closed = new Promise((resolve) => terminal.once('close', () => resolve('no')));
  try {
    return isYes(await Promise.race([terminal.question(`${question} [Y/n] `), closed]));
  } finally {
    terminal.close();
  }
}
