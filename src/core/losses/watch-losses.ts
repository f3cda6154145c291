import type { Changes } from '../cluster/changes.ts';
import { type Language, translate } from '../i18n/translate.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { toNumber } from '../kernel/decimal.ts';
import type { ChannelNotices } from '../notices/channel-notices.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { BalanceReading, Channel, ChannelMargin, Storage } from '../storage/storage.ts';
import { splitList } from '../upstream/channel.ts';
import { readChannelCost } from '../upstream/rules/channel-cost.ts';
import { channelStatuses } from '../vocabulary/statuses.ts';
import { lastFall } from './balances.ts';
import { findLosses, isLoss, type WatchedBalance } from './find-losses.ts';
import type { TellLosses } from './tell-losses.ts';

export interface WatchLossesDeps {
  readonly storage: Pick<Storage, 'channels' | 'losses' | 'quotaData'>;
  readonly options: Pick<OptionStore, 'get'>;
  readonly losses: TellLosses;
  readonly notices: Pick<ChannelNotices, 'disabled' | 'modelStopped'>;
  readonly changes: Changes;
  readonly siteLanguage: () => Language;
  readonly clock: Clock;
}

const hour = 3600;
const day = 24 * hour;
/** Seconds for which readings are kept, and those of which the pace is taken. */
const readingsKept = 30 * day;
const paceSpan = 7 * day;
/** Seconds after which a loss that no request shows any more is over. */
const quietSpan = 7 * day;
/** Thousandths of a quota in a quota. */
const perQuota = 1000;

/**
 * Looks for losses of the last 24 hours and at the balances of upstreams
 * (docs/rules/losses.md#found), and stops what earns too little, where the site says so.
 */
