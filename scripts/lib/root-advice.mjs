import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, makeFolder } from './paths.mjs';

/** Groups whose members may read logs: files below /var/log on Debian and its like, and the systemd journal. */
const READERS = ['adm', 'systemd-journal'];

/**
 * Says to root, once on a machine, how an ordinary user gets the right to read logs.
 * @param {{ isRoot?: boolean, groups?: string, user?: string, folder?: string, tell?: (text: string) => void }} [machine]
 */
export function adviseRoot({
  isRoot = process.getuid?.() === 0,
  groups = groupFile(),
  user = process.env.SUDO_USER || 'USER',
  folder = cacheFolder(),
  tell = (text) => process.stderr.write(text),
} = {}) {
  if (!isRoot) return;
  const marker = join(folder, 'told-root');
  if (existsSync(marker)) return;
  tell(advice(user, groups));
  try {
    if (makeFolder(folder)) writeFileSync(marker, '');
  } catch {
    // Then it is said again.
  }
}

/** @param {string} user @param {string} groups the text of /etc/group */
function advice(user, groups) {
  const there = READERS.filter((name) => new RegExp(`^${name}:`, 'm').test(groups));
  const all = there.length === 0 ? [] : [`all of them: sudo usermod -aG ${there.join(',')} ${user}, and a new login`];
  const ways = [...all, `one file:    sudo setfacl -m u:${user}:r /var/log/FILE`];
  return `sluicebox: root should not read logs: what they hold comes from strangers, and commands and outputs run with the rights of root here.
  Give an ordinary user the right to read them, and start sluicebox as that user. This is said once.
${ways.map((way) => `    ${way}\n`).join('')}`;
}

function groupFile() {
  try {
    return readFileSync('/etc/group', 'utf8');
  } catch {
    return '';
  }
}
