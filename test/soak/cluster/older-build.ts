/** Preloaded: makes a program one that was built before batches of version 2. It writes batches of version 1, and knows no others. */
import { registerHooks } from 'node:module';

const FORMAT = '/engine/nats/batch.ts';
const CHANGES = [
  ['const VERSION = 2;', 'const VERSION = 1;'],
  ['if (version === VERSION)', 'if (version === 2)'],
  ['export async function encodeBatch(', 'async function encodeNewer('],
] as const;
const OLDER = `
import { frame } from '../message/protobuf/framing.ts';
export async function encodeBatch(messages) {
  const framed = messages.map((message) => frame(message, null, { maxMessageSize: MAX_BYTES }));
  return Buffer.concat([MAGIC, Buffer.from([VERSION]), await compress(Buffer.concat(framed))]);
}
`;

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    if (!url.endsWith(FORMAT)) return loaded;
    let source = Buffer.from((loaded.source ?? '') as Uint8Array).toString();
    for (const [newer, older] of CHANGES) {
      if (!source.includes(newer)) throw new Error(`${FORMAT} has no ${newer}: the build of before cannot be made of it`);
      source = source.replace(newer, older);
    }
    return { ...loaded, source: source + OLDER };
  },
});