export function createWatchLosses(deps: WatchLossesDeps): () => Promise<void> {
  const { storage, options, clock } = deps;

  /** Of whole hours from that of `from` to that of `to`, both inclusive. */
  const marginsBetween = (from: number, to: number) =>
    storage.quotaData.listMargins({
      starts: [from - (from % hour)],
      end: to - (to % hour) + hour,
    });

  const quotaPerUnit = () => options.get('QuotaPerUnit');

  /** What was booked in the upstream's currency; undefined: not all of it is known. */
  const bookedFor = async (
    channel: Channel,
    { from, to }: { readonly from: number; readonly to: number },
  ): Promise<number | undefined> => {
    const rate = readChannelCost(channel.cost)?.rate;
    if (rate === undefined) return undefined;
    const own = (await marginsBetween(from, to)).filter(
      ({ channelId }) => channelId === channel.id,
    );
    if (own.some(({ count, costedCount }) => costedCount < count)) return undefined;
    const cost = own.reduce((sum, margin) => sum + margin.cost, 0);
    return (cost / perQuota / quotaPerUnit()) * toNumber(rate);
  };

  const readBalances = async (
    channels: ReadonlyMap<number, Channel>,
    now: number,
  ): Promise<readonly WatchedBalance[]> => {
    await storage.losses.prune(now - readingsKept);
    const byChannel = new Map<number, BalanceReading[]>();
    for (const reading of await storage.losses.readings(now - paceSpan)) {
      const known = byChannel.get(reading.channelId);
      if (known === undefined) byChannel.set(reading.channelId, [reading]);
      else known.push(reading);
    }
    const watched: WatchedBalance[] = [];
    for (const [id, readings] of byChannel) {
      const channel = channels.get(id);
      const last = readings.at(-1);
      const fall = lastFall(readings);
      if (channel === undefined || last === undefined || fall === undefined) continue;
      watched.push({ last, fall, booked: await bookedFor(channel, fall) });
    }
    return watched;
  };

  const stopChannel = async (channel: Channel, reason: string, now: number): Promise<void> => {
    const { enabled, disabled } = channelStatuses;
    // Not "automatically disabled": tests would enable it again, and they do not see what it costs.
    if (!(await storage.channels.setStatus(channel.id, enabled, disabled, { reason, time: now })))
      return;
    await deps.changes.announce('channels', channel.id);
    deps.notices.disabled(channel, reason);
  };

  const stopModel = async (channel: Channel, model: string, reason: string, now: number) => {
    const models = splitList(channel.models);
    const rest = models.filter((name) => name !== model);
    if (rest.length === models.length) return;
    if (rest.length === 0) return stopChannel(channel, reason, now);
    await storage.channels.update(channel.id, { models: rest.join(',') });
    await deps.changes.announce('channels', channel.id);
    deps.notices.modelStopped(channel, model, reason);
  };

  const stopLosing = async (
    margins: readonly ChannelMargin[],
    channels: ReadonlyMap<number, Channel>,
    now: number,
  ): Promise<void> => {
    const stop = options.get('losses.stop');
    if (stop === 'none') return;
    const least = options.get('losses.stop_margin') / 100;
    const sums = new Map<
      string,
      Pick<ChannelMargin, 'channelId' | 'modelName' | 'cost' | 'costedQuota'>
    >();
    for (const { channelId, modelName: model, cost, costedQuota } of margins) {
      const modelName = stop === 'model' ? model : '';
      const known = sums.get(`${channelId} ${modelName}`);
      sums.set(`${channelId} ${modelName}`, {
        channelId,
        modelName,
        cost: cost + (known?.cost ?? 0),
        costedQuota: (costedQuota + (known?.costedQuota ?? 0)) as typeof costedQuota,
      });
    }
    for (const { channelId, modelName, cost, costedQuota } of sums.values()) {
      // What would have to be earned for the least margin counts as the cost.
      const needed = least < 1 ? cost / (1 - least) : Number.POSITIVE_INFINITY;
      if (cost === 0 || !isLoss({ cost: needed, costedQuota }, quotaPerUnit())) continue;
      // A stop before it takes effect at once: read again what it stops.
      const channel = channels.has(channelId) ? await storage.channels.find(channelId) : null;
      if (channel === null) continue;
      const percent = 100 - (cost / perQuota / costedQuota) * 100;
      const share = costedQuota === 0 ? '−∞' : percent.toFixed(1);
      const reason = translate(deps.siteLanguage(), 'reason.margin', { share });
      if (stop === 'channel') await stopChannel(channel, reason, now);
      else await stopModel(channel, modelName, reason, now);
    }
  };

  return async () => {
    const now = nowSeconds(clock);
    const enabled = await storage.channels.listAllEnabled();
    const channels = new Map(enabled.map((channel) => [channel.id, channel]));
    const margins = await marginsBetween(now - day + hour, now);
    const found = findLosses({
      margins,
      channels: new Map(
        enabled.map(({ id, cost }) => [id, { id, namesCost: readChannelCost(cost) !== undefined }]),
      ),
      balances: await readBalances(channels, now),
      balanceDays: options.get('losses.balance_days'),
      quotaPerUnit: quotaPerUnit(),
    });
    const served = new Set(margins.map(({ channelId, modelName }) => `${channelId} ${modelName}`));
    const busy = new Set(margins.map(({ channelId }) => channelId));
    await deps.losses.update(['below_cost', 'unknown_cost'], found.filter(isOfMargins), (loss) => {
      const { channelId, modelName, seen } = loss;
      const isShown =
        modelName === '' ? busy.has(channelId) : served.has(`${channelId} ${modelName}`);
      return isShown || !channels.has(channelId) || now - seen > quietSpan;
    });
    await deps.losses.update(
      ['balance', 'billed_more'],
      found.filter((loss) => !isOfMargins(loss)),
    );
    await stopLosing(margins, channels, now);
  };
}

function isOfMargins({ kind }: { readonly kind: string }): boolean {
  return kind === 'below_cost' || kind === 'unknown_cost';
}
