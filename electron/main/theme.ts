/** A theme of the window; `system` is that of the desktop. */
export type Theme = 'system' | 'light' | 'dark';

/** The theme that a state file names; that of the system when somebody has damaged the file: Electron would refuse another word, and the start with it. */
export const themeOf = (value: unknown): Theme => (value === 'light' || value === 'dark' ? value : 'system');
