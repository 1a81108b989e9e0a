import { setTimeout as delay } from 'node:timers/promises';
import { CAN_MOUNT, type SmallDisk } from '../../small-disk.ts';
import type { Random } from '../random.ts';
import type { Edge, Program } from './program.ts';
import type { Proxy } from './proxy.ts';
import { ACK_WAIT_MS, type Servers } from './servers.ts';

/** A machine of the cluster other than a server: a program, its wires to all servers, and its disk; null: that of the system. */
export interface Machine {
  readonly program: Program;
  readonly wires: readonly Proxy[];
  readonly disk: SmallDisk | null;
}

/** Targets of faults. */
export interface Cluster {
  readonly random: Random;
  readonly servers: Servers;
  readonly edges: readonly (Machine & Edge)[];
  readonly workers: readonly Machine[];
  /** The disk of the lake, which the workers share. */
  readonly lakeDisk: SmallDisk | null;
  /** Waits until all servers have all of the stream: with two of three away there is nobody to take a batch. */
  whole(): Promise<void>;
}

/** Milliseconds for which a killed program is dead, … */
const DEAD_MS = [0, 400] as const;
/** … a part of the cluster is not reached: servers elect a leader within nine seconds, … */
const AWAY_MS = [2000, 14_000] as const;
/** … a disk is full, and … */
const FULL_MS = [1500, 5000] as const;
/** … a worker stands still: its batches are offered to the other one. */
const FROZEN_MS = [ACK_WAIT_MS + 500, 3 * ACK_WAIT_MS] as const;
/** Bytes that a full disk still takes, so that writing fails within a file. */
const LEFT_BYTES = 4096;

const one = <T>(random: Random, all: readonly T[]): T => all[Math.floor(random.next() * all.length)] as T;

async function killProgram({ program }: Machine, random: Random): Promise<void> {
  await program.kill();
  await delay(random.between(...DEAD_MS));
  program.start();
}

async function interrupt(wires: readonly Proxy[], kind: 'cut' | 'still', random: Random): Promise<void> {
  for (const wire of wires) wire.interrupt(kind);
  await delay(random.between(...AWAY_MS));
  // A connection that stood still goes on where it was, or its end is noticed only now.
  if (random.chance(0.5)) for (const wire of wires) wire.interrupt('cut');
  for (const wire of wires) wire.mend();
}

async function isolate({ random, servers, whole }: Cluster, kind: 'cut' | 'still'): Promise<void> {
  await whole();
  const server = Math.floor(random.next() * 3);
  servers.isolate(server, kind);
  await delay(random.between(...AWAY_MS));
  servers.join(server);
}

async function fill(disk: SmallDisk | null, random: Random): Promise<void> {
  disk?.leave(LEFT_BYTES);
  await delay(random.between(...FULL_MS));
  disk?.free();
}

/** Faults of a cluster, by the words for them. */
const ACTIONS = {
  'kill -9 of an edge': ({ random, edges }: Cluster) => killProgram(one(random, edges), random),
  'kill -9 of a worker': ({ random, workers }: Cluster) => killProgram(one(random, workers), random),
  'kill -9 of a server': async ({ random, servers, whole }: Cluster) => {
    const server = Math.floor(random.next() * 3);
    await whole();
    await servers.kill(server);
    await delay(random.between(...DEAD_MS));
    await servers.restart(server);
  },
  'an edge cut off from all servers': ({ random, edges }: Cluster) => interrupt(one(random, edges).wires, 'cut', random),
  'an edge whose servers are silent': ({ random, edges }: Cluster) => interrupt(one(random, edges).wires, 'still', random),
  'a worker cut off from all servers': ({ random, workers }: Cluster) => interrupt(one(random, workers).wires, 'cut', random),
  'a worker whose servers are silent': ({ random, workers }: Cluster) => interrupt(one(random, workers).wires, 'still', random),
  'a server cut off from the two others': (cluster: Cluster) => isolate(cluster, 'cut'),
  'a server that is silent to the two others': (cluster: Cluster) => isolate(cluster, 'still'),
  'the disk of the lake full': ({ random, lakeDisk }: Cluster) => fill(lakeDisk, random),
  'the disk of an edge full': ({ random, edges }: Cluster) => fill(one(random, edges).disk, random),
  'the stream full': async ({ random, servers }: Cluster) => {
    await servers.limit(true);
    await delay(random.between(...FULL_MS));
    await servers.limit(false);
  },
  'a worker that stands still, so that its batches are offered again': async ({ random, workers }: Cluster) => {
    const { program } = one(random, workers);
    program.signal('SIGSTOP');
    await delay(random.between(...FROZEN_MS));
    program.signal('SIGCONT');
  },
} as const;

export type FaultName = keyof typeof ACTIONS;

export const ALL_FAULTS = Object.keys(ACTIONS) as readonly FaultName[];
/** Those that take no time beside others, during which somebody may be killed, too. */
const KILLS: readonly FaultName[] = ['kill -9 of an edge', 'kill -9 of a worker', 'kill -9 of a server'];

/** Reason for which a fault cannot be tried here; null: it can. */
export const whyNot = (name: FaultName): string | null => (/disk/.test(name) && !CAN_MOUNT ? 'no file system can be mounted' : null);

/** Does something to a cluster, and at times something else at the same time. Returns what was done. */
export async function doFault(name: FaultName, cluster: Cluster): Promise<readonly FaultName[]> {
  const { random } = cluster;
  const isAlone = KILLS.includes(name) || random.chance(0.6);
  // A worker that is frozen is not killed: its end is not waited for.
  const other = one(random, KILLS.slice(0, name.startsWith('a worker that stands') ? 1 : 2));
  const begun = ACTIONS[name](cluster);
  if (isAlone) return begun.then(() => [name]);
  await delay(random.between(...DEAD_MS));
  await Promise.all([begun, ACTIONS[other](cluster)]);
  return [name, other];
}
