import { lockUser } from '../accounts/sign-in/remaining-method.ts';
import type { Commit } from '../audit/commit.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import { parseObject } from '../kernel/json.ts';
import type { ServiceModule } from '../runtime/service-module.ts';
import type { PlaygroundItem, PlaygroundItemKind, Storage } from '../storage/storage.ts';

export type KeptItem = PlaygroundItem;

export interface PlaygroundModuleDeps {
  readonly storage: Pick<Storage, 'playgroundItems'>;
  readonly commit: Commit;
  readonly clock: Clock;
}

/** What a user's playground keeps on the server (docs/rules/console.md#kept-items). */
export interface PlaygroundItems {
  /** The last changed first. */
  list(userId: number, kind: PlaygroundItemKind): Promise<readonly KeptItem[]>;
  /**
   * Keeps an item, in place of the one with this id. Throws AppError playground_full beyond the
   * limits, chat_history_off for a conversation of a user who keeps none on the server, not_found
   * for a user who is gone.
   */
  put(userId: number, kind: PlaygroundItemKind, itemId: string, content: string): Promise<KeptItem>;
  /** Throws AppError not_found. */
  remove(userId: number, kind: PlaygroundItemKind, itemId: string): Promise<void>;
}

/** Items and bytes of a user. */
const limits: Readonly<Record<PlaygroundItemKind, { most: number; bytes: number }>> = {
  prompt: { most: 200, bytes: 2_000_000 },
  chat: { most: 200, bytes: 20_000_000 },
};

export function createPlaygroundModule({
  storage,
  commit,
  clock,
}: PlaygroundModuleDeps): ServiceModule<PlaygroundItems> {
  const { playgroundItems } = storage;
  return {
    services: {
      list: (userId, kind) => playgroundItems.list({ userId, kind }),
      put: (userId, kind, itemId, content) =>
        commit(async (inside) => {
          // Of two that are kept at the same time, each counts the other.
          await lockUser(inside, userId);
          const user = await inside.users.find(userId);
          if (user === null || user.deletedAt !== null) throw new AppError('not_found');
          if (kind === 'chat' && parseObject(user.setting)?.['playground_history'] !== true)
            throw new AppError('chat_history_off');
          const size = Buffer.byteLength(content);
          const shelf = { userId, kind };
          const others = await inside.playgroundItems.sumWithout(shelf, itemId);
          const { most, bytes } = limits[kind];
          if (others.count >= most || others.size + size > bytes)
            throw new AppError('playground_full', { max: most, mb: bytes / 1_000_000 });
          const item = { ...shelf, itemId, size, changedAt: clock.now(), content };
          await inside.playgroundItems.put(item);
          return item;
        }),
      remove: async (userId, kind, itemId) => {
        const isDeleted = await commit((inside) =>
          inside.playgroundItems.delete({ userId, kind }, itemId),
        );
        if (!isDeleted) throw new AppError('not_found');
      },
    },
  };
}
