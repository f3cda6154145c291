/**
 * The gateways that serve one database: each says every ten seconds that it runs, and looks who
 * else does (docs/rules/process.md#nodes).
 */
import type { Cluster } from '../cluster/cluster.ts';
import { atMost } from '../kernel/at-most.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Node, NodeRepository } from '../storage/storage.ts';
import { createDraining, type Load } from './draining.ts';
import type { ServiceModule } from './service-module.ts';

export interface NodeReport extends Node {
  /** The gateway that answers. */
  readonly isThis: boolean;
  /**
   * It shares limits and announcements with the one that answers. Without, it counts limits for
   * itself, and learns of changes from the database, up to five seconds late.
   */
  readonly isShared: boolean;
}

export interface Nodes {
  /** Says that this gateway serves at `address`, from now until the module stops. Never rejects. */
  begin(address: string): Promise<void>;
  /** The gateways that run, oldest first. Without this one in a command on a stopped site. */
  list(): Promise<readonly NodeReport[]>;
  /** Those that share nothing with the one that answers. */
  listSeparate(): Promise<readonly NodeReport[]>;
  /**
   * This gateway takes no new jobs and WebSockets, and others are to get its requests
   * (docs/rules/process.md#drain).
   */
  isLeaving(): boolean;
  /** From now on it {@link isLeaving}, until the process ends. */
  leave(): void;
  /** Lets gateways know that the wish in their rows, if they have any, has changed. Never rejects. */
  notify(ids: readonly string[], wish: Node['wish']): Promise<void>;
  /** Resolves once this gateway is to stop and is empty. */
  readonly stopped: Promise<void>;
}

/** To the gateways with these ids. */
interface WishChange {
  readonly ids: readonly string[];
  readonly wish: Node['wish'];
}

export interface NodesDeps {
  readonly nodes: NodeRepository;
  readonly cluster: Pick<Cluster, 'values' | 'topic'>;
  /** What is under way here. */
  readonly load: () => Load;
  /** This gateway begins to leave, or takes work again. */
  readonly onLeaving: (isLeaving: boolean) => void;
  /** SQLite: the data folder's lock keeps every other gateway out. */
  readonly isAlone: boolean;
  readonly host: string;
  readonly dataDir: string;
  readonly version: string;
  /** When the process started, in Unix seconds. */
  readonly startedAt: number;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'uuid'>;
  readonly logger: Logger;
}

/** Seconds between two signs of a gateway, and until one that gives none counts as gone. */
const interval = 10;
const goneAfter = 3 * interval;
/** Seconds for which the row of a gateway that died is kept. */
const retention = 86_400;
const pruneInterval = 3600;
const timeout = 5;
/** Milliseconds that a stop waits for its row to be deleted. */
const stopLimit = 2000;
/** Gateways of one site that the shared memory knows at most. */
const mostNodes = 1000;

export function createNodesModule(deps: NodesDeps): ServiceModule<Nodes> {
  const { nodes, isAlone, host, dataDir, version, startedAt, clock, logger } = deps;
  const id = deps.ids.uuid();
  /** A gateway that finds the id of another one here shares a memory with it. */
  const signs = deps.cluster.values<true>('nodes', () => mostNodes);
  let address: string | undefined;
  /** Gateways that were reported as separate. */
  const reported = new Set<string>();
  let announced = 0;
  /** The last announcement whose reply is known: of two under way, the later one knows more. */
  let heard = 0;

  const announce = async (): Promise<void> => {
    if (address === undefined || isAlone) return;
    announced += 1;
    const number = announced;
    // First, so that nobody finds the row without the sign. Redis may be away.
    await Promise.resolve(signs.set(id, true, goneAfter * 1000)).catch(() => undefined);
    const row = { id, host, dataDir, address, version, ...draining.progress() };
    const wish = await nodes.announce(row);
    if (number < heard || address === undefined) return;
    heard = number;
    draining.follow(wish);
  };
  const announceNow = (): Promise<void> =>
    announce().catch((error: unknown) =>
      logger.error({ error }, 'this gateway could not be announced to others; it tries again'),
    );
  const draining = createDraining({
    load: deps.load,
    onLeaving: deps.onLeaving,
    announce: announceNow,
    clock,
  });
  const wishes = deps.cluster.topic<WishChange>('node wishes');
  const unsubscribe = wishes.subscribe(({ ids, wish }) => {
    if (!ids.includes(id)) return;
    if (isAlone) draining.follow(wish);
    else void announceNow();
  });

  const isShared = async (node: Node): Promise<boolean> => {
    if (node.id === id) return true;
    const sign = await Promise.resolve(signs.get(node.id)).catch(() => undefined);
    return sign === true;
  };

  const list = async (): Promise<readonly NodeReport[]> => {
    if (isAlone) {
      if (address === undefined) return [];
      const own = { id, host, dataDir, address, version, startedAt, seenAt: nowSeconds(clock) };
      return [{ ...own, ...draining.progress(), isThis: true, isShared: true }];
    }
    const found = await nodes.list(goneAfter);
    const own = found.find((node) => node.id === id);
    // A data folder serves one gateway at a time: an earlier one that was killed had this one's.
    const alive = found.filter(
      (node) =>
        own === undefined ||
        node === own ||
        node.host !== host ||
        node.dataDir !== dataDir ||
        node.seenAt > own.startedAt,
    );
    return Promise.all(
      alive.map(async (node) => ({
        ...node,
        ...(node === own && draining.progress()),
        isThis: node === own,
        isShared: await isShared(node),
      })),
    );
  };

  const listSeparate = async () => (await list()).filter(({ isShared }) => !isShared);

  const warnOfSeparate = async (): Promise<void> => {
    for (const { id: other, host, address, version } of await listSeparate()) {
      if (reported.has(other)) continue;
      reported.add(other);
      logger.warn(
        { host, address, version },
        'another gateway serves this database and shares no Redis with this one: limits count for each alone',
      );
    }
  };

  return {
    services: {
      begin: async (at) => {
        address = at;
        await announceNow();
      },
      list,
      listSeparate,
      isLeaving: () => draining.isLeaving,
      leave: draining.leave,
      notify: async (ids, wish) => {
        wishes.publish({ ids, wish });
        // Its row is what counts: the caller sees it followed.
        if (ids.includes(id)) await announceNow();
      },
      stopped: draining.stopped,
    },
    jobs: [
      {
        name: 'announce-node',
        interval: () => (isAlone ? 0 : interval),
        scope: 'process',
        timeout,
        run: async () => {
          await announce();
          await warnOfSeparate();
        },
      },
      {
        name: 'forget-nodes',
        interval: () => (isAlone ? 0 : pruneInterval),
        scope: 'gateway',
        timeout,
        run: () => nodes.prune(retention),
      },
    ],
    stop: async () => {
      unsubscribe();
      draining.close();
      if (address === undefined || isAlone) return;
      address = undefined;
      // It counts as gone without: the database may be what makes it stop.
      await atMost(stopLimit, nodes.remove(id));
    },
  };
}
