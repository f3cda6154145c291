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
   * What was found of these kinds now: root gets a notice of what is new, and what is over is
   * forgotten, so that there is another one when it comes back. A notice that did not reach root is
   * sent again by the next call, of whichever kinds. `isOver`: of one that was not found; over at once unless given.
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

  /** Names of losses whose notice is on its way, and of those of which this process has sent one. */
  const onTheWay = new Set<string>();
  const sent = new Set<string>();

  const markSent = async (names: readonly string[]): Promise<void> => {
    for (const name of names) sent.add(name);
    for (const loss of await storage.losses.list())
      if (names.includes(loss.name)) await storage.losses.put({ ...loss, detail: figuresOf(loss) });
  };

  const tell = async (kind: LossKind, losses: readonly Loss[]): Promise<void> => {
    const names = losses.map(nameOf);
    const lines = (await withNames(losses, siteLanguage())).map(({ text }) => text);
    // Another look may have begun meanwhile.
    if (names.some((name) => onTheWay.has(name))) return;
    for (const name of names) onTheWay.add(name);
    const notice = {
      type: `loss_${kind}`,
      title: translate(siteLanguage(), `notice.loss_${kind}`),
      content: '{{value}}',
      values: [lines.join('\n')],
    };
    deps.notices.notify(notice, (isSent) => {
      for (const name of names) onTheWay.delete(name);
      return isSent ? markSent(names) : undefined;
    });
  };

  /** Sends what root has not got, these kinds first. */
  const sendWaiting = async (kinds: readonly LossKind[]): Promise<void> => {
    const waiting = (await storage.losses.list()).filter(
      (loss) => isUnsent(loss) && !sent.has(loss.name) && !onTheWay.has(loss.name),
    );
    for (const kind of new Set([...kinds, ...waiting.map((loss) => loss.kind)])) {
      const losses = waiting.filter((loss) => loss.kind === kind).map(read);
      if (losses.length > 0) await tell(kind, losses);
    }
  };

  return {
    update: async (kinds, found, isOver = () => true) => {
      const now = nowSeconds(deps.clock);
      const stored = (await storage.losses.list()).filter(({ kind }) => kinds.includes(kind));
      const known = new Map(stored.map((loss) => [loss.name, loss]));
      const names = new Set(found.map(nameOf));
      for (const loss of found) {
        const name = nameOf(loss);
        const before = known.get(name);
        if (before === undefined) sent.delete(name);
        const unsent = !sent.has(name) && (before === undefined || isUnsent(before));
        await storage.losses.put({
          name,
          kind: loss.kind,
          channelId: loss.channelId,
          modelName: loss.model,
          detail: JSON.stringify({ ...loss.figures, ...(unsent && { unsent }) }),
          since: before?.since ?? now,
          seen: now,
        });
      }
      const over = stored.filter((loss) => !names.has(loss.name) && isOver(loss));
      await storage.losses.remove(over.map(({ name }) => name));
      await sendWaiting(kinds);
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

function isUnsent({ detail }: StoredLoss): boolean {
  return parseObject(detail)?.['unsent'] === true;
}

function figuresOf({ detail }: StoredLoss): string {
  const { unsent: _, ...figures } = parseObject(detail) ?? {};
  return JSON.stringify(figures);
}

function read(loss: StoredLoss): Loss {
  const { kind, channelId, modelName } = loss;
  const figures = (parseObject(figuresOf(loss)) ?? {}) as Loss['figures'];
  return { kind, channelId, model: modelName, figures };
}
