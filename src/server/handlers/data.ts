/** The figures of the dashboard (docs/rules/usage-logs.md#hourly-sums). */

import type { App } from '../../core/app.ts';
import type { dataApi, Margin } from '../../core/contract/data.ts';
import { AppError } from '../../core/kernel/errors.ts';
import type { z } from '../../core/kernel/zod.ts';
import { presentQuotaData } from '../../core/logs/present-log.ts';
import type { MarginSum } from '../../core/logs/usage-summary.ts';
import { isAdmin } from '../../core/vocabulary/roles.ts';
import { actorOf, type CallContext, type Handlers } from './context.ts';

const perQuota = 1000;

export function dataHandlers({ logs }: App): Handlers<typeof dataApi> {
  const readRange = (input: { start_timestamp: number; end_timestamp: number }) => ({
    from: input.start_timestamp || undefined,
    to: input.end_timestamp || undefined,
  });
  const summaryRange = ({
    by,
    zone,
    ...input
  }: z.output<(typeof dataApi)['margins']['input']>) => ({
    ...readRange(input),
    by,
    zone,
  });
  return {
    usage: async ({ scope, username, ...input }, context) => {
      const summary = await logs.summary(summaryRange(input), usageOf(context, scope, username));
      return {
        by: summary.by,
        starts: [...summary.starts],
        models: summary.models.map(({ modelName, spans, ...sums }) => ({
          model_name: modelName,
          ...sums,
          spans: { count: [...spans.count], quota: [...spans.quota], tokens: [...spans.tokens] },
        })),
        totals: summary.totals,
        before: summary.before,
        outcomes: summary.outcomes,
        balance: summary.balance && {
          opening: summary.balance.opening,
          closing: [...summary.balance.closing],
        },
      };
    },
    exportActivity: ({ scope, username, bom, zone, ...input }, context) =>
      logs.activity({
        range: { ...readRange(input), zone },
        of: usageOf(context, scope, username),
        bom,
        forAdmins: isAdmin(actorOf(context).role) && scope !== 'self',
      }),
    tags: async ({ scope, username, begins, ...input }, context) => {
      const range = summaryRange(input);
      const summary = await logs.tags(range, usageOf(context, scope, username), begins);
      return {
        ...summary,
        starts: [...summary.starts],
        tags: summary.tags.map(({ spans, ...sums }) => ({
          ...sums,
          spans: { count: [...spans.count], quota: [...spans.quota], tokens: [...spans.tokens] },
        })),
      };
    },
    exportTags: ({ scope, username, begins, bom, ...input }, context) =>
      logs.tagFile(summaryRange(input), usageOf(context, scope, username), { begins, bom }),
    margins: async (input) => {
      const { by, starts, totals, channels, spans } = await logs.margins(summaryRange(input));
      return {
        by,
        starts: [...starts],
        totals: presentMargin(totals),
        channels: channels.map(({ channelId, channel, models, ...sums }) => ({
          channel: channelId,
          name: channel?.name ?? '',
          type: channel?.type ?? 0,
          names_cost: (channel?.cost ?? '') !== '',
          ...presentMargin(sums),
          models: models.map(({ modelName, ...row }) => ({
            model_name: modelName,
            ...presentMargin(row),
          })),
        })),
        spans: spans.map(presentMargin),
      };
    },
    all: async ({ username, ...input }) =>
      (await logs.hourly(readRange(input), { username })).map(presentQuotaData),
    outcomes: ({ scope, ...input }, context) =>
      logs.outcomeSums({ ...readRange(input), ...usageOf(context, scope, '') }),
    self: async (input, context) =>
      (await logs.hourlyOf(actorOf(context).id, readRange(input))).map(presentQuotaData),
  };
}

/**
 * Whose usage a caller reads. Throws AppError forbidden where another user is named by somebody who
 * is no administrator.
 */
function usageOf(context: CallContext, scope: 'site' | 'self' | undefined, username: string) {
  const actor = actorOf(context);
  if (!isAdmin(actor.role)) {
    if (username !== '' && username !== actor.username) throw new AppError('forbidden');
    return { userId: actor.id };
  }
  if (username !== '') return { username };
  return { userId: scope === 'self' ? actor.id : undefined };
}

/** A cost that is not known is null, never 0. */
function presentMargin({
  count,
  quota,
  tokenUsed,
  cost,
  costedCount,
  costedQuota,
}: MarginSum): Margin {
  const sums = {
    count,
    quota: quota as number,
    tokens: tokenUsed,
    costed_quota: costedQuota as number,
    costed_count: costedCount,
  };
  if (costedCount === 0) return { ...sums, cost: null, margin: null, share: null };
  const margin = (costedQuota * perQuota - cost) / perQuota;
  return {
    ...sums,
    cost: cost / perQuota,
    margin,
    share: costedQuota === 0 ? null : margin / costedQuota,
  };
}
