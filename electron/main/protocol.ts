import { app, protocol } from 'electron';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';

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

/** Registers the scheme; must run before the application is ready. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Serves the built renderer, and nothing outside its folder, with the content security policy. */
export function setUpProtocol(): void {
  const root = join(app.getAppPath(), 'out', 'renderer');
  protocol.handle(SCHEME, async (request) => {
    const file = request.method === 'GET' ? containedPath(root, request.url) : null;
    const type = file === null ? undefined : TYPES[extname(file)];
    if (file === null || type === undefined) return notFound();
    try {
      const headers = { 'content-type': type, 'content-security-policy': POLICY, 'x-content-type-options': 'nosniff' };
      return new Response(await readFile(file), { headers });
    } catch {
      return notFound();
    }
  });
}

function notFound(): Response {
  return new Response('not found', { status: 404 });
}

/** The file that a URL of our origin names, or null when it would lie outside the folder. */
function containedPath(root: string, url: string): string | null {
  const { protocol: scheme, host, pathname } = new URL(url);
  if (`${scheme}//${host}` !== APP_ORIGIN) return null;
  const decoded = decodePath(pathname);
  if (decoded === null || decoded.includes('\0')) return null;
  const file = normalize(join(root, decoded === '/' ? 'index.html' : decoded));
  return file.startsWith(root + sep) ? file : null;
}

function decodePath(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
