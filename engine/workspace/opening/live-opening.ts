import type { OpenSources } from '../sources/open-sources.ts';
import type { Consent } from '../common/consent.ts';
import { listenerSection } from '../file/listener-section.ts';
import { sourceOf } from '../file/workspace-content.ts';
import { watchPlan } from '../file/workstation.ts';
import type { ListedSources } from './listed-sources.ts';
import { demandsOf } from '../sources/demands.ts';
import type { InputFactory, ListenAddress } from '../sources/inputs.ts';
import type { Source } from '../sources/source.ts';
import type { WatchReport } from '../../api/types.ts';

interface LiveOpeningOptions {
  readonly inputs: InputFactory;
  readonly sources: OpenSources;
  readonly listed: ListedSources;
  readonly consent: Consent;
}

/** Opens listeners, commands and the figures of this machine as sources. */
export class LiveOpening {
  readonly #options: LiveOpeningOptions;

  constructor(options: LiveOpeningOptions) {
    this.#options = options;
  }

  /**
   * Listens for syslog, now and at every start. An address that other machines reach has to be confirmed.
   * @throws {EngineError} `consent.refused`, `limit.reached`; `source.section` for what is no address
   */
  async listen(address: ListenAddress): Promise<number> {
    const { sources, inputs, listed, consent } = this.#options;
    await listed.ready;
    const { protocol, host, port } = address;
    const location = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    const find = (): Source | undefined => (port === 0 ? undefined : sources.find(protocol, location));
    const open = find();
    if (open) return open.id;
    await consent.require(demandsOf(sourceOf('listener', listenerSection(protocol, location)).input, 'window'));
    const known = find();
    if (known) return known.id;
    const label = `${protocol}:${port}`;
    const source = sources.add({ kind: protocol, label, location, input: () => inputs.listen(label, address), isAwaited: true });
    void source.open({ name: 'syslog', config: {}, by: 'configuration', confidence: 1 });
    if (port !== 0) listed.addListener(source.id, protocol, port, location);
    return source.id;
  }

  /**
   * Runs a command line, now and at every start, once it is confirmed; one that has ended runs again.
   * @throws {EngineError} `consent.refused`, `limit.reached`, `source.section` when it makes no valid section
   */
  async run(command: string): Promise<number> {
    const { sources, listed } = this.#options;
    await listed.ready;
    const line = command.trim();
    const known = sources.find('command', line);
    if (known) {
      void known.resume();
      return known.id;
    }
    return listed.addCommand(line);
  }

  /**
   * Watches this machine, now and at every start, as far as it can be read.
   * @throws {EngineError} `workspace.invalid`; {ConfigEditError} when the workspace file cannot be edited
   */
  async watchMachine(): Promise<WatchReport> {
    const { listed } = this.#options;
    await listed.ready;
    const { sections, report } = await watchPlan();
    if (Object.keys(sections).length > 0) await listed.addSections(sections);
    return report;
  }
}
