import { type Language, translate } from '../i18n/translate.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { decimal } from '../kernel/decimal.ts';
import { parseObject } from '../kernel/json.ts';
import type { RootNotices } from '../notices/notify-root.ts';
import type { MoneyDisplay } from '../pricing/format.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Storage, StoredLoss } from '../storage/storage.ts';
import type { LossKind } from '../vocabulary/loss-kinds.ts';
import type { Loss } from './find-losses.ts';
import { channelLabel, lossText } from './loss-words.ts';

export interface TellLossesDeps {
  readonly storage: Pick<Storage, 'losses' | 'channels'>;
  readonly options: Pick<OptionStore, 'get'>;
  readonly notices: Pick<RootNotices, 'notify'>;
  readonly siteLanguage: () => Language;
  readonly clock: Clock;
}

/** A loss that lasts. */
export interface KnownLoss extends Loss {
  readonly channelName: string;
  /** Unix seconds. */
  readonly since: number;
  readonly text: string;
}

export interface TellLosses {
  /**
   * What was found of these kinds now: root is told what is new, and what is over is forgotten, so
   * that it is told again when it comes back. `isOver`: of one that was not found; over at once
   * unless given.
   */
  update(
    kinds: readonly LossKind[],
    found: readonly Loss[],
    isOver?: (loss: StoredLoss) => boolean,
  ): Promise<void>;
  /** Those that last, those that began first, first. */
  list(language: Language): Promise<readonly KnownLoss[]>;
}

export function createTellLosses(deps: TellLossesDeps): TellLosses {
  const { storage, options, siteLanguage } = deps;

  const view = (): MoneyDisplay => ({
    inCurrency: options.get('DisplayInCurrencyEnabled'),
    quotaPerUnit: decimal(options.get('QuotaPerUnit')),
  });

  const withNames = async (losses: readonly Loss[], language: Language) => {
    const names = await storage.channels.names([
      ...new Set(losses.map(({ channelId }) => channelId)),
    ]);
    return losses.map((loss) => {
      const name = names.get(loss.channelId);
      const text = lossText(loss, channelLabel(loss.channelId, name), language, view());
      return { ...loss, channelName: name ?? '', text };
    });
  };

  const tell = async (kind: LossKind, losses: readonly Loss[]): Promise<void> => {
    if (losses.length === 0) return;
    const lines = (await withNames(losses, siteLanguage())).map(({ text }) => text);
    deps.notices.notify({
      type: `loss_${kind}`,
      title: translate(siteLanguage(), `notice.loss_${kind}`),
      content: '{{value}}',
      values: [lines.join('\n')],
    });
  };

  return {
    update: async (kinds, found, isOver = () => true) => {
      const now = nowSeconds(deps.clock);
      const stored = (await storage.losses.list()).filter(({ kind }) => kinds.includes(kind));
      const known = new Map(stored.map((loss) => [loss.name, loss]));
      const names = new Set(found.map(nameOf));
      for (const loss of found)
        await storage.losses.put({
          name: nameOf(loss),
          kind: loss.kind,
          channelId: loss.channelId,
          modelName: loss.model,
          detail: JSON.stringify(loss.figures),
          since: known.get(nameOf(loss))?.since ?? now,
          seen: now,
        });
      const over = stored.filter((loss) => !names.has(loss.name) && isOver(loss));
      await storage.losses.remove(over.map(({ name }) => name));
      for (const kind of kinds)
        await tell(
          kind,
          found.filter((loss) => loss.kind === kind && !known.has(nameOf(loss))),
        );
    },
    list: async (language) => {
      const stored = await storage.losses.list();
      const named = await withNames(stored.map(read), language);
      return named.map((loss, index) => ({ ...loss, since: stored[index]?.since ?? 0 }));
    },
  };
}

function nameOf({ kind, channelId, model }: Loss): string {
  return `${kind} ${channelId} ${model}`;
}

function read({ kind, channelId, modelName, detail }: StoredLoss): Loss {
  return {
    kind,
    channelId,
    model: modelName,
    figures: (parseObject(detail) ?? {}) as Loss['figures'],
  };
}
