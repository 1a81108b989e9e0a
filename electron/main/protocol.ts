import { app, net, protocol } from 'electron';
import { join, normalize, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

const SCHEME = 'app';
/** The only origin that the window may load. */
export const APP_ORIGIN = `${SCHEME}://sluicebox`;

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Must run before the application is ready. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } }]);
}

/** Serves the built renderer, and nothing outside its folder, with the content security policy. */
export function setUpProtocol(): void {
  const root = join(app.getAppPath(), 'out', 'renderer');
  protocol.handle(SCHEME, async (request) => {
    const file = containedPath(root, request.url);
    if (file === null || request.method !== 'GET') return new Response('not found', { status: 404 });
    try {
      const found = await net.fetch(pathToFileURL(file).href);
      const headers = new Headers(found.headers);
      headers.set('content-security-policy', POLICY);
      headers.set('x-content-type-options', 'nosniff');
      return new Response(found.body, { status: found.status, headers });
    } catch {
      return new Response('not found', { status: 404 });
    }
  });
}

/** The file that a URL of our origin names, or null when it would lie outside the folder. */
export function containedPath(root: string, url: string): string | null {
  const { origin, host, pathname } = new URL(url);
  if (`${SCHEME}://${host}` !== APP_ORIGIN && origin !== APP_ORIGIN) return null;
  const decoded = decodeURIComponent(pathname);
  if (decoded.includes('\0')) return null;
  const file = normalize(join(root, decoded === '/' ? 'index.html' : decoded));
  return file.startsWith(root + sep) ? file : null;
}
