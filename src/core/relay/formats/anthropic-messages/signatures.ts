import type { ReasoningPart } from '../../../canonical/chat.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../kernel/json.ts';
import { isList } from '../../../upstream/rules/json-path.ts';
import type { BodyEdits, RequestBody } from '../../body/request-body.ts';
import { editList, editMember, editTurns } from '../shared/edit-lists.ts';

const thinkingBlocks: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking']);

/**
 * Whether the conversation ends with results of tool calls. Claude insists on the thinking before
 * the calls they belong to.
 */
function endsWithToolResults(messages: JsonValue | undefined): boolean {
  const last = isList(messages) ? messages.at(-1) : undefined;
  const content = isObject(last) ? (last as JsonObject).content : undefined;
  return (
    isList(content) && content.some((block) => isObject(block) && block.type === 'tool_result')
  );
}

/**
 * Takes out the blocks of thinking. In the middle of tool calls thinking is switched off until they
 * are answered.
 */
export function withoutThinking(body: RequestBody): BodyEdits {
  const messages = body.get('messages');
  const stripped = editList(messages, (message) =>
    editMember(message, 'content', (block) => (thinkingBlocks.has(block.type) ? undefined : block)),
  );
  const thinking = body.get('thinking');
  const stops =
    isObject(thinking) && thinking['type'] === 'enabled' && endsWithToolResults(messages);
  return {
    ...(stripped === messages ? {} : { messages: stripped }),
    // `context_management` may ask to clear thinking, which is refused where thinking is off.
    ...(stops ? { thinking: undefined, context_management: undefined } : {}),
  };
}

function thinkingBlock({ text, signature = '', redacted }: ReasoningPart): JsonObject {
  return redacted === undefined
    ? { type: 'thinking', thinking: text, signature }
    : { type: 'redacted_thinking', data: redacted };
}

/** Thinking comes before what followed from it. */
export function withThinking(
  body: RequestBody,
  turns: readonly (readonly ReasoningPart[])[],
): BodyEdits {
  return editTurns(body.get('messages'), turns, (message, thoughts) => {
    const { content } = message;
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    return {
      ...message,
      content: [...thoughts.map(thinkingBlock), ...(isList(blocks) ? blocks : [])],
    };
  });
}
