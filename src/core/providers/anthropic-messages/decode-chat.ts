/** A message → the canonical reply (Anthropic API reference, Messages). */

import type { AssistantPart } from '../../canonical/chat.ts';
import type { Annotation, ChatReply } from '../../canonical/chat-reply.ts';
import { usageFromAnthropic } from '../../canonical/kit/anthropic-usage.ts';
import { withContainer } from '../../canonical/kit/containers.ts';
import { errorFromBody, ReplyFailure } from '../../canonical/kit/failure.ts';
import { finishFromAnthropic } from '../../canonical/kit/finish-reasons.ts';
import {
  type Loose,
  recordOf,
  recordsOf,
  replyObject,
  textOf,
} from '../../canonical/kit/read-json.ts';
import { characters } from '../../canonical/kit/text-places.ts';
import { argumentsToText, callIdFor } from '../../canonical/kit/tool-calls.ts';
import { withCacheMiss, withDroppedThinking } from '../../canonical/kit/usage.ts';
import { AppError } from '../../kernel/errors.ts';

/** Stands in for a JSON schema on models without structured outputs: its input is the answer. */
export const jsonToolName = 'json';

/**
 * Sources with an address, also those of a caller's own search; places in a caller's documents mean
 * nothing elsewhere.
 */
function readCitation(citation: Loose): Annotation | undefined {
  const url = textOf(citation.url) ?? textOf(citation.source);
  if (url === undefined || !/^https?:/.test(url)) return undefined;
  return { url, title: textOf(citation.title), citedText: textOf(citation.cited_text) };
}

/** The sources of a block, without their place, which is the block's. */
export function readCitations(block: Loose): Annotation[] {
  return recordsOf(block.citations).flatMap((citation) => readCitation(citation) ?? []);
}

function readAnnotations(blocks: readonly Loose[]): Annotation[] {
  let endIndex = 0;
  return blocks.flatMap((block) => {
    const startIndex = endIndex;
    endIndex += characters(block.type === 'text' ? (textOf(block.text) ?? '') : '');
    return readCitations(block).map((citation) => ({ ...citation, startIndex, endIndex }));
  });
}

/**
 * One content block. Blocks of the provider's own tools have no place in other formats and are
 * passed over.
 */
function readBlock(
  block: Loose,
  jsonTool: boolean,
  replyId: string,
  position: number,
): AssistantPart | undefined {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: textOf(block.text) ?? '' };
    case 'thinking':
      return {
        type: 'reasoning',
        text: textOf(block.thinking) ?? '',
        signature: textOf(block.signature),
        origin: 'anthropic-messages',
      };
    case 'redacted_thinking':
      return {
        type: 'reasoning',
        text: '',
        redacted: textOf(block.data) ?? '',
        origin: 'anthropic-messages',
      };
    case 'tool_use':
      if (jsonTool && block.name === jsonToolName)
        return { type: 'text', text: argumentsToText(block.input) };
      return {
        type: 'tool-call',
        id: textOf(block.id) ?? callIdFor(replyId, position),
        name: textOf(block.name) ?? '',
        arguments: argumentsToText(block.input),
      };
    default:
      return undefined;
  }
}

/**
 * `jsonTool`: the stand-in tool's input is the answer's text. Throws ReplyFailure for an error
 * behind status 200 and AppError('bad_response_body').
 */
export function readMessageReply(body: unknown, jsonTool: boolean): ChatReply {
  const reply = replyObject(body);
  if (!Array.isArray(reply.content)) {
    if (reply.error !== undefined) throw new ReplyFailure(errorFromBody(reply));
    throw new AppError('bad_response_body', { detail: 'the reply has no content' });
  }
  const blocks = recordsOf(reply.content);
  const id = textOf(reply.id);
  const content = blocks.flatMap(
    (block, position) => readBlock(block, jsonTool, id ?? 'reply', position) ?? [],
  );
  const explanation = textOf(recordOf(reply.stop_details)?.explanation);
  if (reply.stop_reason === 'refusal' && explanation !== undefined)
    content.push({ type: 'refusal', text: explanation });
  const annotations = readAnnotations(blocks);
  const rawFinish = textOf(reply.stop_reason) ?? null;
  const finish = finishFromAnthropic(rawFinish ?? '');
  const choice = {
    index: 0,
    content,
    finish: jsonTool && finish === 'tool-calls' ? ('stop' as const) : finish,
    rawFinish,
    stopSequence: textOf(reply.stop_sequence) ?? null,
    annotations: annotations.length > 0 ? annotations : undefined,
  };
  return {
    id,
    model: textOf(reply.model),
    choices: [choice],
    usage: withCacheMiss(
      withDroppedThinking(
        withContainer(usageFromAnthropic(reply.usage), reply.container),
        reply.input_transformations,
      ),
      reply.diagnostics,
    ),
  };
}
