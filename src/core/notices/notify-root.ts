/**
 * Sends notices to the owner and to users as their settings say
 * (docs/rules/notices.md#notice-routes). Never throws.
 */
import type { Leases } from '../cluster/cluster.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError, errorTable } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { User } from '../storage/storage.ts';
import type { Upstream } from '../upstream/send.ts';
import { userStatuses } from '../vocabulary/statuses.ts';
import { pushMessage } from './message-pusher.ts';
import type { Notice } from './notice.ts';
import type { NoticeRoutes, SendNotice } from './notice-routes.ts';

export interface RootNotices {
  /**
   * Sends in the background; errors are logged. `ended`: with whether it was sent, which it is not
   * where it failed, nobody can receive it or there were too many of its type.
   */
  notify(notice: Notice, ended?: (isSent: boolean) => Promise<void> | void): void;
  /** The same to a user, without a limit. Nothing is sent to deactivated and deleted users. */
  notifyUser(userId: number, notice: Notice): void;
  /** Resolves when all pending notices are sent or have failed. */
  settled(): Promise<void>;
  /** Aborts pending notices. */
  close(): Promise<void>;
}

export interface RootNoticeDeps {
  readonly leases: Leases;
  readonly findRoot: () => Promise<User | null>;
  readonly findUser: (id: number) => Promise<User | null>;
  readonly options: Pick<OptionStore, 'get'>;
  readonly routes: NoticeRoutes;
  readonly upstream: Pick<Upstream, 'collect'>;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly ids: Ids;
  readonly logger: Logger;
  /** At most `count` of a type and subject in any span of `minutes`, over all processes. */
  readonly limit: { readonly count: number; readonly minutes: number };
}

/** Milliseconds between tries. */
const pauses = [15_000, 60_000];

export function createRootNotices(deps: RootNoticeDeps): RootNotices {
  const { leases, options, ids, logger, limit } = deps;
  const stopping = new AbortController();
  const pending = new Set<Promise<void>>();

  /** Takes one of `count` leases, each of which lasts for the whole span. */
  const takeLease = async ({ type, subject = '' }: Notice): Promise<boolean> => {
    const name = subject === '' ? type : `${type}.${subject}`;
    for (let slot = 1; slot <= limit.count; slot += 1) {
      if (await leases.acquire(`notice.${name}.${slot}`, ids.uuid(), limit.minutes * 60_000))
        return true;
    }
    return false;
  };

  /** Undefined: the owner has not configured any way to receive notices. */
  const senderFor = (root: User): SendNotice | undefined =>
    options.get('MessagePusherAddress') === ''
      ? deps.routes.find(root)
      : (notice, signal) => pushMessage(notice, options, deps.upstream, signal);

  /** For a mail server or a pusher that is away for a moment. */
  const sendWithTries = async (send: SendNotice, notice: Notice): Promise<void> => {
    for (let tried = 0; ; tried += 1) {
      try {
        return await send(notice, stopping.signal);
      } catch (error) {
        const pause = pauses[tried];
        if (pause === undefined || stopping.signal.aborted || !isWorthRetrying(error)) throw error;
        await deps.clock.sleep(pause, stopping.signal);
      }
    }
  };

  const deliver = async (notice: Notice): Promise<boolean> => {
    const root = await deps.findRoot();
    const send = root === null ? undefined : senderFor(root);
    const reason =
      send === undefined
        ? 'a notice was not sent: no recipient is configured'
        : 'a notice was not sent: rate limit';
    if (send === undefined || !(await takeLease(notice))) {
      logger.debug({ type: notice.type }, reason);
      return false;
    }
    await sendWithTries(send, notice);
    return true;
  };

  const deliverAndSay = async (
    notice: Notice,
    ended: (isSent: boolean) => Promise<void> | void,
  ): Promise<void> => {
    let isSent = false;
    try {
      isSent = await deliver(notice);
    } finally {
      await ended(isSent);
    }
  };

  const deliverToUser = async (userId: number, notice: Notice): Promise<void> => {
    const user = await deps.findUser(userId);
    if (user === null || user.deletedAt !== null || user.status !== userStatuses.active) return;
    const send = deps.routes.find(user);
    if (send !== undefined) await sendWithTries(send, notice);
  };

  const inBackground = (type: string, work: Promise<void>): void => {
    const sending: Promise<void> = work
      .catch((error: unknown) => logger.error({ error, type }, 'a notice could not be sent'))
      .finally(() => pending.delete(sending));
    pending.add(sending);
  };

  return {
    notify: (notice, ended = () => {}) => inBackground(notice.type, deliverAndSay(notice, ended)),
    notifyUser: (userId, notice) => inBackground(notice.type, deliverToUser(userId, notice)),
    settled: async () => {
      await Promise.all(pending);
    },
    close: async () => {
      stopping.abort(new Error('stopping'));
      await Promise.all(pending);
    },
  };
}

/** Errors in the settings stay; a webhook has tries of its own. */
function isWorthRetrying(error: unknown): boolean {
  return !(error instanceof AppError) || !errorTable[error.code].local;
}
