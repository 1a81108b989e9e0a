import { BatchBuilder } from '../../message/batch/builder.ts';
import { findFrame } from '../../message/protobuf/framing.ts';
import { MessageOpener, type FramedOptions } from '../framed.ts';
import { MAX_BATCH_BYTES, MAX_BATCH_RECORDS, type Cuts, type CutState, type Outlook, type Splitter } from '../splitter.ts';

/**
 * Messages in a framed protobuf stream. They are messages already: no headers are added to them. One batch holds messages of one
 * signer. Bytes that are no record are passed over; a record that is cut off waits for its rest.
 */
export class FramingSplitter implements Splitter {
  readonly isBinary = true;
  readonly #opener: MessageOpener;
  readonly #builder = new BatchBuilder();

  constructor(options: FramedOptions) {
    this.#opener = new MessageOpener(options);
  }

  get maxRecord(): number {
    return this.#opener.maxMessageSize;
  }

  get dropped(): number {
    return this.#opener.dropped;
  }

  cut(bytes: Buffer, from: number, outlook: Outlook, state: CutState, cuts: Cuts): number {
    cuts.reset();
    const problem = (what: string): void => {
      cuts.problem ??= what;
    };
    const builder = this.#builder;
    let at = from;
    while (builder.length < MAX_BATCH_RECORDS && builder.weight < MAX_BATCH_BYTES) {
      const found = findFrame(bytes, at, outlook === 'end', this.maxRecord, problem);
      if (found.record === null) {
        if (found.at > at) problem(`${found.at - at} bytes that are not a record`);
        at = found.at;
        break;
      }
      const opened = this.#opener.open(found.record);
      if (typeof opened === 'object') {
        if (builder.length > 0 && opened.signer !== cuts.signer) break;
        if (builder.length === 0) cuts.firstLine = state.line;
        cuts.signer = opened.signer;
        builder.append(opened.message);
      } else problem(opened);
      if (found.start > at) problem(`${found.start - at} bytes that are not a record`);
      at = found.at;
      if (state.line > 0) state.line++;
    }
    cuts.messages = builder.build();
    cuts.count = cuts.messages.length;
    return at;
  }
}
