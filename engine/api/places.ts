/** Folders of the data folder that shell and engine both know. */

/** What came on standard input, while the window runs. */
export const STANDARD_INPUTS = 'standard-input';
