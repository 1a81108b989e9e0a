import { existsSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { messageOf } from '../base/errors.ts';
import { readRegularFileSync } from '../base/files/regular-file.ts';
import { isTable, type Table } from './document.ts';
import type { Environment } from './environment.ts';
import type { Finding } from './problems.ts';

/** The header of requests that is one. */
const HEADER = 'Authorization';
/** Parameters that are secrets, in sections and in their tables: each may stand in a file of its own, which `NAME_file` names. */
export const SECRETS: ReadonlySet<string> = new Set(['password', 'api_key', 'hmac_key', 'shared_key', 'session_ticket_key', HEADER]);

const END = '_file';
const MOST_BYTES = 64 << 10;
/** Rights of everybody on this machine. */
const OTHERS = 0o007;
/** Stands for what cannot be read, in a section that is not run. */
const UNREAD = '-';

interface TakenSecrets {
  readonly table: Table;
  readonly findings: readonly Finding[];
  /** The parameters that are secrets now. */
  readonly paths: readonly (readonly string[])[];
}

/** A finding without the text of a secret that it is about. */
export function withoutSecrets(finding: Finding, secrets: TakenSecrets['paths']): Finding {
  const isAbout = secrets.some((path) => path.every((key, i) => finding.path[i] === key));
  return isAbout ? { ...finding, text: 'cannot have the text of its file, which is not shown', hint: '' } : finding;
}

/** Puts secrets into sections from the files that these name. */
export class SecretFiles {
  readonly #credentials: string | undefined;
  readonly #files = new Set<string>();

  /** @param environment in which systemd names the folder of the credentials of a service */
  constructor({ CREDENTIALS_DIRECTORY: credentials }: Environment) {
    this.#credentials = credentials === '' ? undefined : credentials;
  }

  /** The files that were named. */
  get files(): string[] {
    return [...this.#files];
  }

  /**
   * Returns a section with its secrets in place of the names of their files.
   * @param fileOf the file of the configuration that has the value at a path
   */
  take(section: Table, fileOf: (path: readonly string[]) => string): TakenSecrets {
    const findings: Finding[] = [];
    const paths: (readonly string[])[] = [];
    const taken = (table: Table, path: readonly string[]): Table =>
      Object.fromEntries(
        Object.entries(table).map(([key, value]): [string, unknown] => {
          const at = [...path, key];
          if (isTable(value)) return [key, taken(value, at)];
          const name = key.endsWith(END) ? key.slice(0, -END.length) : '';
          if (!SECRETS.has(name)) return [key, value];
          try {
            if (name in table) throw new Error(`needs no ${name} beside it`);
            const secret = this.#read(value, dirname(fileOf(at)));
            paths.push([...path, name]);
            // Values of headers are lists.
            return [name, name === HEADER ? [secret] : secret];
          } catch (error) {
            findings.push({ code: 'config.path', path: at, text: messageOf(error), hint: '' });
            return [name, UNREAD];
          }
        }),
      );
    return { table: taken(section, []), findings, paths };
  }

  /** @param folder of the configuration */
  #read(value: unknown, folder: string): string {
    if (typeof value !== 'string' || value === '') throw new Error('must be the path of a file, in quotes');
    const path = this.#pathOf(value, folder);
    this.#files.add(path);
    const isGuarded = this.#credentials !== undefined && path.startsWith(this.#credentials + sep);
    let text: string;
    try {
      text = readRegularFileSync(path, MOST_BYTES, isGuarded || process.platform === 'win32' ? undefined : refuseOpen)
        .bytes.toString('utf8')
        .replace(/\r?\n$/, '');
    } catch (error) {
      throw new Error(`${path} cannot be read: ${messageOf(error)}`, { cause: error });
    }
    if (text === '') throw new Error(`${path} is empty`);
    return text;
  }

  /** A relative path is the name of a credential, or begins at the folder of the configuration. */
  #pathOf(path: string, folder: string): string {
    if (isAbsolute(path)) return path;
    const credential = this.#credentials === undefined ? null : join(this.#credentials, path);
    return credential !== null && existsSync(credential) ? credential : join(folder, path);
  }
}

function refuseOpen(place: string): void {
  if ((statSync(place).mode & OTHERS) !== 0) throw new Error(`everybody on this machine may use it; chmod o= ${place} ends that`);
}
