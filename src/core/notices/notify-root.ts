/** Notices to the owner, by the ways the owner chose (docs/rules/notices.md#notice-routes). Never fails its caller. */
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
  /** Sends in the background; what goes wrong is logged. */
  notify(notice: Notice): void;
  /** Resolves when everything under way was sent or given up. */
  settled(): Promise<void>;
  /** Gives up what is under way. */
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
  const underWay = new Set<Promise<void>>();

  /** Each of `count` places is taken for as long as the span lasts. */
  const takePlace = async (type: string): Promise<boolean> => {
    for (let place = 1; place <= limit.count; place += 1) {
      if (await leases.acquire(`notice.${type}.${place}`, ids.uuid(), limit.minutes * 60_000)) return true;
    }
    return false;
  };

  /** Undefined: the owner has named no way to be reached. */
  const wayTo = (root: User, notice: Notice): Send | undefined => {
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
    const send = root === null ? undefined : wayTo(root, notice);
    if (send === undefined) return logger.debug({ type: notice.type }, 'a notice has nowhere to go');
    if (!(await takePlace(notice.type))) return logger.debug({ type: notice.type }, 'a notice was held back by the limit');
    await send(stopping.signal);
  };

  return {
    notify: (notice) => {
      const sending: Promise<void> = deliver(notice)
        .catch((error: unknown) => logger.error({ error, type: notice.type }, 'a notice could not be sent'))
        .finally(() => underWay.delete(sending));
      underWay.add(sending);
    },
    settled: async () => {
      await Promise.all(underWay);
    },
    close: async () => {
      stopping.abort(new Error('stopping'));
      await Promise.all(underWay);
      await deps.webhooks.close();
    },
  };
}
