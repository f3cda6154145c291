import { thinkingIntoReply, thinkingIntoStream } from '../../canonical/kit/thinking-to-content.ts';
import type { OperationAdapter } from '../../canonical/provider.ts';
import type { ChannelRules } from '../../upstream/rules/index.ts';
import type { ConversationFormat } from '../formats/shared/caller-format.ts';

type ChatAdapter = OperationAdapter<'chat'>;

/** `setting.thinking_to_content`, for formats whose callers may have no place for thinking. */
export function withThinkingAsText(
  adapter: ChatAdapter,
  format: ConversationFormat,
  rules: ChannelRules,
): ChatAdapter {
  if (!rules.thinkingToContent || format.readsThinkingInText !== true) return adapter;
  const { decode, createStreamDecoder: create } = adapter;
  return {
    ...adapter,
    decode: (...reply) => thinkingIntoReply(decode.apply(adapter, reply)),
    ...(create === undefined
      ? {}
      : {
          createStreamDecoder: (...question) => thinkingIntoStream(create.apply(adapter, question)),
        }),
  };
}
