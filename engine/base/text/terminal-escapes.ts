/** Colours and the like that are meant for terminals: the control sequences of ECMA-48. */
const ESCAPES = new RegExp(String.raw`\u001b\[[0-?]*[ -/]*[@-~]`, 'g');

/** A text without the control sequences that are meant for terminals. */
export const withoutEscapes = (text: string): string => (text.includes('\u001b') ? text.replace(ESCAPES, '') : text);
