const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Writes a text so that it is itself where markup is read, as in the notifications of Linux. */
export const asMarkup = (text: string): string => text.replaceAll(/[&<>]/g, (character) => ENTITIES[character] ?? character);
