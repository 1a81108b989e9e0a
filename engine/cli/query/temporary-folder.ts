import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorCode } from '../../base/errors.ts';

const PREFIX = 'sluicebox-query-';
/** Names hold the number of the process. */
const NAME = /^sluicebox-query-(\d+)-/;

/** Makes a folder for the files of a query. Those that killed processes of this user left are removed. */
export async function temporaryFolder(): Promise<string> {
  await removeAbandoned();
  return mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
}

async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const pid = NAME.exec(name)?.[1];
    if (pid === undefined || lives(Number(pid))) continue;
    const path = join(tmpdir(), name);
    const info = await stat(path).catch(() => null);
    if (info?.isDirectory() === true && info.uid === (process.getuid?.() ?? info.uid))
      await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}
