/** Loads a library and prints what V8 has compiled of it, in Base64. */
import { loadLibrary } from './compiled-library.ts';

const [, , file = ''] = process.argv;
process.stdout.write(loadLibrary(file).script.createCachedData().toString('base64'));
