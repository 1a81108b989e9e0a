/** Bytes of a file that is read. */
export const MOST_FILE_BYTES = 1 << 30;

/**
 * The place of a lake: a folder, or a prefix of a bucket. Paths are within it, with `/`. Files never change; of one that is not there, an error has
 * the code `ENOENT`.
 */
export interface LakeFiles {
  /** Words for it, as the user gives it. */
  readonly root: string;
  /** All whole files below a folder; none when there is no such folder. */
  list(folder: string): Promise<string[]>;
  /** Milliseconds since a file was written. */
  ageMs(path: string): Promise<number>;
  read(path: string): Promise<Buffer>;
  /** Makes a file, which others see whole or not at all and which is safe then. @returns false: there is one of that name already */
  create(path: string, bytes: Uint8Array): Promise<boolean>;
  /** It may be gone already. */
  remove(path: string): Promise<void>;
  /** The path on this machine of a file that is to be read. */
  local(path: string): Promise<string>;
  /** Removes what killed writers have left. @param ageMs age from which it is nobody's, if nothing else tells */
  tidy(ageMs: number): Promise<void>;
}
