const WRITTEN_NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** Whether a text is a decimal number, with an exponent or without. */
export const isWrittenNumber = (text: string): boolean => WRITTEN_NUMBER.test(text);
