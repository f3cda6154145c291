/** Type 35 (docs/rules/providers.md#minimax-chat). */

import type { PassThrough } from '../../canonical/pass-through.ts';
import type { Provider } from '../../canonical/provider.ts';
import { forwardMessages } from '../anthropic-messages/forward.ts';
import { openaiCompatible } from '../openai-compatible/index.ts';
import type { OpenAiSettings } from '../openai-compatible/settings.ts';
import { minimaxAddress, minimaxRoot } from './address.ts';
import { editForMiniMax, fitTemperature, isAbab, rewriteChat, withMiniMaxReplies } from './chat.ts';
import { embedding } from './embedding.ts';
import { readMiniMaxFailure } from './failure.ts';
import { image } from './image.ts';
import { minimaxModels } from './models.ts';
import { minimaxSettings } from './settings.ts';
import { speech } from './speech.ts';

const messagesPassThrough = forwardMessages((call) =>
  isAbab(call.model) ? undefined : `${minimaxRoot(call)}/anthropic`,
);

const messages: PassThrough<OpenAiSettings> = {
  ...messagesPassThrough,
  target(fields, call) {
    const target = messagesPassThrough.target(fields, call);
    return (
      target && {
        ...target,
        edits: { ...target.edits, ...fitTemperature((name) => fields.get(name)) },
      }
    );
  },
};

const common = openaiCompatible({
  slug: 'minimax',
  channelTypes: [35],
  defaultBaseUrl: 'https://api.minimaxi.com',
  keyFormat: { example: 'eyJ… or sk-…' },
  settings: minimaxSettings,
  models: minimaxModels,
  without: ['completion'],
  address: (task, call) =>
    minimaxAddress(task === 'models' ? '/v1/models' : '/v1/text/chatcompletion_v2', call),
  edit: editForMiniMax,
  developerRole: false,
  rewrite: rewriteChat,
  passThrough: [messages],
  operations: { embedding, image, speech },
  readFailure: readMiniMaxFailure,
});

const { chat } = common.operations;

export const minimax: Provider<OpenAiSettings> = {
  ...common,
  operations: {
    ...common.operations,
    chat: chat === undefined ? undefined : withMiniMaxReplies(chat),
  },
};
