/** Sends notices to the owner as the owner's settings say (docs/rules/notices.md#notice-routes). Never throws. */
import type { Leases } from '../cluster/cluster.ts';
import type { Ids } from '../kernel/ids.ts';
import { parseObject } from '../kernel/json.ts';
import type { Logger } from '../kernel/logger.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { User } from '../storage/storage.ts';
import type { Upstream } from '../upstream/send.ts';
import type { Mailer } from './mail.ts';
import { pushMessage } from './message-pusher.ts';
import { escapeHtml, fillContent, type Notice } from './notice.ts';
import type { Webhooks } from './webhook.ts';

export interface RootNotices {
  /** Sends in the background; errors are logged. */
  notify(notice: Notice): void;
  /** Resolves when all pending notices are sent or have failed. */
  settled(): Promise<void>;
  /** Aborts pending notices. */
  close(): Promise<void>;
}

export interface RootNoticeDeps {
  readonly leases: Leases;
  readonly findRoot: () => Promise<User | null>;
  readonly options: Pick<OptionStore, 'get'>;
  readonly mailer: Mailer;
  readonly webhooks: Webhooks;
  readonly upstream: Pick<Upstream, 'collect'>;
  readonly ids: Ids;
  readonly logger: Logger;
  /** At most `count` of a type in any span of `minutes`, over all processes. */
  readonly limit: { readonly count: number; readonly minutes: number };
}

type Send = (signal: AbortSignal) => Promise<void>;

export function createRootNotices(deps: RootNoticeDeps): RootNotices {
  const { leases, options, ids, logger, limit } = deps;
  const stopping = new AbortController();
  const pending = new Set<Promise<void>>();

  /** Takes one of `count` leases, each of which lasts for the whole span. */
  const takeLease = async (type: string): Promise<boolean> => {
    for (let slot = 1; slot <= limit.count; slot += 1) {
      if (await leases.acquire(`notice.${type}.${slot}`, ids.uuid(), limit.minutes * 60_000)) return true;
    }
    return false;
  };

  /** Undefined: the owner has not configured any way to receive notices. */
  const senderFor = (root: User, notice: Notice): Send | undefined => {
    if (options.get('MessagePusherAddress') !== '') return (signal) => pushMessage(notice, options, deps.upstream, signal);
    const setting = parseObject(root.setting) ?? {};
    const textOf = (name: string) => (typeof setting[name] === 'string' ? setting[name].trim() : '');
    if (textOf('notify_type') === 'webhook') {
      const target = { url: textOf('webhook_url'), secret: textOf('webhook_secret') };
      return target.url === '' ? undefined : (signal) => deps.webhooks.post(notice, target, signal);
    }
    const address = textOf('notification_email') || root.email;
    if (address === '' || options.get('SMTPServer') === '') return undefined;
    return () => deps.mailer.send(address, notice.title, fillContent(notice, escapeHtml));
  };

  const deliver = async (notice: Notice): Promise<void> => {
    const root = await deps.findRoot();
    const send = root === null ? undefined : senderFor(root, notice);
    if (send === undefined) return logger.debug({ type: notice.type }, 'a notice was not sent: no recipient is configured');
    if (!(await takeLease(notice.type))) return logger.debug({ type: notice.type }, 'a notice was not sent: rate limit');
    await send(stopping.signal);
  };

  return {
    notify: (notice) => {
      const sending: Promise<void> = deliver(notice)
        .catch((error: unknown) => logger.error({ error, type: notice.type }, 'a notice could not be sent'))
        .finally(() => pending.delete(sending));
      pending.add(sending);
    },
    settled: async () => {
      await Promise.all(pending);
    },
    close: async () => {
      stopping.abort(new Error('stopping'));
      await Promise.all(pending);
      await deps.webhooks.close();
    },
  };
}
