import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { say, SetupError } from './report.mjs';

// Each of these closes user namespaces to ordinary users, on which Chromium's sandbox stands.
const RESTRICTIONS = [
  { file: '/proc/sys/kernel/apparmor_restrict_unprivileged_userns', closedBy: '1' },
  { file: '/proc/sys/kernel/unprivileged_userns_clone', closedBy: '0' },
  { file: '/proc/sys/user/max_user_namespaces', closedBy: '0' },
];

/**
 * The flags that Chromium's sandbox needs here. It refuses to run as root: only then it is switched off. Where the system keeps
 * user namespaces from ordinary users (Ubuntu since 23.10 does), it needs a helper that belongs to root.
 * @param {string} binary Electron's
 * @returns {string[]}
 * @throws {SetupError} with the command that makes the helper work
 */
export function sandboxFlags(binary) {
  if (process.platform !== 'linux') return [];
  if (process.getuid?.() === 0) {
    say("running as root: Chromium's own sandbox is off (--no-sandbox)");
    return ['--no-sandbox'];
  }
  const helper = join(dirname(binary), 'chrome-sandbox');
  if (RESTRICTIONS.some(({ file, closedBy }) => read(file) === closedBy) && !isRootsOwn(helper)) {
    throw new SetupError(
      "this system closes user namespaces to ordinary users, so Chromium's sandbox needs its helper to belong to root.",
      {
        hint: `Run: sudo chown root:root '${helper}' && sudo chmod 4755 '${helper}'`,
      },
    );
  }
  return [];
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** @param {string} helper */
function isRootsOwn(helper) {
  const stats = statSync(helper, { throwIfNoEntry: false });
  return stats !== undefined && stats.uid === 0 && (stats.mode & 0o4000) !== 0;
}
