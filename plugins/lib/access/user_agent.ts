/** System and browser from a few tokens of a User-Agent header, by the rules of the contract. */
import { ownCopy } from '../../base/excerpt.ts';
import type { FieldType } from '../format/log_fields.ts';

export interface UserAgent {
  readonly os: string | null;
  readonly browser: string | null;
  /** The major version of the browser. */
  readonly version: number | null;
}

/** The first token that is in the header decides. */
const SYSTEMS: readonly (readonly [token: string, os: string])[] = [
  ['iPod', 'iPod'],
  ['iPad', 'iPad'],
  ['iPhone', 'iPhone'],
  ['Android', 'Android'],
  ['BlackBerry', 'BlackBerry'],
  ['Linux', 'Linux'],
  ['Macintosh', 'Macintosh'],
  ['Mozilla/5.0 (Mobile;', 'FirefoxOS'],
  ['Windows NT 10.0', 'Windows 10'],
  ['Windows NT 6.3', 'Windows 8.1'],
  ['Windows NT 6.2', 'Windows 8'],
  ['Windows NT 6.1', 'Windows 7'],
  ['Windows NT 6.0', 'Windows Vista'],
  ['Windows NT 5.1', 'Windows XP'],
  ['Windows NT 5.0', 'Windows 2000'],
];

/** The first token that is in the header is the browser; its version stands after `marker`, or after the last slash when that is null. */
const BROWSERS: readonly (readonly [browser: string, marker: string | null])[] = [
  ['Chrome', 'Chrome/'],
  ['Opera Mini', null],
  ['Opera Mobi', null],
  ['Opera', null],
  ['MSIE', 'MSIE '],
  ['Safari', null],
  ['Firefox', 'Firefox/'],
];

/** Headers that are remembered; a busy server sees some hundreds. */
const CACHE_SIZE = 4096;

export function parseUserAgent(header: string): UserAgent {
  const os = SYSTEMS.find(([token]) => header.includes(token))?.[1] ?? null;
  const found = BROWSERS.find(([token]) => header.includes(token));
  if (found === undefined) return { os, browser: null, version: null };
  const [browser, marker] = found;
  const after = marker === null ? header.lastIndexOf('/') + 1 : header.indexOf(marker) + marker.length;
  const known = marker === null ? after > 0 : header.includes(marker);
  const version = known ? /^\d+/.exec(header.slice(after)) : null;
  return { os, browser, version: version && Number(version[0]) };
}

/**
 * A field for the header http_user_agent that becomes user_agent_os, user_agent_browser and user_agent_version. The header itself stays with
 * `keep`, and with `conditional` when no browser was found in it.
 */
export function userAgentField({ scan }: FieldType, parse: (header: string) => UserAgent, keep: boolean, conditional: boolean): FieldType {
  const cache = new Map<string, UserAgent>();
  const lookUp = (header: string): UserAgent => {
    const known = cache.get(header);
    if (known !== undefined) return known;
    const agent = parse(header);
    if (cache.size >= CACHE_SIZE) cache.clear();
    cache.set(ownCopy(header), agent);
    return agent;
  };
  return {
    scan,
    columns: (name) => [
      { name: 'user_agent_os', kind: 'text' },
      { name: 'user_agent_browser', kind: 'text' },
      { name: 'user_agent_version', kind: 'number' },
      { name, kind: 'slice' },
    ],
    write: (writer, column, text, from, to) => {
      const { os, browser, version } = lookUp(text.slice(from, to));
      if (os !== null) writer.text(column, os);
      if (browser !== null) writer.text(column + 1, browser);
      if (version !== null) writer.number(column + 2, version);
      if (keep || (conditional && browser === null)) writer.slice(column + 3, from, to);
    },
  };
}
