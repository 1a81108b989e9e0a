/** Loads a library and prints what V8 has compiled of it, in Base64. */
import { standardOutput } from '../terminal.ts';
import { loadLibrary } from './compiled-library.ts';

const [, , file = ''] = process.argv;
standardOutput().write(loadLibrary(file).script.createCachedData().toString('base64'));
