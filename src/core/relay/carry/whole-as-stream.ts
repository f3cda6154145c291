/** For an upstream that answered in one piece although a stream was asked: the stream that says the same (spec, relay 14). */

import type { Usage } from '../../canonical/chat.ts';
import { streamOfReply } from '../../canonical/kit/collect-stream.ts';
import { recordOf } from '../../canonical/kit/read-json.ts';
import type { Call } from '../../canonical/provider.ts';
import { parseJson } from '../../kernel/json.ts';
import type { UpstreamChannel } from '../../upstream/channel.ts';
import type { CollectedReply } from '../../upstream/exchange.ts';
import { writeGeminiUsage } from '../formats/gemini-generate/index.ts';
import { chatWireFormat } from '../formats/index.ts';
import type { WrittenReply } from '../formats/shared/call-format.ts';
import { eventStream } from '../formats/shared/conversation-format.ts';
import { openAiCompletionsForward } from '../formats/shared/openai-forward.ts';
import { readChat } from '../formats/shared/read-chat.ts';
import type { RelayJob } from '../job.ts';

/** The stream, told the usage that was charged. */
export type StreamOfWhole = (usage: Usage | undefined) => WrittenReply;
/** Throws ReplyFailure and AppError where the reply cannot be read. */
export type WholeAsStream = (reply: CollectedReply) => StreamOfWhole | Promise<StreamOfWhole>;

const read = ({ bytes }: CollectedReply) => parseJson(bytes.toString('utf8').trim());

/** The reply is the only chunk of its stream; usage follows in one of its own where it was asked for. */
function completionAsStream(reply: CollectedReply, includeUsage: boolean): StreamOfWhole {
  const event = Buffer.from(`data: ${JSON.stringify(read(reply))}\n\n`);
  return (usage) => ({
    contentType: eventStream,
    body: openAiCompletionsForward.end(event, { includeUsage, usage, first: event, sent: () => event }),
  });
}

/** The reply is the only chunk of its stream, which in this format always tells usage. */
function generateAsStream(reply: CollectedReply): StreamOfWhole {
  const whole = recordOf(read(reply));
  return (usage) => {
    const usageMetadata = whole?.['usageMetadata'] ?? (usage && writeGeminiUsage(usage));
    return { contentType: eventStream, body: `data: ${JSON.stringify({ ...whole, usageMetadata })}\n\n` };
  };
}

/** Undefined: none can be made. */
export function chatAsStream(job: RelayJob, call: Call, channel: UpstreamChannel): WholeAsStream | undefined {
  if (job.format === 'openai-completions') return (reply) => completionAsStream(reply, job.includeUsage);
  if (job.format === 'gemini-generate') return generateAsStream;
  const format = chatWireFormat(job.format);
  const adapter = channel.provider.operations.chat;
  if (format === undefined || adapter === undefined) return undefined;
  return (reply) => {
    const request = readChat(job);
    const { deps, model, includeUsage, startedAt, promptTokens } = job;
    const encoder = format.createStreamEncoder({
      id: deps.ids.alphanumeric(24),
      model,
      created: Math.floor(startedAt / 1000),
      includeUsage,
      estimatedPromptTokens: promptTokens,
      request,
    });
    const pieces = streamOfReply(adapter.decode(read(reply), call, request)).map((part) => encoder.push(part));
    return (usage) => ({ contentType: format.streamContentType, body: pieces.join('') + encoder.end(usage) });
  };
}
