/** Notices to the owner about channels (docs/rules/routing.md#auto-disable). */
import {
  type Language,
  type MessageKey,
  type MessageParams,
  translate,
} from '../i18n/translate.ts';
import { channelStatuses } from '../vocabulary/statuses.ts';
import type { RootNotices } from './notify-root.ts';

interface NamedChannel {
  readonly id: number;
  readonly name: string;
}

interface EndingNotice {
  readonly model: string;
  /** `2026-11-30`. */
  readonly ends: string;
  readonly successor?: string;
  readonly channels: readonly NamedChannel[];
}

/** A change that was adopted, or waits to be confirmed. */
interface ChangedModel {
  readonly model: string;
  readonly kind: 'new' | 'price' | 'end' | 'facts' | 'gone';
  readonly adopted: boolean;
}

/** Models that a notice names. */
const mostNamed = 50;

export interface ChannelNotices {
  /** The gateway disabled the channel automatically. */
  disabled(channel: NamedChannel, reason: string): void;
  /** The gateway enabled the channel again. */
  enabled(channel: NamedChannel): void;
  /** A model was taken off a channel, because it earned too little. */
  modelStopped(channel: NamedChannel, model: string, reason: string): void;
  /** The test of all channels has finished. */
  testFinished(): void;
  /** Models of enabled channels end at their vendors. `ended`: as {@link RootNotices.notify}. */
  modelsEnd(models: readonly EndingNotice[], ended: (isSent: boolean) => Promise<void>): void;
  /** Lists of models say what was not known. `ended`: as {@link RootNotices.notify}. */
  modelsChanged(changes: readonly ChangedModel[], ended: (isSent: boolean) => Promise<void>): void;
}

export function createChannelNotices(
  root: Pick<RootNotices, 'notify'>,
  siteLanguage: () => Language,
): ChannelNotices {
  const words = (key: MessageKey, params?: MessageParams) => translate(siteLanguage(), key, params);
  const send = (
    type: string,
    title: string,
    text: string,
    ended?: (isSent: boolean) => Promise<void>,
  ) => root.notify({ type, title, content: '{{value}}', values: [text] }, ended);
  return {
    disabled: ({ id, name }, reason) => {
      const title = words('notice.channel_disabled', { id, name });
      send(
        `channel_update_${id}_${channelStatuses.autoDisabled}`,
        title,
        words('notice.reason', { title, reason }),
      );
    },
    enabled: ({ id, name }) => {
      const title = words('notice.channel_enabled', { id, name });
      send(`channel_update_${id}_${channelStatuses.enabled}`, title, title);
    },
    modelStopped: ({ id, name }, model, reason) => {
      const title = words('notice.model_stopped', { id, name, model });
      send(`loss_stopped_${id}_${model}`, title, words('notice.reason', { title, reason }));
    },
    testFinished: () =>
      send('channel_test', words('notice.test_finished'), words('notice.test_finished.content')),
    modelsChanged: (changes, ended) => {
      const named = changes.slice(0, mostNamed);
      const lines = named.map(({ model, kind, adopted }) =>
        words(adopted ? 'notice.models_changed.adopted' : 'notice.models_changed.waits', {
          model,
          kind: words(`notice.models_changed.${kind}`),
        }),
      );
      const title = words('notice.models_changed', { count: changes.length });
      const text = [...lines, words('notice.models_changed.content')].join('\n');
      send('models_changed', title, text, ended);
    },
    modelsEnd: (models, ended) => {
      const lines = models.map(({ model, ends, successor = '', channels }) => {
        const names = channels.map(({ id, name }) => `#${id} ${name}`).join(', ');
        return words('notice.model_ends.line', { model, ends, successor, channels: names });
      });
      send(
        'model_ends',
        words('notice.model_ends', { models: models.map(({ model }) => model).join(', ') }),
        [...lines, words('notice.model_ends.content')].join('\n'),
        ended,
      );
    },
  };
}
