/** The line in front of a document in the bulk interface of search indexes such as Elasticsearch and OpenSearch. */
import { stringConfig } from '../../modules/config.ts';
import { Template } from '../../modules/interpolate.ts';

/** Writes index lines by the parameters index, type_name and id. */
export class BulkIndex {
  readonly #index: Template;
  readonly #type: Template | null;
  readonly #id: Template | null;

  constructor() {
    this.#index = new Template(stringConfig('index'));
    this.#type = templateOf(stringConfig('type_name'));
    this.#id = templateOf(stringConfig('id', null) ?? '');
  }

  /** The line for the current message, with its line end; `seconds` since 1970 is the time for time patterns. */
  line(seconds: number): string {
    const type = this.#type === null ? {} : { _type: this.#type.text(seconds) };
    const id = this.#id === null ? {} : { _id: this.#id.text(seconds) };
    return `${JSON.stringify({ index: { _index: this.#index.text(seconds), ...type, ...id } })}\n`;
  }
}

function templateOf(text: string): Template | null {
  return text === '' ? null : new Template(text);
}
