import { thinkingIntoReply, thinkingIntoStream } from '../../canonical/kit/thinking-to-content.ts';
import type { OperationAdapter } from '../../canonical/provider.ts';
import type { ChannelRules } from '../../upstream/rules/index.ts';
import type { WireFormat } from '../../vocabulary/wire-formats.ts';

type ChatAdapter = OperationAdapter<'chat'>;

/** `setting.thinking_to_content` for chat callers, whichever vendor thought; other wires have a place for thinking. */
export function withThinkingAsText(adapter: ChatAdapter, format: WireFormat, rules: ChannelRules): ChatAdapter {
  if (!rules.thinkingToContent || format !== 'openai-chat') return adapter;
  const { decode, createStreamDecoder: create } = adapter;
  return {
    ...adapter,
    decode: (...reply) => thinkingIntoReply(decode.apply(adapter, reply)),
    ...(create === undefined
      ? {}
      : { createStreamDecoder: (...question) => thinkingIntoStream(create.apply(adapter, question)) }),
  };
}
