import { recordOf, recordsOf, textOf } from '../../canonical/kit/read-json.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { changeChoices, rewriteReplies } from '../openai-compatible/rewrite.ts';

const serverGaveUp = 'insufficient_system_resource';

function asStop(choice: JsonObject): JsonObject {
  return choice.finish_reason === serverGaveUp ? { ...choice, finish_reason: 'stop' } : choice;
}

/** Whether the server gave up before it generated anything. */
function isEmptyReply(body: JsonObject): boolean {
  const choices = recordsOf(body.choices);
  const hasContent = (choice: Readonly<Record<string, unknown>>) => {
    const message = recordOf(choice.message);
    const words = textOf(message?.content) ?? textOf(message?.reasoning_content);
    return words !== undefined || recordsOf(message?.tool_calls).length > 0;
  };
  return (
    choices.length > 0 &&
    choices.every(
      (choice) => choice.finish_reason === serverGaveUp && choice.message && !hasContent(choice),
    )
  );
}

/**
 * Clients do not know DeepSeek's finish reason of an overloaded server: it becomes a stop, or an
 * error where nothing was generated (docs/rules/providers.md#deepseek).
 */
export const rewrite = rewriteReplies([serverGaveUp], (body) =>
  isEmptyReply(body)
    ? { error: { message: serverGaveUp, type: 'overloaded_error', code: serverGaveUp } }
    : changeChoices(body, asStop),
);
