import { basename } from 'node:path';
import type { Message } from '../../../engine/message/types.ts';
import type { Sandboxes } from '../../../engine/plugins/starter.ts';
import type { InputSandbox, Sandbox, SandboxSpec } from '../../../engine/sandbox/contract/types.ts';
import { FakeSandbox, type FakeOptions } from '../pipeline/fakes.ts';

const ACCESS = /^(\S+) - (\S+) \[([^\]]+)\] "([^"]*)" (\d{3}) (\d+)(?: "([^"]*)" "([^"]*)")?$/;

const text = (name: string, value: string): Message['fields'][number] => ({ name, valueType: 0, values: [value] });
const number = (name: string, value: number): Message['fields'][number] => ({ name, valueType: 3, values: [value] });

/** Stands in for `nginx_access`: takes combined lines, and common ones when the format has no referer. */
function access(format: string): FakeOptions['process'] {
  return ({ payload = '', logger }) => {
    const found = ACCESS.exec(payload);
    if (!found || format.includes('forwarded') || format.includes('referer') !== (found[7] !== undefined)) return 'no match';
    const time = Date.parse((found[3] ?? '').replace(':', ' ').replaceAll('/', ' '));
    const fields = [text('remote_addr', found[1] ?? ''), text('request', found[4] ?? ''), number('status', Number(found[5]))];
    return [
      { uuid: new Uint8Array(16), timestamp: BigInt(time) * 1_000_000n, type: 'nginx.access', ...(logger ? { logger } : {}), fields },
    ];
  };
}

const output = (plugin: string, type: string, name: string, payload: string): Message => ({
  uuid: new Uint8Array(16),
  timestamp: 0n,
  type: 'svc.sandbox-output',
  logger: plugin,
  payload,
  fields: [text('payload_type', type), text('payload_name', name)],
});

/** Stand in for the bundled filters: they count what they get. */
function filter(spec: SandboxSpec): FakeOptions {
  let count = 0;
  const process = (): Message[] => {
    count++;
    return [];
  };
  switch (basename(spec.script, '.ts')) {
    case 'http_status':
      return {
        process,
        timer: () => [
          output(
            spec.name,
            'cbuf',
            'HTTP Status',
            `{"time":0,"rows":1,"columns":1,"seconds_per_row":60,"column_info":[{"name":"N","unit":"count","aggregation":"sum"}]}\n${count}\n`,
          ),
        ],
      };
    case 'frequent_items':
      return { process, timer: () => [output(spec.name, 'tsv', 'w', `${String(spec.config.message_variable)}\tWeight\nall\t${count}\n`)] };
    default:
      return { process };
  }
}

interface HeldUp {
  /** Resolves with the sandbox at the first of the calls. */
  readonly called: Promise<FakeSandbox>;
  /** Lets the calls go on, those that come later as well. */
  readonly goOn: () => void;
}

/** Sandboxes whose scripts are functions of the tests. */
export class FakeSandboxes implements Sandboxes {
  readonly hosts = 1;
  readonly started: FakeSandbox[] = [];
  #onDecoder: (decoder: FakeSandbox) => void = () => undefined;

  /** Holds up the calls of a method of each decoder that starts from now on. */
  holdUpDecoders(method: 'process' | 'report'): HeldUp {
    const [called, released] = [Promise.withResolvers<FakeSandbox>(), Promise.withResolvers<void>()];
    this.#onDecoder = (decoder) => {
      const call = decoder[method].bind(decoder) as (...input: unknown[]) => Promise<never>;
      decoder[method] = async (...input: unknown[]): Promise<never> => {
        called.resolve(decoder);
        await released.promise;
        return call(...input);
      };
    };
    return { called: called.promise, goOn: released.resolve };
  }

  async start(spec: SandboxSpec): Promise<Sandbox> {
    const options = spec.kind === 'filter' ? filter(spec) : { process: this.decoder(spec) };
    const sandbox = new FakeSandbox(spec, options as FakeOptions);
    if (spec.kind === 'decoder') this.#onDecoder(sandbox);
    this.started.push(sandbox);
    return sandbox;
  }

  startInput = async (): Promise<InputSandbox> => Promise.reject(new Error('these tests start no scripts as inputs'));
  memory = async (): Promise<number> => 1 << 20;
  close = async (): Promise<void> => undefined;

  private decoder(spec: SandboxSpec): FakeOptions['process'] {
    switch (basename(spec.script, '.ts')) {
      case 'nginx_access':
        return access(String(spec.config.log_format));
      case 'syslog':
        return ({ payload = '' }) =>
          payload.startsWith('<') ? [{ uuid: new Uint8Array(16), timestamp: 1n, type: 'syslog', fields: [] }] : 'no priority';
      default:
        return () => 'not this one';
    }
  }
}
