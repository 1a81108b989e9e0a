import { afterAll, expect, test } from 'vitest';
import type { HostCrash } from '../../../engine/sandbox/hosts/host-process.ts';
import type { Field } from '../../../engine/message/types.ts';
import { batchOf, message, messagesOf, number, SandboxBench, text } from './harness.ts';

const crashes: HostCrash[] = [];
const bench = new SandboxBench({ onHostCrash: (crash) => crashes.push(crash) });
afterAll(() => bench.close());

/** Calls the functions of a sandbox with random values, also from within getters and `toPayload`, and catches what they throw. */
const source = `
  let state = Number(read_config('seed')) * 2654435761 >>> 0 || 1;
  const random = (n) => { state ^= state << 13; state >>>= 0; state ^= state >>> 17; state ^= state << 5; state >>>= 0; return state % n; };
  const pick = (values) => values[random(values.length)];
  const names = ['Uuid', 'Timestamp', 'Type', 'Payload', 'Severity', 'raw', 'Fields', 'Fields[', 'Fields[]', 'Fields[a]', 'Fields[b]', 'Fields[new]', 'Fields[__proto__]', 'Fields[\\ud800]', '', 'x'];
  class Short extends Uint8Array { get length() { return 5; } }
  const simple = [undefined, null, NaN, -0, Infinity, 2 ** 63, -1, 1.5, 10n ** 30n, '', 'x'.repeat(99), '\\ud83d', '\\ude00é', '\\0', '123', '2021-03-05T13:07:59Z', 'ABCDEFGHIJKLMNOP', true, Symbol.iterator];
  let depth = 0;
  function value() {
    if (depth > 3) return 1;
    depth++;
    const made = pick([() => pick(simple), () => pick(simple), ...forms])();
    depth--;
    return made;
  }
  const forms = [
    () => new Uint8Array(random(40)), () => new Short(16), () => [value(), value()], () => [], () => value,
    () => ({ value: value(), value_type: value(), representation: value() }),
    () => [{ name: value(), value: value() }, { name: 'm', value: [1, 2] }],
    () => ({ Type: value(), Timestamp: value(), Uuid: value(), Payload: value(), Severity: value(), Fields: value() }),
    () => ({ Fields: { a: value(), b: { value: value(), representation: 'r' } } }),
    () => new Proxy({}, { get: value, ownKeys: () => ['Fields', 'Type'], getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }) }),
    () => new Proxy([], { get: (list, key) => (key === 'length' ? random(5) : value()) }),
    () => ({ toPayload() { act(); return 'p'; }, get Type() { act(); return 't'; } }),
  ];
  const list = () => Array.from({ length: random(6) }, value);
  const writer = typeof message_writer === 'function' ? message_writer([{ name: 's', kind: 'slice' }, { name: 't', kind: 'text' }, { name: 'n', kind: 'number' }]) : null;
  const methods = ['slice', 'text', 'number', 'list', 'timestamp', 'type', 'payload', 'payloadSlice', 'hostname', 'severity', 'pid', 'inject', 'discard'];
  let raw = null;
  const calls = [
    () => read_message(pick(names), ...list().slice(0, 2)), () => write_message(pick(names), value()),
    () => write_message(pick(names), value(), pick(['', 'r', undefined, null]), random(3), pick([0, 1, 2, undefined])),
    () => read_next_field(), () => add_to_payload(...list()), () => inject_payload(...list()), () => inject_payload('txt', 'n', value()),
    () => inject_message(value()), () => inject_message({ Type: 'x', Fields: { a: value() } }), () => (raw = read_message('raw')),
    () => inject_message(random(2) ? decode_message(raw) : raw), () => decode_message(value()), () => read_config(...list()),
    () => lookup(...list()), () => in_lookup(...list()), () => lookup(value(), 'known', pick(names)), () => in_lookup(value(), pick(['known', 'x'])),
    () => { const { start, end } = payload_span(); writer.slice(0, start, random(2) ? end : value()); },
    () => writer[pick(methods)](...list()), () => writer[pick(['text', 'number', 'list'])](random(4), value()), () => writer.inject(),
    () => Object.assign(payload_span(), { start: value(), end: value(), text: value() }),
  ];
  function act() { try { pick(calls)(); } catch {} }
  function process_message() { for (let i = random(12); i > 0; i--) act(); return pick([0, 0, 0, 0, -1, [-1, 'r']]); }
  function timer_event() { for (let i = random(6); i > 0; i--) act(); }`;

const rows = batchOf(
  Array.from({ length: 12 }, (_, i) => {
    const some: Field[] = [i % 2 === 0 ? number('a', i) : text('a', `v${i}`, 'w')];
    if (i % 4 === 0) some.push({ name: 'b', valueType: 1, values: [Uint8Array.of(i, 255)] }, { name: 'b', valueType: 2, values: [-1n] });
    return message({
      payload: i % 3 === 0 ? `plain ${i}` : `line é ${i}`,
      ...(i % 2 === 0 ? {} : { type: `t${i}`, severity: i }),
      fields: some,
    });
  }),
);

const limits = { processInject: 1000, timerInject: 1000 };

test.each(['decoder', 'filter', 'encoder', 'output'] as const)(
  'whatever it calls, a script goes on, and what it makes is whole: %s',
  async (kind) => {
    let made = 0;
    for (let seed = 1; seed <= 15; seed++) {
      const sandbox = await bench.start(source, { kind, config: { seed }, limits: { ...limits, output: seed % 3 === 0 ? 200 : 64_512 } });
      for (const selection of [null, Uint32Array.of(1, 5, 8), null]) {
        const results = [await sandbox.process(rows, selection), ...(kind === 'filter' ? [await sandbox.timer(5n)] : [])];
        for (const result of results) {
          expect([seed, result.terminated]).toEqual([seed, null]);
          made += messagesOf(result).length + (result.encoded?.rows.length ?? 0);
        }
      }
      await sandbox.stop();
    }
    expect(crashes).toEqual([]);
    if (kind !== 'output') expect(made).toBeGreaterThan(50);
  },
);
