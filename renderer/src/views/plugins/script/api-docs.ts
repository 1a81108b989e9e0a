/** A function, type or member of the scripts' interface. */
export interface ApiEntry {
  readonly name: string;
  readonly kind: 'function' | 'interface' | 'type' | 'method' | 'property';
  /** As it is declared, on one line. */
  readonly signature: string;
  /** The text of its comment. */
  readonly doc: string;
  /** The type that it is a member of; null: it is global. */
  readonly of: string | null;
}

const DECLARED = /^(?:declare (function)|(interface)|(type)) (\w+)/;
const MEMBER = /^ {2}(\w+)\??(\(|:)/;

/** Reads the declarations of the scripts' interface, with their comments. */
export function apiEntries(declarations: string): ApiEntry[] {
  const entries: ApiEntry[] = [];
  const lines = declarations.split('\n');
  let doc = '';
  let of: string | null = null;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? '';
    if (/^\s*\/\*\*/.test(line)) {
      [doc, i] = comment(lines, i);
      continue;
    }
    const declared = DECLARED.exec(line);
    if (declared !== null) {
      const [, isFunction, isInterface] = declared;
      const kind = isFunction !== undefined ? 'function' : isInterface !== undefined ? 'interface' : 'type';
      const [signature, end] = kind === 'interface' ? [line.replace(/\s*\{.*$/, ''), i] : statement(lines, i);
      entries.push({ name: declared[4] ?? '', kind, signature: signature.replace(/^declare /, ''), doc, of: null });
      if (kind === 'interface' && !line.includes('}')) of = declared[4] ?? null;
      i = end;
    } else if (line.startsWith('}')) of = null;
    else if (of !== null) {
      const member = MEMBER.exec(line);
      if (member === null) continue;
      const signature = line.trim().replace(/;$/, '');
      entries.push({ name: member[1] ?? '', kind: member[2] === '(' ? 'method' : 'property', signature, doc, of });
    }
    if (line.trim() !== '') doc = '';
  }
  return entries;
}

/** One entry for each name: for an overloaded function the most general form, with the comment of the first. */
export function uniqueEntries(entries: readonly ApiEntry[]): ApiEntry[] {
  const unique = new Map<string, ApiEntry>();
  for (const entry of entries) {
    const key = `${entry.of ?? ''}.${entry.name}`;
    const known = unique.get(key);
    unique.set(key, known === undefined ? entry : { ...entry, doc: known.doc || entry.doc });
  }
  return [...unique.values()];
}

/** A comment from its first line on: its text, and its last line. */
function comment(lines: readonly string[], start: number): [string, number] {
  let end = start;
  while (end < lines.length - 1 && !(lines[end] ?? '').includes('*/')) end++;
  const text = lines
    .slice(start, end + 1)
    .map((line) => line.replace(/^\s*\/?\*+\/?\s?/, '').replace(/\s*\*\/\s*$/, ''))
    .join(' ');
  return [text.replaceAll(/\s+/g, ' ').trim(), end];
}

/** A statement that may go over several lines, on one. */
function statement(lines: readonly string[], start: number): [string, number] {
  let end = start;
  while (end < lines.length - 1 && !(lines[end] ?? '').trimEnd().endsWith(';')) end++;
  const text = lines
    .slice(start, end + 1)
    .map((line) => line.trim())
    .join(' ');
  return [text.replace(/;$/, ''), end];
}

/** Functions that a script must or may define. */
export const ENTRY_POINTS: readonly { readonly name: string; readonly insert: string; readonly doc: string }[] = [
  {
    name: 'process_message',
    insert: 'export function process_message(): ProcessStatus {\n  ${}\n  return 0;\n}',
    doc: 'Is called for each message that the matcher selects. 0: done, below 0: refused, above 0: ends the script.',
  },
  {
    name: 'timer_event',
    insert: 'export function timer_event(ns: number): void {\n  ${}\n}',
    doc: 'Is called at each tick, with the time in nanoseconds since 1970.',
  },
];
