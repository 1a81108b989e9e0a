import type { InputConfig } from '../config/schema/sections.ts';
import { FileInput } from '../inputs/file/file-input.ts';
import type { FramedOptions } from '../inputs/framed.ts';
import { HttpInput } from '../inputs/http/http-input.ts';
import { HttpListenInput } from '../inputs/http/http-listen-input.ts';
import { TcpInput, type TcpInputOptions } from '../inputs/net/tcp-input.ts';
import { UdpInput } from '../inputs/net/udp-input.ts';
import { FilePollingInput } from '../inputs/poll/file-polling-input.ts';
import { ProcessInput } from '../inputs/process/process-input.ts';
import { parseSplit, type SplitOptions } from '../inputs/splitters/index.ts';
import { StatAccumInput } from '../inputs/statsd/stat-accum-input.ts';
import type { StatHub } from '../inputs/statsd/stat-hub.ts';
import { StatsdInput } from '../inputs/statsd/statsd-input.ts';
import type { Input } from '../inputs/types.ts';
import { tlsConnection, tlsListener } from '../tls.ts';

export interface InputSurroundings {
  readonly hostname: string;
  /** Folder of checkpoints. */
  readonly stateDirectory: string;
  /** Type of what listeners receive; the name of the input by default. */
  readonly type?: string;
  /** Largest framed message in bytes. */
  readonly maxMessageSize?: number;
  /** How the decoder wants a file to be cut; by lines when absent. */
  readonly split?: SplitOptions;
  /** It is cut in this way, whatever its section says. */
  readonly forced?: SplitOptions;
  /** Where stats are counted. */
  readonly stats: StatHub;
  /** The pipeline never ends by itself: commands say also while they run that nothing comes for now. */
  readonly endless?: boolean;
}

/** An input that is no script. */
export type PlainInputConfig = Exclude<InputConfig, { type: 'SandboxInput' }>;
type RecordInputConfig = Extract<InputConfig, { splitter: string }>;

/** How framed messages are to be taken, from an input that takes such. */
function framed(config: RecordInputConfig, { maxMessageSize }: InputSurroundings): { readonly framed?: FramedOptions } {
  if (config.splitter !== 'framing') return {};
  const keys = new Map(Object.entries(config.signers).map(([name, { hmac_key: key }]) => [name, key]));
  return { framed: { keys: config.skip_authentication ? null : keys, ...(maxMessageSize === undefined ? {} : { maxMessageSize }) } };
}

/** How a listener cuts what it receives, unless as it does by itself. */
function splitting(
  config: RecordInputConfig,
  own: 'none' | 'line',
  surroundings: InputSurroundings,
): { readonly framed?: FramedOptions; readonly split?: SplitOptions } {
  if (surroundings.forced !== undefined) return { split: surroundings.forced };
  if (config.splitter === own) return {};
  return config.splitter === 'framing' ? framed(config, surroundings) : { split: parseSplit(config.splitter) };
}

/** How an input cuts all that it reads. */
function splitOf(config: RecordInputConfig, surroundings: InputSurroundings): SplitOptions {
  if (surroundings.forced !== undefined) return surroundings.forced;
  const { framed: framing } = framed(config, surroundings);
  return framing === undefined ? parseSplit(config.splitter) : { kind: 'framing', ...framing };
}

/** An address without a host stands for all networks of a kind. */
function listenAt({ address, net }: { readonly address: string; readonly net: string }): string {
  if (!address.startsWith(':') || !/[46]$/.test(net)) return address;
  return `${net.endsWith('4') ? '0.0.0.0' : '[::]'}${address}`;
}

/** An answer that takes longer is none. */
const HTTP_MS = 60_000;

/** How connections are made. */
function connections(config: Extract<RecordInputConfig, { type: 'TcpInput' }>): Pick<TcpInputOptions, 'tls' | 'keepAlive'> {
  const { use_tls: encrypted, tls, keep_alive: keepAlive, keep_alive_period: period } = config;
  return { keepAlive: keepAlive ? period * 1000 : null, ...(encrypted ? { tls: tlsListener(tls) } : {}) };
}

