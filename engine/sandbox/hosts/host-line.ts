import { lookupVersion } from '../../lookup/folder.ts';
import type { Call, WorkCall } from '../calls/calls.ts';
import type { OutgoingFrame } from '../wire/frames.ts';
import { answerOfLookup } from './lookup-answer.ts';
import type { PastCall } from '../wire/journal.ts';
import { OutboundBatch } from '../wire/outbound.ts';
import type { SavedScript } from '../wire/preservation.ts';
import { textPiece } from '../wire/texts.ts';
import {
  CHECKPOINT,
  NO_COLUMNS,
  ToHost,
  type CreateHead,
  type GoOnHead,
  type InputHead,
  type RequestHead,
  type TimerHead,
} from '../contract/protocol.ts';
import { sentConfig } from '../contract/sent-config.ts';
import type { ScriptSources } from '../code/sources.ts';
import type { ReadAnswer, SandboxSpec } from '../contract/types.ts';

/** The host process of a sandbox, as far as the sandbox uses it. */
export interface Host {
  /** Whether the host is serving a call, of any sandbox. */
  readonly serving: boolean;
  send(frame: OutgoingFrame): void;
  kill(): void;
}

/** Maximum number of variables whose columns are sent along with each batch. */
export const MAX_VARIABLES = 256;

/** Sends the frames of one sandbox to its current host, and answers the host's requests for files, variables and input. */
export class HostLine {
  readonly #id: number;
  readonly #spec: SandboxSpec;
  readonly #sources: ScriptSources;
  #host: Host | null = null;
  /** Batches at the host, by call. */
  readonly #sent = new Map<number, OutboundBatch>();
  /** Variables that the script reads: their columns go along with each batch. */
  readonly #variables: Set<string>;

  constructor(id: number, spec: SandboxSpec, sources: ScriptSources) {
    this.#id = id;
    this.#spec = spec;
    this.#sources = sources;
    this.#variables = new Set(spec.kind === 'decoder' ? ['Payload'] : []);
  }

  /** Creates the sandbox at a host, with the state to continue from. */
  create(host: Host, checkpoint: SavedScript | null): void {
    this.#host = host;
    this.#sent.clear();
    const { name, kind, script, config, limits, preservation, profile = false } = this.#spec;
    const { sampling, stateless, clock, ticks, writes, reads } = this.#spec;
    const head: CreateHead = {
      name,
      kind,
      script,
      config: sentConfig(config),
      limits,
      profile,
      preserve: preservation !== undefined,
      state: checkpoint?.head ?? null,
      sampling,
      stateless,
      clock,
      ticks,
      writes,
      reads,
    };
    const parts = checkpoint === null ? {} : { block: [checkpoint.block], texts: [checkpoint.text] };
    host.send({ kind: ToHost.CREATE, box: this.#id, call: 0, head: JSON.stringify(head), ...parts });
  }

  /** Whether the host is serving a call, of this sandbox or another one. */
  get hostServes(): boolean {
    return this.#host?.serving === true;
  }

  send(call: PastCall | Call): void {
    const to = { box: this.#id, call: call.id };
    if (call.kind === 'process') {
      const { timed = 0 } = call as WorkCall;
      if (timed > 0) this.#host?.send({ kind: ToHost.TIME, ...to, head: JSON.stringify({ rows: timed }) });
      const sent = new OutboundBatch(call.batch, call.selection);
      this.#sent.set(call.id, sent);
      const { head, block, texts } = sent.open(this.#variables);
      this.#host?.send({
        kind: ToHost.PROCESS,
        ...to,
        head: JSON.stringify({ ...head, clock: call.clock, lookups: lookupVersion() }),
        block,
        texts,
      });
    } else if (call.kind === 'timer') {
      this.#host?.send({
        kind: ToHost.TIMER,
        ...to,
        head: JSON.stringify({ ns: String(call.ns), lookups: lookupVersion() } satisfies TimerHead),
      });
    } else {
      const kinds = { report: ToHost.REPORT, save: ToHost.SAVE, run: ToHost.RUN };
      this.#host?.send({ kind: kinds[call.kind], ...to, head: call.kind === 'save' && call.checkpoint ? CHECKPOINT : '' });
    }
  }

  /** Removes and returns the batch of an answered call. */
  takeSent(call: number): OutboundBatch | undefined {
    const sent = this.#sent.get(call);
    this.#sent.delete(call);
    return sent;
  }

  /** Answers the host's request for a file, a variable or what a lookup has during a call. */
  answer(call: number, request: Exclude<RequestHead, { readonly want: 'go on' | 'input' }>): void {
    const answer = { kind: ToHost.ANSWER, box: this.#id, call };
    if (request.want === 'lookup') {
      this.#host?.send({ ...answer, head: JSON.stringify(answerOfLookup(request)) });
      return;
    }
    if (request.want !== 'variable') {
      this.#host?.send({ ...answer, head: JSON.stringify(this.#sources.answer(request)) });
      return;
    }
    const delivery = this.#sent.get(call)?.deliver(request.name);
    if (delivery === undefined) this.#host?.send({ ...answer, head: JSON.stringify(NO_COLUMNS) });
    else this.#host?.send({ ...answer, head: JSON.stringify(delivery.head), block: delivery.block, texts: delivery.texts });
  }

  /** Answers an input's request for data. */
  answerRead(call: number, answer: ReadAnswer): void {
    const text = 'text' in answer ? textPiece(answer.text) : null;
    const head: InputHead = {
      kind: answer.kind,
      count: 'ends' in answer ? answer.ends.length : 0,
      name: 'name' in answer ? answer.name : '',
      ended: 'ended' in answer && answer.ended,
      texts: text === null ? [] : [{ bytes: text.byteLength, wide: text.wide }],
    };
    const block =
      'bytes' in answer ? [answer.bytes] : 'ends' in answer ? [new Uint8Array(answer.ends.buffer, 0, answer.ends.byteLength)] : [];
    const frame = { kind: ToHost.ANSWER, box: this.#id, call, head: JSON.stringify(head), block, texts: text === null ? [] : [text] };
    this.#host?.send(frame);
  }

  /** Tells an input to continue or to stop. */
  goOn(call: number, stop: boolean): void {
    const head: GoOnHead = { stop };
    this.#host?.send({ kind: ToHost.ANSWER, box: this.#id, call, head: JSON.stringify(head) });
  }

  /** Adds variables that the script reads to those that are sent along with each batch. */
  learn(used: readonly string[]): void {
    for (const name of used) if (this.#variables.size < MAX_VARIABLES) this.#variables.add(name);
  }

  stop(): void {
    this.#host?.send({ kind: ToHost.STOP, box: this.#id, call: 0, head: '' });
  }

  /** Kills the host. */
  kill(): void {
    this.#host?.kill();
  }
}
