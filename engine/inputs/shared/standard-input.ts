/** Tells whether a path names standard input. */
export const isStandardInput = (path: string): boolean => /^(?:-|\/dev\/stdin|\/(?:dev|proc\/self)\/fd\/0)$/.test(path);

/** The name of a source in messages. */
export const sourceName = (path: string): string => (isStandardInput(path) ? 'standard input' : path);
