/**
 * Warns users whose balance fell below their threshold (docs/rules/notices.md#quota-warning). A
 * charge only notes the user in memory; a background job stores the notes and sends what is due.
 * The stored row makes a warning unique over all processes and restarts, and keeps it until it is
 * sent.
 */
import { type Language, translate } from '../i18n/translate.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { decimal } from '../kernel/decimal.ts';
import { parseObject } from '../kernel/json.ts';
import type { Logger } from '../kernel/logger.ts';
import { formatCost } from '../pricing/format.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { QuotaWarning, Storage, User } from '../storage/storage.ts';
import { userStatuses } from '../vocabulary/statuses.ts';
import type { Notice } from './notice.ts';
import type { NoticeRoutes, SendNotice } from './notice-routes.ts';
import { readWarningThreshold } from './notification-setting.ts';

export interface QuotaWarnings {
  /** A charge left the user below the threshold. Costs nothing but an entry in memory. */
  note(userId: number): void;
  /** Stores what was noted, then sends what is due. */
  run(signal: AbortSignal): Promise<void>;
  /** Stores what was noted. */
  save(): Promise<void>;
}

export interface QuotaWarningDeps {
  readonly storage: Pick<Storage, 'quotaWarnings' | 'users'>;
  readonly options: Pick<OptionStore, 'get'>;
  readonly routes: NoticeRoutes;
  readonly siteLanguage: () => Language;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Seconds between two warnings of a user. */
const pauseSeconds = 2 * 3600;
/** Seconds until the next try after each failure; then the warning is given up. */
const retrySeconds = [60, 300, 900, 1800, 3600];
/** A user is noted at most this often, in milliseconds. */
const quietMs = 60_000;
/** The same for users who cannot be reached. */
const unreachableMs = 600_000;
/** Warnings of one run, and how many are sent at the same time. */
const mostPerRun = 200;
const atOnce = 5;

export function createQuotaWarnings(deps: QuotaWarningDeps): QuotaWarnings {
  const { storage, options, clock, logger } = deps;
  const noted = new Set<number>();
  /**
   * Users noted recently, with the time until which they are not noted again. The oldest is first.
   */
  const quiet = new Map<number, number>();
  let lastPurge = 0;

  const save = async (): Promise<void> => {
    const users = [...noted];
    if (users.length === 0) return;
    const now = nowSeconds(clock);
    await storage.quotaWarnings.note(users, now, now - pauseSeconds + 1);
    for (const userId of users) noted.delete(userId);
  };

  const amountText = (quota: number): string => {
    const inCurrency = options.get('DisplayInCurrencyEnabled');
    const { text } = formatCost(quota, {
      inCurrency,
      quotaPerUnit: decimal(options.get('QuotaPerUnit')),
    });
    return inCurrency ? text.replace(/(\.\d\d\d*?)0+$/, '$1') : text;
  };

  const describe = (user: User, threshold: number): Notice => {
    const language = deps.siteLanguage();
    const site = options.get('SystemName');
    const address = options.get('ServerAddress');
    const link = address === '' ? undefined : `${address}/topup`;
    const place = '{{value}}';
    return {
      type: 'quota_exceed',
      title: translate(language, 'notice.quota', { site }),
      content: translate(language, 'notice.quota.content', {
        name: place,
        balance: place,
        threshold: place,
        ...(link !== undefined && { link: place }),
      }),
      values: [
        user.username,
        amountText(user.quota),
        amountText(threshold),
        ...(link === undefined ? [] : [link]),
      ],
      ...(link !== undefined && { link }),
    };
  };

  /**
   * Undefined: nothing to send, because the balance rose meanwhile or the user cannot be reached.
   */
  const prepare = async (
    userId: number,
  ): Promise<{ readonly notice: Notice; readonly send: SendNotice } | undefined> => {
    const user = await storage.users.find(userId);
    if (user === null || user.deletedAt !== null || user.status !== userStatuses.active)
      return undefined;
    const threshold =
      readWarningThreshold(parseObject(user.setting)) ?? options.get('QuotaRemindThreshold');
    const send = user.quota < threshold ? deps.routes.find(user) : undefined;
    return send && { notice: describe(user, threshold), send };
  };

  const deliver = async (warning: QuotaWarning, signal: AbortSignal): Promise<void> => {
    const prepared = await prepare(warning.userId);
    if (prepared === undefined) quiet.set(warning.userId, clock.now() + unreachableMs);
    // The row counts as sent before it is: a process that dies meanwhile sends nothing twice.
    const claimed = {
      ...warning,
      dueAt: 0,
      tries: 0,
      sentAt: prepared === undefined ? warning.sentAt : nowSeconds(clock),
    };
    if (!(await storage.quotaWarnings.change(warning, claimed)) || prepared === undefined) return;
    try {
      await prepared.send(prepared.notice, signal);
    } catch (error) {
      const pause = signal.aborted ? 0 : retrySeconds[warning.tries];
      logger.warn(
        { error, user: warning.userId, tries: warning.tries + 1 },
        'a quota warning could not be sent',
      );
      if (pause === undefined) return;
      const next = {
        dueAt: nowSeconds(clock) + pause,
        tries: warning.tries + (pause === 0 ? 0 : 1),
        sentAt: warning.sentAt,
      };
      await storage.quotaWarnings.change(claimed, next);
    }
  };

  /** One that fails before it can be sent holds up no other, and is not the first next time. */
  const postpone = async (warning: QuotaWarning, error: unknown): Promise<void> => {
    logger.error({ error, user: warning.userId }, 'a quota warning could not be made');
    const dueAt = nowSeconds(clock) + (retrySeconds[0] ?? 0);
    await storage.quotaWarnings.change(warning, { ...warning, dueAt });
  };

  const purge = async (now: number): Promise<void> => {
    for (const [userId, until] of quiet) if (until <= clock.now()) quiet.delete(userId);
    if (now - lastPurge < pauseSeconds) return;
    lastPurge = now;
    await storage.quotaWarnings.purge(now - pauseSeconds);
  };

  return {
    note: (userId) => {
      const now = clock.now();
      const until = quiet.get(userId) ?? 0;
      // A time far ahead is of a clock that was.
      if (until > now && until <= now + unreachableMs) return;
      quiet.set(userId, now + quietMs);
      noted.add(userId);
    },
    save,
    run: async (signal) => {
      await save();
      const now = nowSeconds(clock);
      const waiting = [...(await storage.quotaWarnings.due(now, mostPerRun))];
      const sendNext = async (): Promise<void> => {
        for (
          let warning = waiting.shift();
          warning !== undefined && !signal.aborted;
          warning = waiting.shift()
        ) {
          await deliver(warning, signal).catch((error: unknown) => postpone(warning, error));
        }
      };
      await Promise.all(Array.from({ length: atOnce }, sendNext));
      await purge(now);
    },
  };
}
