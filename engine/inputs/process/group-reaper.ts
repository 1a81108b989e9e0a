import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { onlyStreams } from '../../base/process/descriptors.ts';

/** Reads `start GROUP` and `end GROUP`; at the end of that, which is the end of this process, it ends the groups that are left. */
const SCRIPT = `trap '' HUP INT TERM
groups=' '
while read -r what group; do
  case $what in
    start) groups="$groups$group " ;;
    end) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
send() { for group in $groups; do kill -s "$1" -- "-$group" && left=yes; done; }
send TERM
for second in 1 2; do
  left=; send 0
  [ -z "$left" ] && exit
  sleep 1
done
send KILL`;

let reaper: ChildProcess | null = null;

/**
 * Starts, unless it runs, a small shell that outlives this process however that ends. It then ends the process groups that it was told of: it asks them
 * to, kills them two seconds later, and ends itself. Called before a command is started, so that no moment is without it.
 */
export function startReaper(): void {
  if (process.platform === 'win32' || reaper !== null) return;
  const child = spawn('/bin/sh', ['-c', SCRIPT], {
    stdio: onlyStreams(['pipe', 'ignore', 'ignore']),
    env: { PATH: '/usr/bin:/bin' },
    cwd: '/',
    // Signals to the group of this process are not for it.
    detached: true,
  });
  // Without a shell the commands of a killed engine end when they like.
  child.on('error', () => undefined);
  child.on('exit', () => (reaper = null));
  child.stdin?.on('error', () => undefined);
  child.unref();
  (child.stdin as Socket).unref();
  reaper = child;
}

/** Tells it that a process group runs, or has ended. */
export function tellReaper(what: 'start' | 'end', group: number): void {
  reaper?.stdin?.write(`${what} ${group}\n`);
}
