import { afterAll, describe, expect, it } from 'vitest';
import type { SandboxKind } from '../../../engine/sandbox/contract/types.ts';
import { batchOf, line, SandboxBench } from './harness.ts';

const bench = new SandboxBench();
afterAll(() => bench.close());

const GIVEN: Readonly<Partial<Record<SandboxKind, readonly string[]>>> = {
  decoder: [
    ...[
      'require',
      'read_config',
      'compile_function',
      'decode_message',
      'lookup',
      'in_lookup',
      'read_message',
      'read_next_field',
      'payload_span',
    ],
    ...['add_to_payload', 'inject_payload', 'inject_message', 'write_message', 'message_writer'],
  ],
  filter: ['read_message', 'inject_message', 'inject_payload'],
  encoder: ['write_message'],
  output: ['write_output', 'hold_messages', 'release_messages'],
};

describe('the functions that a script is given', () => {
  it.each(Object.entries(GIVEN) as [SandboxKind, string[]][])('show no source in a %s', async (kind, names) => {
    const checks = names.map(
      (name) => `if (String(${name}) !== 'function ${name}() { [native code] }') wrong.push('${name}: ' + ${name});`,
    );
    const writer =
      kind === 'decoder'
        ? `const made = message_writer([]);
           for (let o = Object.getPrototypeOf(made), i = 0; i < 1; i++)
             for (const key of Object.getOwnPropertyNames(o)) if (typeof o[key] === 'function' && !/native code/.test(o[key].toString())) wrong.push(key);`
        : '';
    const source = `
const wrong = [];
${checks.join('\n')}
${writer}
if (!/native code/.test(Function.prototype.toString.toString())) wrong.push('toString');
if (!/native code/.test(String(Function)) || !/native code/.test(String((() => 0).constructor))) wrong.push('Function');
if (!/native code/.test(\`\${Math.max}\`)) wrong.push('built-in');
function mine() { return 'mine'; }
if (!/'mine'/.test(mine.toString())) wrong.push('own');
try { Function.prototype.toString.call({}); wrong.push('no error'); } catch (error) { if (!(error instanceof TypeError)) wrong.push('error'); }
try { Function.prototype.toString = () => 'x'; } catch (error) { wrong.frozen = true; }
if (String(mine) === 'x') wrong.push('replaced');
function process_message() { return wrong.length === 0 ? 0 : [-1, wrong.join()]; }
function timer_event() {}
`;
    const sandbox = await bench.start(source, { kind });
    const { failures, terminated } = await sandbox.process(batchOf([line('x')]), null);
    expect({ failures, terminated }).toEqual({ failures: [], terminated: null });
  });
});
