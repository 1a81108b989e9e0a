/** A thread that bundles the script at the path that it is given, and sends the text. */
import { parentPort, workerData } from 'node:worker_threads';
import { bundledScript } from '../../sandbox/code/script-bundle.ts';

parentPort?.postMessage(bundledScript(workerData as string));
