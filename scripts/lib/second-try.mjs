/** @typedef {import('./counts.mjs').Counts} Counts */

/** Most failures that are tried again: more of them at once are no accident of this run. */
const MOST = 3;
/** Number of further runs of their files: an accident seldom happens twice, and hardly ever three times. */
const TURNS = 2;

/**
 * Runs the files in which tests failed once more, and what fails then a last time. Tests that wait for other processes can fail on a machine that had no turn for them; what
 * passes now counts as passed, and stays told as unsteady, with what it said. What fails again has failed.
 * @param {Counts} counts of the first run
 * @param {(files: readonly string[]) => Promise<Counts>} runFiles runs test files, nothing beside them
 * @returns {Promise<Counts>}
 */
export async function tryAgain(counts, runFiles) {
  const { failed, failures, failedFiles = [] } = counts;
  if (failed === 0 || failed > MOST || counts.unexplained || failedFiles.length === 0) return counts;
  const files = failedFiles.map(({ name }) => name);
  let again = await runFiles(files);
  for (let turn = 1; turn < TURNS && again.failed > 0; turn++) again = await runFiles(files);
  if (again.failed > 0) return counts;
  const passed = failedFiles.reduce((sum, file) => sum - file.passed, counts.passed + again.passed);
  const skipped = failedFiles.reduce((sum, file) => sum - file.skipped, counts.skipped + again.skipped);
  return { passed, failed: 0, skipped, failures: [], unsteady: failures };
}
