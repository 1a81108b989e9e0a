import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';

/**
 * Replaces a file in one step, or makes it: a crash leaves the old text or the new one. The draft beside it is a new file with a random name, so that
 * no link can wait in its place; a link in the place of the file itself is replaced, not followed.
 * @throws errors of the file system
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(8).toString('hex')}.new`;
  try {
    await createFile(draft, text);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Makes a file that must not exist yet, not even as a link. @throws errors of the file system; what was made of it is removed then */
export async function createFile(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}