/** Makes the input of a section. */
export function makeInput(config: PlainInputConfig, surroundings: InputSurroundings): Input {
  const { name } = config;
  const type = surroundings.type === undefined ? {} : { type: surroundings.type };
  switch (config.type) {
    case 'FileInput':
      return makeFileInput(config, surroundings);
    case 'UdpInput': {
      const { set_hostname: setHostname } = config;
      return new UdpInput({ name, address: listenAt(config), setHostname, ...type, ...splitting(config, 'none', surroundings) });
    }
    case 'TcpInput':
      return new TcpInput({ name, address: listenAt(config), ...type, ...connections(config), ...splitting(config, 'line', surroundings) });
    case 'FilePollingInput': {
      const { file_path: path, ticker_interval: seconds } = config;
      return new FilePollingInput({ name, path, seconds, split: splitOf(config, surroundings), hostname: surroundings.hostname });
    }
    case 'ProcessInput':
      return makeProcessInput(config, surroundings);
    case 'HttpListenInput':
      return makeHttpListenInput(config, surroundings);
    case 'HttpInput':
      return makeHttpInput(config, surroundings);
    case 'StatsdInput': {
      const { address, stat_accum_name: accumulator, max_msg_size: maxSize } = config;
      return new StatsdInput({ name, address, accumulator, maxSize, hub: surroundings.stats });
    }
    case 'StatAccumInput':
      return makeStatAccumInput(config, surroundings);
  }
}

function makeHttpListenInput(config: Extract<InputConfig, { type: 'HttpListenInput' }>, surroundings: InputSurroundings): Input {
  const { name, address, headers, request_headers: requestHeaders, username, password, api_key: key, use_tls: encrypted, tls } = config;
  const auths = { '': null, Basic: { kind: 'basic', username, password }, API: { kind: 'key', key } } as const;
  return new HttpListenInput({
    ...{ name, address, headers, requestHeaders, auth: auths[config.auth_type], hostname: surroundings.hostname },
    split: splitOf(config, surroundings),
    ...(encrypted ? { tls: tlsListener(tls) } : {}),
  });
}

function makeHttpInput(config: Extract<InputConfig, { type: 'HttpInput' }>, { hostname }: InputSurroundings): Input {
  const { name, url, urls, method, headers, username, password, body = null, tls, ticker_interval: seconds } = config;
  const { success_severity: success, error_severity: error } = config;
  return new HttpInput({
    ...{ name, body, seconds, hostname, severity: { success, error } },
    urls: (urls ?? [url ?? '']).map((each) => new URL(each)),
    request: { method, headers, username, password, timeout: HTTP_MS, tls: tlsConnection(tls) },
  });
}

function makeProcessInput(config: Extract<InputConfig, { type: 'ProcessInput' }>, surroundings: InputSurroundings): Input {
  const { name, command: commands, ticker_interval: seconds, immediate_start: immediately, timeout, stdout, stderr } = config;
  const { hostname, endless: idleWhenQuiet = false } = surroundings;
  const split = splitOf(config, surroundings);
  return new ProcessInput({ name, commands, seconds, immediately, timeout, stdout, stderr, split, hostname, idleWhenQuiet });
}

function makeStatAccumInput(config: Extract<InputConfig, { type: 'StatAccumInput' }>, surroundings: InputSurroundings): Input {
  const { global_prefix: global, counter_prefix: counter, timer_prefix: timer, gauge_prefix: gauge, statsd_prefix: statsd } = config;
  return new StatAccumInput({
    name: config.name,
    hub: surroundings.stats,
    inPayload: config.emit_in_payload,
    inFields: config.emit_in_fields,
    thresholds: config.percent_threshold,
    type: config.message_type,
    seconds: config.ticker_interval,
    legacy: config.legacy_namespaces,
    prefixes: { global, counter, timer, gauge, statsd },
    deleteIdle: config.delete_idle_stats,
    hostname: surroundings.hostname,
  });
}

function makeFileInput(config: Extract<InputConfig, { type: 'FileInput' }>, surroundings: InputSurroundings): Input {
  const { hostname, stateDirectory, split = { kind: 'line' } } = surroundings;
  const { name, paths, follow, start, encoding } = config;
  return new FileInput({
    ...{ name, paths, follow, hostname },
    split: config.splitter === 'auto' && surroundings.forced === undefined ? split : splitOf(config, surroundings),
    ...(encoding === 'auto' ? {} : { encoding }),
    startAt: start === 'end' ? 'end' : 'beginning',
    ...(start === 'resume' ? { stateDirectory } : {}),
  });
}
