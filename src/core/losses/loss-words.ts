import { type Language, translate } from '../i18n/translate.ts';
import { formatCost, type MoneyDisplay } from '../pricing/format.ts';
import type { ChannelMark } from '../vocabulary/loss-kinds.ts';
import type { Loss } from './find-losses.ts';

/** Figures that are quota. */
const quotaFigures: ReadonlySet<string> = new Set(['quota', 'cost']);

/** `#3 main`; '' for no channel. */
export function channelLabel(id: number, name: string | undefined): string {
  return id === 0 ? '' : name === undefined || name === '' ? `#${id}` : `#${id} ${name}`;
}

/** One sentence about a loss. `channel`: its {@link channelLabel}; `view`: of sums of money. */
export function lossText(
  loss: Omit<Loss, 'kind'> & { readonly kind: ChannelMark },
  channel: string,
  language: Language,
  view?: MoneyDisplay,
): string {
  const figures = Object.entries(loss.figures).map(([name, value]) => [
    name,
    view !== undefined && quotaFigures.has(name) && typeof value === 'number'
      ? formatCost(value, view).text
      : value,
  ]);
  return translate(language, `loss.${loss.kind}`, {
    channel,
    model: loss.model,
    ...Object.fromEntries(figures),
  });
}
