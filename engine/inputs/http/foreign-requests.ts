import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** Names and addresses by which a machine reaches itself. */
const OWN = /^(?:(?:[\w-]+\.)*localhost\.?|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i;

/** Whether an address to listen on is only for this machine. */
export const isLoopback = (host: string): boolean => OWN.test(host);

/**
 * Says why a request to a listener of this machine alone comes from elsewhere: from a web page, which a browser here shows, or for another name, which somebody else
 * may have led here (DNS rebinding). null: it does not.
 * @param headers of all answers; an origin that they allow is not foreign
 */
export function foreignness(
  { headers: sent }: Pick<IncomingMessage, 'headers'>,
  headers: Readonly<Record<string, readonly string[]>> = {},
): string | null {
  const host = (sent.host ?? '').replace(/:\d*$/, '');
  if (host !== '' && !OWN.test(host) && isIP(host.replace(/^\[(.*)\]$/, '$1')) === 0) return `it is for the host ${host}`;
  const { origin } = sent;
  const allowed = allowedOrigins(headers);
  if (allowed.includes('*') || (origin !== undefined && allowed.includes(origin))) return null;
  if (origin !== undefined && !OWN.test(hostOf(origin))) return `it comes from a page of ${origin}`;
  return sent['sec-fetch-site'] === 'cross-site' ? 'it comes from a page of another site' : null;
}

const allowedOrigins = (headers: Readonly<Record<string, readonly string[]>>): readonly string[] =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === 'access-control-allow-origin')?.[1] ?? [];

/** The host of an origin; empty: it has none, as a page of a file. */
const hostOf = (origin: string): string => (URL.canParse(origin) ? new URL(origin).hostname : '');
