import { untrack } from 'svelte';
import type { AskedRecord, SourceInfo } from '../../../engine/api/types.ts';
import { parseRecordName, sourcesNamed, type RecordName } from '../lib/sources/record-names.ts';
import { isBusy } from '../lib/sources/source-state.ts';
import type { App } from './app.svelte.ts';

/** Goes to records by the names that answers, lists and command lines have for them, such as `access.log#120`. */
export class RecordLinks {
  readonly #app: App;
  /** The record to go to when its file is open and read so far. */
  #wanted = $state.raw<{ readonly path: string; readonly number: number } | null>(null);

  constructor(app: App) {
    this.#app = app;
    app.client.on('record', () => void this.fetchGiven());
  }

  /** Follows what is open; to be called where effects may run. */
  keep(): void {
    $effect(() => {
      const wanted = this.#wanted;
      if (wanted === null) return;
      const source = this.#app.engine.sources.find(({ location }) => location === wanted.path);
      if (source === undefined || source.state === 'opening' || (isBusy(source) && source.records < wanted.number)) return;
      untrack(() => {
        this.#wanted = null;
        void this.#goTo(source, wanted.number, null);
      });
    });
  }

  /** Goes to the record that someone has named in the command line, as soon as it is there. */
  async fetchGiven(): Promise<void> {
    const given = await this.#app.attempt(this.#app.client.request('shell.givenRecord', {}));
    if (given !== null) this.#wanted = given;
  }

  /** The source of a named record, or why there is none. */
  sourceOf({ file }: RecordName): SourceInfo | string {
    const found = sourcesNamed(this.#app.engine.sources, file);
    const [source, other] = found;
    if (source === undefined) return `No open source is called ${file}`;
    return other === undefined ? source : `${found.map(({ label }) => label).join(' and ')} are called so: type one of these`;
  }

  /** Goes to a record that someone has typed. */
  async goToNamed(name: RecordName): Promise<void> {
    const source = this.sourceOf(name);
    if (typeof source !== 'string') await this.#goTo(source, name.number, null);
  }

  /** Goes to a record that an answer has named. */
  async open({ name, path, time }: AskedRecord): Promise<void> {
    const number = parseRecordName(name)?.number ?? 0;
    const { sources } = this.#app.engine;
    const source = sources.find(({ location }) => location === path) ?? sourcesNamed(sources, path)[0];
    if (source === undefined) this.#app.toasts.show('info', `${path} is not open: open it to see its records.`);
    else await this.#goTo(source, number, time);
  }

  async #goTo({ id: source, label, records }: SourceInfo, number: number, time: number | null): Promise<void> {
    const { toasts, client, logs } = this.#app;
    this.#app.show('logs');
    const asked = await this.#app.attempt(client.request('record.find', { source, number, time }).then((place) => ({ place })));
    if (asked === null) return;
    const { place } = asked;
    if (place === null) return void toasts.show('info', `${label} has no record ${number}: it has ${records} so far.`);
    if (time !== null && place.by === 'time')
      toasts.show('info', `${label} has other numbers here, as it was read from another time on: this is the first record of that time.`);
    await logs.goToRecord(place.id, place.time);
  }
}
