import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';

/** Writes a file in one step: when that fails, as on a full disk, what was there stays. @throws the system's error */
export async function saveFile(path: string, content: string | Uint8Array): Promise<void> {
  const draft = `${path}.${randomBytes(8).toString('hex')}.part`;
  try {
    await writeFile(draft, content, { flag: 'wx' });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
