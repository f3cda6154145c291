/** The end of a translated reply in one piece. */
import type { AssistantPart } from '../../canonical/chat.ts';
import type { ChatReply } from '../../canonical/chat-reply.ts';
import type { Attempt } from '../attempt.ts';
import type { ReplyContext } from '../formats/shared/chat-translation.ts';
import { readChat } from '../formats/shared/read-chat.ts';
import type { RelayJob } from '../job.ts';
import { idHeaders, sendJson } from '../reply.ts';
import type { WholeEnd } from './forward-whole.ts';
import { noteModel } from './reply-facts.ts';
import { translatedOutcome } from './translated-outcome.ts';
import {
  generatedTextOfChat,
  replyFailed,
  type Translation,
  writeReply,
} from './translated-reply.ts';

/** Remembers the thinking of an answer for the next turn. */
export function rememberTurn(
  job: RelayJob,
  { channel }: Attempt,
  { format }: Translation,
  content: readonly AssistantPart[],
): void {
  // As its caller wrote it: what was added on the way is not there in the next turn.
  const { messages } = readChat(format, job);
  job.deps.thinking.remember(job, channel, messages, content);
}

/** How a reply that can be written is charged and sent. */
export function endOfTranslated(
  job: RelayJob,
  attempt: Attempt,
  translation: Translation,
  context: ReplyContext,
  reply: ChatReply,
): WholeEnd {
  const written = writeReply(translation.format, reply, context);
  if (written.failed !== undefined) return { failed: replyFailed(attempt, written.failed) };
  rememberTurn(job, attempt, translation, reply.choices[0]?.content ?? []);
  if (attempt.reply !== undefined) noteModel(attempt.reply, reply.model);
  const generated = () => generatedTextOfChat(reply);
  return {
    outcome: translatedOutcome(job, attempt, translation, reply.usage, generated),
    send: (usage) =>
      sendJson(job.response, 200, written.withUsage(usage), idHeaders(job.requestId)),
  };
}
