/** Folders of the data folder that shell and engine both know. */

/** Folder of the copies of standard input, which are removed when the window ends. */
export const STANDARD_INPUTS = 'standard-input';
