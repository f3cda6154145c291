/**
 * Converts Converse's replies into Claude's form, so that one decoder serves both
 * (docs/rules/providers.md#bedrock-converse).
 */
import { asWritten } from '../../canonical/kit/anthropic-usage.ts';
import { type Loose, recordOf, recordsOf, textOf } from '../../canonical/kit/read-json.ts';

function readUsage(raw: unknown): Loose | undefined {
  const usage = recordOf(raw);
  if (usage === undefined) return undefined;
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cache_read_input_tokens: usage.cacheReadInputTokens,
    cache_creation_input_tokens: usage.cacheWriteInputTokens,
    [asWritten]: usage,
  };
}

function readBlock(block: Loose): Loose[] {
  if (typeof block.text === 'string') return [{ type: 'text', text: block.text }];
  const use = recordOf(block.toolUse);
  if (use !== undefined)
    return [{ type: 'tool_use', id: use.toolUseId, name: use.name, input: use.input }];
  const reasoning = recordOf(block.reasoningContent);
  if (reasoning?.redactedContent !== undefined)
    return [{ type: 'redacted_thinking', data: reasoning.redactedContent }];
  const thought = recordOf(reasoning?.reasoningText);
  return thought === undefined
    ? []
    : [{ type: 'thinking', thinking: thought.text, signature: thought.signature }];
}

/** The model's output could not be parsed: a reply with nothing else in it has failed. */
function isMalformed(stopReason: unknown): boolean {
  return textOf(stopReason)?.startsWith('malformed_') === true;
}

/** The error for such a reply. */
function malformed(stopReason: unknown): Loose {
  return {
    error: {
      status: 502,
      type: stopReason,
      message: `the model's answer is malformed (${String(stopReason)})`,
    },
  };
}

/** A whole reply; a body that is none is returned unchanged. */
export function messageOfConverse(reply: Loose): Loose {
  const message = recordOf(recordOf(reply.output)?.message);
  if (message === undefined) return reply;
  const content = recordsOf(message.content).flatMap(readBlock);
  if (content.length === 0 && isMalformed(reply.stopReason)) return malformed(reply.stopReason);
  return { content, stop_reason: reply.stopReason, usage: readUsage(reply.usage) };
}

function readDelta(index: unknown, delta: Loose): Loose | undefined {
  const write = (fields: Loose): Loose => ({ type: 'content_block_delta', index, delta: fields });
  if (typeof delta.text === 'string') return write({ type: 'text_delta', text: delta.text });
  const use = recordOf(delta.toolUse);
  if (use !== undefined) return write({ type: 'input_json_delta', partial_json: use.input });
  const reasoning = recordOf(delta.reasoningContent) ?? {};
  if (reasoning.redactedContent !== undefined) {
    return {
      type: 'content_block_start',
      index,
      content_block: { type: 'redacted_thinking', data: reasoning.redactedContent },
    };
  }
  if (reasoning.signature !== undefined)
    return write({ type: 'signature_delta', signature: reasoning.signature });
  return reasoning.text === undefined
    ? undefined
    : write({ type: 'thinking_delta', thinking: reasoning.text });
}

/** One event of a stream; undefined for events that have no counterpart. */
export function eventOfConverse(name: string, data: Loose): Loose | undefined {
  const index = data.contentBlockIndex;
  switch (name) {
    case 'messageStart':
      return { type: 'message_start', message: {} };
    case 'contentBlockStart': {
      const [block] = readBlock(recordOf(data.start) ?? {});
      return block && { type: 'content_block_start', index, content_block: block };
    }
    case 'contentBlockDelta':
      return readDelta(index, recordOf(data.delta) ?? {});
    case 'contentBlockStop':
      return { type: 'content_block_stop', index };
    case 'messageStop':
      return isMalformed(data.stopReason)
        ? { type: 'error', ...malformed(data.stopReason) }
        : { type: 'message_delta', delta: { stop_reason: data.stopReason } };
    case 'metadata':
      return { type: 'message_delta', delta: {}, usage: readUsage(data.usage) };
    default:
      return undefined;
  }
}
