/** Models of channels that have no price (docs/rules/losses.md#unpriced). Pure. */
import type { Language } from '../i18n/translate.ts';
import { findPrice } from '../pricing/find-price.ts';
import type { PriceTables } from '../pricing/tables.ts';
import type { UpstreamChannel } from '../upstream/channel.ts';
import type { ChannelMark } from '../vocabulary/loss-kinds.ts';
import { channelLabel, lossText } from './loss-words.ts';
import type { KnownLoss } from './tell-losses.ts';

/** A loss that lasts, or what is shown beside one. */
export interface ShownLoss extends Omit<KnownLoss, 'kind'> {
  readonly kind: ChannelMark;
}

/** Names that a text has. */
const named = 5;

/** Each channel with models that cannot be called for want of a price. */
export function unpricedModels(
  channels: Iterable<Pick<UpstreamChannel, 'id' | 'name' | 'models'>>,
  prices: PriceTables,
  language: Language,
): readonly ShownLoss[] {
  const found: ShownLoss[] = [];
  for (const { id, name, models } of channels) {
    const without = models.filter((model) => findPrice(model, prices) === undefined);
    if (without.length === 0) continue;
    const loss = {
      kind: 'unpriced' as const,
      channelId: id,
      model: without.length === 1 ? (without[0] ?? '') : '',
      figures: {
        count: without.length,
        all: models.length,
        models: [
          ...without.slice(0, named),
          ...(without.length > named ? [`+${without.length - named}`] : []),
        ].join(', '),
      },
    };
    const text = lossText(loss, channelLabel(id, name), language);
    found.push({ ...loss, channelName: name, since: 0, text });
  }
  return found;
}
