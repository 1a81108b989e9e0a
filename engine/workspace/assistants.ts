import { mkdirSync, statSync, watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';
import type { AskedCall, AssistantsState } from '../api/assistant-types.ts';
import { STANDARD_INPUTS } from '../api/places.ts';
import { askedPath, forgetAsked, lastAsked } from '../assistants/asked.ts';
import { grantedPlace, type GrantedPlace } from '../assistants/granted-places.ts';
import {
  assistantsFolder,
  formatGrants,
  grantsPath,
  MOST_GRANTS,
  NO_GRANTS,
  parseGrants,
  readGrants,
  type Grants,
} from '../assistants/grants.ts';
import { EngineError, messageOf } from '../base/errors.ts';
import { isBelow } from '../base/files/real-place.ts';
import { putAside } from '../base/files/put-aside.ts';
import { Serial } from '../base/time/serial.ts';
import { Throttle } from '../base/time/throttle.ts';
import { KeptFile } from './marks/kept-file.ts';
import type { Source } from './sources/source.ts';

interface AssistantsOptions {
  /** The folder of the user's data. */
  readonly folder: string;
  /** @throws {EngineError} `source.unknown` */
  readonly source: (id: number) => Source;
  readonly changed: (state: AssistantsState) => void;
  /** Called with the reason when the grants cannot be read or written. */
  readonly failed: (text: string) => void;
}

/** Milliseconds between two looks at what was asked, where the system tells of no change, and between two answers about it. */
const [LOOK_MS, TELL_MS] = [2000, 200];

/** Files that assistants may ask about, which `sluicebox mcp --window` reads from a file, and their questions, which it writes to another. */
export class Assistants {
  readonly #options: AssistantsOptions;
  readonly #file: KeptFile<Grants>;
  readonly #turns = new Serial();
  readonly #told = new Throttle(() => void this.#look(), TELL_MS);
  #grants: Grants;
  #asked: readonly AskedCall[] = [];
  #stamp = '';
  #poll: NodeJS.Timeout | undefined;
  #hints: FSWatcher | null = null;

  constructor(options: AssistantsOptions) {
    this.#options = options;
    const path = grantsPath(options.folder);
    this.#file = new KeptFile({ path, parse: parseGrants, format: formatGrants, failed: options.failed });
    this.#grants = this.#read(path);
  }

  /** A file that is not the window's own grants nothing, here as in the command. */
  #read(path: string): Grants {
    try {
      return readGrants(path);
    } catch (error) {
      const { failed } = this.#options;
      try {
        failed(`${path} ${messageOf(error)}: no file is granted to assistants. It was put aside as ${putAside(path)}.`);
      } catch {
        failed(`${path} ${messageOf(error)}: no file is granted to assistants.`);
      }
      return NO_GRANTS;
    }
  }

  /** The state now; news of it come from then on. */
  async state(): Promise<AssistantsState> {
    this.#follow();
    this.#asked = await lastAsked(this.#path);
    return this.#now();
  }

  /** Lets assistants ask about an open source. @throws {EngineError} `source.unknown`, `assistants.source`, `limit.reached` */
  grant(id: number): Promise<void> {
    return this.#turns.run(async () => {
      const { location } = this.#options.source(id);
      const place = await this.#placeOf(this.#options.source(id));
      const others = this.#grants.files.filter((file) => file.location !== location);
      if (others.length >= MOST_GRANTS) throw new EngineError('limit.reached', `Assistants may ask about ${MOST_GRANTS} files at most.`);
      await this.#set({ ...this.#grants, files: [...others, { location, ...place }] });
    });
  }

  /** @param location null: all */
  takeBack(location: string | null): Promise<void> {
    return this.#turns.run(() =>
      this.#set({
        ...this.#grants,
        files: location === null ? [] : this.#grants.files.filter((file) => file.location !== location),
      }),
    );
  }

  redact(on: boolean): Promise<void> {
    return this.#turns.run(() => this.#set({ ...this.#grants, redact: on }));
  }

  /** Forgets what was asked. */
  async forget(): Promise<void> {
    await forgetAsked(this.#path);
    this.#asked = [];
    this.#tell();
  }

  async close(): Promise<void> {
    clearInterval(this.#poll);
    this.#hints?.close();
    this.#told.stop();
    await this.#turns.idle();
    await this.#file.settled();
  }

  get #path(): string {
    return askedPath(this.#options.folder);
  }

  async #placeOf(source: Source): Promise<GrantedPlace> {
    const { kind, label, location, isStored } = source;
    const problem = (text: string): EngineError => new EngineError('assistants.source', `Assistants cannot ask about ${label}: ${text}`);
    if (kind !== 'file' || isStored) throw problem('it is no file. Save its records as a file, and open that.');
    if (isBelow(location, join(this.#options.folder, STANDARD_INPUTS))) throw problem('it is gone when the window ends.');
    try {
      return await grantedPlace(location);
    } catch (error) {
      throw new EngineError('assistants.source', problem(messageOf(error)).message, { cause: error });
    }
  }

  /** Resolves when it is written: what is taken back is not answered any more. */
  async #set(grants: Grants): Promise<void> {
    this.#grants = grants;
    this.#file.write(grants);
    await this.#file.settled();
    this.#tell();
  }

  #now(): AssistantsState {
    const { redact, files } = this.#grants;
    return { redact, granted: files.map(({ location }) => location), asked: this.#asked };
  }

  #tell(): void {
    this.#options.changed(this.#now());
  }

  #follow(): void {
    if (this.#poll !== undefined) return;
    this.#stamp = this.#stampNow();
    this.#poll = setInterval(() => this.#told.request(), LOOK_MS).unref();
    try {
      const folder = assistantsFolder(this.#options.folder);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      this.#hints = watch(folder, { persistent: false }, () => this.#told.request());
      this.#hints.on('error', () => this.#hints?.close());
    } catch {
      // The questions are seen a little later.
    }
  }

  async #look(): Promise<void> {
    const stamp = this.#stampNow();
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    this.#asked = await lastAsked(this.#path);
    this.#tell();
  }

  #stampNow(): string {
    const info = statSync(this.#path, { throwIfNoEntry: false });
    return info === undefined ? '' : `${info.ino} ${info.size} ${info.mtimeMs}`;
  }
}
