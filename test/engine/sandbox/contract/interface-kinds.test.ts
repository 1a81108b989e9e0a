import { afterAll, describe, expect, it } from 'vitest';
import { hasFunction, LIMITED_FUNCTIONS } from '../../../../engine/sandbox/contract/interface-kinds.ts';
import { batchOf, message, SandboxBench } from '../harness.ts';

const bench = new SandboxBench();
afterAll(() => bench.close());

const CALLS = LIMITED_FUNCTIONS.map((name) => `typeof ${name}`);

describe('the functions of the interface', () => {
  it.each(['decoder', 'filter', 'encoder', 'output'] as const)('are those of the list in a %s', async (kind) => {
    const types = await bench.evaluate(kind, message(), CALLS);
    expect(types).toEqual(LIMITED_FUNCTIONS.map((name) => (hasFunction(kind, name) ? 'function' : 'undefined')));
  });

  it('are those of the list in an input', async () => {
    const names = LIMITED_FUNCTIONS.filter((name) => hasFunction('input', name)).join(', ');
    const others = LIMITED_FUNCTIONS.filter((name) => !hasFunction('input', name)).map((name) => `typeof ${name}`);
    const script = `[${names}]; if ([${others.join(', ')}].some((type) => type !== 'undefined')) throw new Error('more');
      function process_message() { return 0; }`;
    const sandbox = await bench.start(script, { kind: 'input' });
    await sandbox.stop();
  });

  it.each([
    ['filter', 'write_message("Type", "x")', 'write_message is for decoders and encoders only'],
    ['filter', 'message_writer([])', 'message_writer is for decoders only'],
    ['filter', 'write_output("x")', 'write_output is for outputs only'],
    ['filter', 'read_input()', 'read_input is for inputs only'],
    ['encoder', 'message_writer([])', 'message_writer is for decoders only'],
    ['output', 'inject_message({})', 'inject_message is for inputs, decoders, filters and encoders only'],
    ['output', 'inject_payload()', 'inject_payload is for decoders, filters and encoders only'],
  ] as const)('end a script of the kind %s that calls %s, with the kinds that have it', async (kind, call, words) => {
    const sandbox = await bench.start(`function process_message() { ${call}; return 0; }`, { kind });
    const { terminated } = await sandbox.process(batchOf([message()]), null);
    const name = call.slice(0, call.indexOf('('));
    expect(terminated).toMatchObject({ code: 'script.throws', said: `ReferenceError: ${name} is not defined (${words})` });
  });

  it('say so at the top level, too, and of no other name', async () => {
    await expect(bench.start('read_message("Type"); function process_message() {}', { kind: 'input' })).rejects.toThrow(
      'ReferenceError: read_message is not defined (read_message is for decoders, filters, encoders and outputs only)',
    );
    await expect(bench.start('read_massage("Type"); function process_message() {}')).rejects.toThrow(/read_massage is not defined$/);
  });
});
