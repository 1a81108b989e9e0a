/** Loads a library and prints V8's code cache of it, in Base64. */
import { standardOutput } from '../base/process/terminal.ts';
import { loadLibrary } from './compiled-library.ts';

const [, , file = ''] = process.argv;
standardOutput().write(loadLibrary(file).script.createCachedData().toString('base64'));
