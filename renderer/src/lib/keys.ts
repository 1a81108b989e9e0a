/**
 * Keys as text: `Mod+Shift+P`, `Alt+ArrowUp`, `?`. `Mod` is Command on macOS, else Control. A single character is written as it is typed,
 * so `?` means whatever gives a question mark on this keyboard.
 */

export type Platform = 'linux' | 'darwin' | 'win32';

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

interface Stroke {
  readonly mod: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
  readonly key: string;
}

function parse(text: string): Stroke {
  const names = text.split(/\+(?=.)/);
  const key = names.pop() ?? '';
  return { mod: names.includes('Mod'), alt: names.includes('Alt'), shift: names.includes('Shift'), key };
}

/** Whether this press is that key. */
export function matches(text: string, press: KeyPress, platform: Platform): boolean {
  const stroke = parse(text);
  const mod = platform === 'darwin' ? press.metaKey : press.ctrlKey;
  const foreign = platform === 'darwin' ? press.ctrlKey : press.metaKey;
  if (stroke.mod !== mod || stroke.alt !== press.altKey || foreign) return false;
  // Shift is part of how a sign is typed; with a letter or a named key it is a modifier.
  const sign = stroke.key.length === 1 && stroke.key.toLowerCase() === stroke.key.toUpperCase();
  if (!sign && stroke.shift !== press.shiftKey) return false;
  return stroke.key.toLowerCase() === press.key.toLowerCase();
}

/** Whether a text field would take this key for itself. */
export function isTyping(text: string): boolean {
  const stroke = parse(text);
  return !stroke.mod && !stroke.alt && stroke.key.length === 1;
}

const MAC: Readonly<Record<string, string>> = { Mod: '⌘', Alt: '⌥', Shift: '⇧' };
const NAMES: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
  ' ': 'Space',
};

/** The keys to draw, one after the other: `['Ctrl', 'Shift', 'P']`. */
export function keyCaps(text: string, platform: Platform): string[] {
  const names = text.split(/\+(?=.)/);
  return names.map((name, index) => {
    if (index < names.length - 1) return platform === 'darwin' ? (MAC[name] ?? name) : name === 'Mod' ? 'Ctrl' : name;
    return NAMES[name] ?? (name.length === 1 ? name.toUpperCase() : name);
  });
}
