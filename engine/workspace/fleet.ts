import type { ClusterAddress, FleetStream, StreamStart } from '../api/fleet-types.ts';
import { EngineError, messageOf } from '../base/errors.ts';
import { NatsLink } from '../nats/connection.ts';
import { fleetOf } from '../nats/fleet.ts';
import { serversOf } from '../nats/parameters.ts';
import type { Consent } from './common/consent.ts';
import { clusterSection } from './file/cluster-section.ts';
import { sourceOf } from './file/workspace-content.ts';
import type { ListedSources } from './opening/listed-sources.ts';
import { demandsOf } from './sources/demands.ts';

/** Milliseconds after the last look at which the connection is closed. */
const IDLE_MS = 30_000;

/** Clusters of NATS, as the window shows them. A connection is kept from look to look. */
export class Fleet {
  readonly #consent: Consent;
  readonly #listed: ListedSources;
  #open: { readonly key: string; readonly link: NatsLink } | null = null;
  #idle: NodeJS.Timeout | null = null;

  constructor(consent: Consent, listed: ListedSources) {
    this.#consent = consent;
    this.#listed = listed;
  }

  /**
   * The streams of a cluster.
   * @throws {EngineError} `consent.refused`, `fleet.away` when no server answers, `source.section` for addresses that are none
   */
  async look(address: ClusterAddress): Promise<{ streams: readonly FleetStream[]; nowMs: number }> {
    // The name of a stream, which need not exist: only the servers are confirmed.
    const { input } = sourceOf('cluster', clusterSection(address, '-', 'end'));
    await this.#consent.require(demandsOf(input, 'window'));
    if (input.type !== 'NatsInput') throw new TypeError('a section of another type');
    const link = await this.#linkTo(JSON.stringify(address), () => new NatsLink(serversOf(input), 'sluicebox window'));
    try {
      return { streams: await fleetOf(await link.open()), nowMs: Date.now() };
    } catch (error) {
      throw new EngineError('fleet.away', messageOf(error), { cause: error });
    }
  }

  /** Opens a stream as a source. @throws {EngineError} as `look` does, and `limit.reached` */
  async open(address: ClusterAddress, stream: string, start: StreamStart): Promise<number> {
    return this.#listed.addCluster(stream, clusterSection(address, stream, start));
  }

  async close(): Promise<void> {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = null;
    const open = this.#open;
    this.#open = null;
    await open?.link.close();
  }

  async #linkTo(key: string, make: () => NatsLink): Promise<NatsLink> {
    if (this.#open?.key !== key) {
      await this.close();
      this.#open = { key, link: make() };
    }
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref();
    return this.#open.link;
  }
}
