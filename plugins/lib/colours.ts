/** Escape sequences for colours of terminals. */

export const ESCAPE = '\u001b';
export const COLOURS = new RegExp(`${ESCAPE}\\[[\\d;]*m`, 'g');
