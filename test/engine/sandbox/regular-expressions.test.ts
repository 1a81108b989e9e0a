/** Tests that the sandbox works when a script replaces methods of RegExp.prototype. */
import { afterAll, expect, test } from 'vitest';
import { batchOf, message, messagesOf, SandboxBench } from './harness.ts';

const bench = new SandboxBench();
afterAll(() => bench.close());

const TAMPERED = `
const refuse = () => { throw new Error('tampered'); };
for (const key of Reflect.ownKeys(RegExp.prototype)) {
  try { Object.defineProperty(RegExp.prototype, key, { value: refuse }); } catch {}
}
`;

test.each(['', TAMPERED])('times, identifiers and numbers are read all the same %#', async (before) => {
  const sandbox = await bench.start(
    `${before}
     function process_message() {
       write_message('Timestamp', '2021-03-05T13:07:59Z');
       write_message('Uuid', 'urn:uuid:0dd4a4a2-7c8a-4a0e-9d2f-6c0d6f2f7a10');
       write_message('Severity', '0x5');
       write_message('Pid', '017');
       inject_payload('txt', '', 4294967296.5, ' ', 1e15);
       return 0;
     }`,
    { kind: 'decoder' },
  );
  const [out] = messagesOf(await sandbox.process(batchOf([message()]), null));
  expect(out).toMatchObject({ timestamp: 1_614_949_679_000_000_000n, severity: 5, pid: 15, payload: '4294967296.5 1000000000000000' });
  expect(Buffer.from(out?.uuid ?? []).toString('hex')).toBe('0dd4a4a27c8a4a0e9d2f6c0d6f2f7a10');
});

test('the constructor itself stays', async () => {
  const sandbox = await bench.start(
    `function process_message() { RegExp.escape = RegExp[Symbol.species] = null; inject_payload('txt', '', 'a1b'.replace(/\\d/g, (x) => x + x)); return 0; }`,
  );
  const [out] = messagesOf(await sandbox.process(batchOf([message()]), null));
  expect(out?.payload).toBe('a11b');
});
