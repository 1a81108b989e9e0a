import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { fileURLToPath } from 'node:url';

/** A place in a stack that is in a file of a bundle. */
const PLACE = /(file:\/\/[^\s()]+\.mjs):(\d+):(\d+)/g;

/** A stack with the places of the sources in place of those in a bundle, as far as there are maps of it. */
export function withSourcePlaces(stack: string): string {
  const maps = new Map<string, SourceMap | null>();
  return stack.replaceAll(PLACE, (place: string, file: string, line: string, column: string) => {
    const map = maps.get(file) ?? mapOf(file);
    maps.set(file, map);
    const origin = map?.findOrigin(Number(line), Number(column));
    return origin !== undefined && 'fileName' in origin
      ? `${new URL(origin.fileName, file).href}:${origin.lineNumber}:${origin.columnNumber}`
      : place;
  });
}

function mapOf(file: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(file)}.map`, 'utf8')) as SourceMapPayload);
  } catch {
    return null;
  }
}
