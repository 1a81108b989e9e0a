/**
 * `npm run soak -- upgrade FOLDER…`: runs the service of each folder, a checkout of another version with its packages, by turns with that of this one on one
 * `base_dir`. Its exit code is 1 when a record was lost or came twice, or a state was lost.
 */
import { messageOf } from '../../../engine/base/errors.ts';
import { upgradeSoak } from './soak.ts';

const folders = process.argv.slice(2);
if (folders.length === 0) process.stderr.write('name the folders of other versions, such as: git worktree add ../older HEAD~100\n');
let failed = folders.length === 0;
for (const folder of folders) {
  const problems = await upgradeSoak(folder).catch((error: unknown) => [messageOf(error)]);
  process.stdout.write(`${folder}: ${problems.length === 0 ? 'nothing was lost, and nothing came twice' : problems.join('\n')}\n`);
  failed ||= problems.length > 0;
}
process.exit(failed ? 1 : 0);
