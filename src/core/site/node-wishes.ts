/** What administrators request of the gateways of the site (docs/rules/process.md#drain). */
import type { Commit } from '../audit/commit.ts';
import type { Actor } from '../kernel/actor.ts';
import { AppError } from '../kernel/errors.ts';
import type { NodeReport, Nodes } from '../runtime/nodes.ts';
import type { NodeWish } from '../vocabulary/nodes.ts';

export interface NodeWishes {
  /**
   * Resolves with the gateways that it is about: the one with this id, and the other workers behind
   * its port. Throws AppError not_found.
   */
  request(actor: Actor, id: string, wish: NodeWish): Promise<readonly NodeReport[]>;
}

export interface NodeWishesDeps {
  readonly nodes: Pick<Nodes, 'list' | 'notify'>;
  readonly commit: Commit;
}

const actions = { '': 'node.resume', drain: 'node.drain', stop: 'node.stop' } as const;

export function createNodeWishes({ nodes, commit }: NodeWishesDeps): NodeWishes {
  return {
    request: async (actor, id, wish) => {
      const found = await nodes.list();
      const named = found.find((node) => node.id === id);
      if (named === undefined) throw new AppError('not_found', { what: id });
      const ids = found
        .filter((node) => node === named || serveOnePort(node, named))
        .map((node) => node.id);
      await commit(async (inside, notes) => {
        await inside.nodes.setWish(ids, wish);
        notes.record(actor, actions[wish], `${named.host} ${named.address}`);
        notes.after('a request to gateways', () => nodes.notify(ids, wish));
      });
      return (await nodes.list()).filter((node) => ids.includes(node.id));
    },
  };
}

/** Workers of one site on one machine: a balancer does not tell them apart. */
function serveOnePort(one: NodeReport, other: NodeReport): boolean {
  const folderOf = ({ dataDir }: NodeReport) => /^(.*) #\d+$/.exec(dataDir)?.[1];
  const folder = folderOf(one);
  return (
    folder !== undefined &&
    folder === folderOf(other) &&
    one.host === other.host &&
    one.address === other.address
  );
}
