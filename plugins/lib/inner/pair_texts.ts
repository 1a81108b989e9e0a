/** Texts that are pairs of logfmt. */
import type { LogMessage } from '../../modules/table_writer.ts';
import { PAIR_MESSAGES, PAIR_SEVERITIES, PAIR_TIMES } from '../header/pair_headers.ts';
import { NumberFields } from '../number_fields.ts';
import { PairFields } from '../pair_decoder.ts';
import { RecordMessage } from '../record_message.ts';

/** Pairs that begin with the names of a log, or as those of firewalls do: other texts have an equals sign as well. */
const PAIRS =
  /^(?:date=\d{4}-\d\d-\d\d time|device="[^"]{1,40}" date|id=\w+ sn|time|ts|t|timestamp|datetime|level|lvl|severity|msg|at|logger|caller|app|component|source)=\S/;
/** Names that are usual in logs; one of them is among the pairs. */
const USUAL = /(?:^| )(?:time|ts|t|timestamp|datetime|level|lvl|severity|msg|message|at)=/;

const NAMES = {
  time: PAIR_TIMES,
  severity: PAIR_SEVERITIES,
  message: PAIR_MESSAGES,
  hostname: 'hostname',
  logger: 'logger',
  pid: 'pid',
};

/** Reads pairs. To be made at load. */
export class PairTexts {
  readonly #message = new RecordMessage(NAMES, { isConfigured: false });
  readonly #pairs = new PairFields({ separator: ' ', assignment: '=' }, new NumberFields('*'));

  /** The message of the pairs; null: the text is something else. */
  read(text: string): LogMessage | null {
    if (!PAIRS.test(text) || !USUAL.test(text)) return null;
    this.#message.begin();
    const { pairs, error } = this.#pairs.read(text, 0, text.length, this.#message);
    return error !== null || pairs < 2 ? null : this.#message.build();
  }
}
