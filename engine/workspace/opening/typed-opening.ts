import { homedir } from 'node:os';
import { basename } from 'node:path';
import type { OpenLook, OpenPreview } from '../../api/open-types.ts';
import { EngineError } from '../../base/errors.ts';
import { commandLine } from '../../inputs/process/commands.ts';
import { leftOutText } from '../../inputs/archive/left-out.ts';
import type { DecoderDetector } from '../../detect/detect.ts';
import type { Consent } from '../common/consent.ts';
import type { Grants } from '../common/grants.ts';
import { commandSection } from '../file/command-section.ts';
import { sourceOf } from '../file/workspace-content.ts';
import type { ListedSources } from './listed-sources.ts';
import { commandSample } from '../sources/command-sample.ts';
import { demandsOf, openDemand } from '../sources/demands.ts';
import { locationsOf } from '../sources/folder-logs.ts';
import { openPlans } from '../sources/open-look.ts';
import { remoteSection, type RemoteTarget } from '../sources/remote-section.ts';
import { typedTarget } from '../sources/typed-target.ts';

interface TypedOpeningOptions {
  readonly detector: DecoderDetector;
  readonly grants: Grants;
  readonly consent: Consent;
  readonly listed: ListedSources;
  /** Opens what was granted. */
  readonly open: (paths: readonly string[]) => Promise<number[]>;
  /** Locations of the sources that are open. */
  readonly places: () => ReadonlySet<string>;
}

/** Opens what somebody types in the window. The page may be in other hands: what nobody chose before is confirmed in a dialog of the shell. */
export class TypedOpening {
  readonly #options: TypedOpeningOptions;

  constructor(options: TypedOpeningOptions) {
    this.#options = options;
  }

  /**
   * Tells what a typed text would open, with the first records.
   * @throws {EngineError} `path.bad`, `consent.refused`, `program.missing`; {InputError} for a file that cannot be read
   */
  async look(text: string): Promise<OpenLook> {
    const target = typedTarget(text);
    if (target.kind === 'remote') {
      const { input } = sourceOf(basename(target.path), remoteSection(target));
      return { kind: 'remote', command: input.type === 'ProcessInput' ? commandLine(input.command) : '' };
    }
    await this.#grant(target.path);
    const { locations, leftOut } = await locationsOf(target.path, this.#options.places());
    return {
      kind: 'files',
      plans: await openPlans(this.#options.detector, locations),
      leftOut: leftOutText(target.path, leftOut),
    };
  }

  /**
   * Runs a command line, or the ssh of a typed file of another machine, for a moment once it is confirmed, and tells its first records.
   * @throws {EngineError} `path.bad`, `consent.refused`, `program.missing`, `source.section`; {InputError} when it cannot be started
   */
  async sample({ kind, text }: { readonly kind: 'command' | 'remote'; readonly text: string }): Promise<OpenPreview> {
    const { detector, consent, listed } = this.#options;
    await listed.ready;
    const { input } = sourceOf('command', kind === 'command' ? commandSection(text, homedir()) : remoteSection(remoteTarget(text)));
    await consent.require(demandsOf(input, 'window'));
    return commandSample(detector, input.type === 'ProcessInput' ? input.command : []);
  }

  /**
   * Opens it. Returns the numbers of the sources, and the path if it is one of this machine.
   * @throws {EngineError} as `look` does, and `limit.reached`
   */
  async open(text: string): Promise<{ opened: number[]; paths: string[] }> {
    const target = typedTarget(text);
    if (target.kind === 'remote') return { opened: [await this.#options.listed.addRemote(target)], paths: [] };
    const paths = [target.path];
    await this.#grant(target.path);
    return { opened: await this.#options.open(paths), paths };
  }

  async #grant(path: string): Promise<void> {
    const { grants, consent, listed } = this.#options;
    await listed.ready;
    if (grants.has('open', path) || listed.remembers(path)) return;
    await consent.require([openDemand(path)]);
    grants.add('open', path);
  }
}

/** @throws {EngineError} `path.bad` when a text names no file of another machine */
function remoteTarget(text: string): RemoteTarget {
  const target = typedTarget(text);
  if (target.kind !== 'remote') throw new EngineError('path.bad', `${text} is not a file of another machine. Type host:/path.`);
  return target;
}
