import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { EngineError } from '../../base/errors.ts';

/** Meaning of a typed text. */
export type TypedTarget =
  | { readonly kind: 'local'; readonly path: string }
  /** A file of another machine: `host:/var/log/syslog`. */
  | { readonly kind: 'remote'; readonly host: string; readonly path: string };

/** `[user@]host:/path` or `host:~/path`. A host never begins with a dash, so that no program takes it for an option. */
const REMOTE = /^((?:[\w][\w.+-]*@)?(?:[A-Za-z\d][\w.-]*|\[[\da-fA-F:]+\])):([/~].*)$/s;
const LOOKS_REMOTE = /^[^/\\]+:[/~]/;
const WINDOWS_DRIVE = /^[A-Za-z]:[/\\]/;
const CONTROLS = /\p{Cc}/u;

/**
 * Reads a typed text: an absolute path, one below the home folder (`~/…`), or a file of another machine. Relative paths begin at the home folder.
 * @throws {EngineError} `path.bad`
 */
export function typedTarget(typed: string, home = homedir()): TypedTarget {
  const text = typed.trim();
  if (text === '') throw bad('Type the path of a file or folder, a pattern, or host:/path.');
  if (CONTROLS.test(text)) throw bad('A path with line ends or control characters cannot be typed. Open it in the dialog.');
  if (WINDOWS_DRIVE.test(text) && process.platform === 'win32') return { kind: 'local', path: resolve(text) };
  const remote = REMOTE.exec(text);
  if (remote !== null) return { kind: 'remote', host: remote[1] ?? '', path: remote[2] ?? '' };
  if (text.startsWith('-')) throw bad('A path does not begin with a dash. Type ./ in front of it if it does.');
  if (LOOKS_REMOTE.test(text))
    throw bad(
      `${text.slice(0, text.indexOf(':'))} is not the name of a machine: letters, digits, points and dashes, and none of these first.`,
    );
  return { kind: 'local', path: localPath(text, home) };
}

/** The path of this machine that a typed text means; null: it means none. */
export function typedPath(text: string): string | null {
  try {
    const target = typedTarget(text);
    return target.kind === 'local' ? target.path : null;
  } catch {
    return null;
  }
}

/** The absolute path of a typed one. */
export function localPath(text: string, home = homedir()): string {
  if (text === '~' || text.startsWith('~/')) return resolve(join(home, text.slice(1)));
  return isAbsolute(text) ? resolve(text) : resolve(home, text);
}

const bad = (text: string): EngineError => new EngineError('path.bad', text);
