/** Keeps the response to a job, so that it can be continued (docs/rules/responses.md#stored). */
import type { AttemptOutcome } from '../attempt.ts';
import type { RequestBody } from '../body/request-body.ts';
import type { ClientReply } from '../client/client.ts';
import { editReply } from '../client/edit-reply.ts';
import type {
  ConversationState,
  FinishedResponse,
  NamedItem,
} from '../formats/shared/conversation-state.ts';
import type { JobBill, RelayJob } from '../job.ts';
import type { OpenConversation } from '../stored-responses/conversation-store.ts';

/** The caller's own request, before anything is written into it. */
interface KeptRequest {
  readonly body: RequestBody;
  /** The response that it continued. */
  readonly previousId: string | undefined;
}

/** A response as it is settled. */
export interface Settled {
  readonly outcome: AttemptOutcome;
  readonly tokens: number;
}

/**
 * The job with its response kept. Every reply ends with one `end(bytes)` that holds the finished
 * response, after its settlement. These bytes are sent when the response is stored and added to its
 * conversation, so a client that has read it can continue it, also after a crash.
 */
export function keepingResponse(
  job: RelayJob,
  state: ConversationState,
  { body, previousId }: KeptRequest,
): RelayJob {
  if (!state.keeps(body) && job.conversation === undefined) return job;
  const { conversation } = job;
  if (conversation !== undefined)
    editReply(job.response, (bytes) => state.inConversation(bytes, conversation.id));
  const { bill, current } = notingSettlement(job.bill);
  const kept = endAfter(job.response, (end) => {
    const settled = current();
    if (settled === undefined || settled.outcome.ended !== undefined) return undefined;
    try {
      return keep(job, state, { body, previousId }, settled, end);
    } catch (error) {
      job.deps.logger.error({ error, requestId: job.requestId }, 'a response could not be stored');
      return undefined;
    }
  });
  return { ...job, bill, kept };
}

/** The bill, and how it was settled. */
export function notingSettlement(given: JobBill): {
  readonly bill: JobBill;
  readonly current: () => Settled | undefined;
} {
  let settled: Settled | undefined;
  const bill: JobBill = {
    countsSpeech: given.countsSpeech,
    get charged() {
      return given.charged;
    },
    settle: async (outcome) => {
      const usage = await given.settle(outcome);
      settled = { outcome, tokens: (usage?.promptTokens ?? 0) + (usage?.completionTokens ?? 0) };
      return usage;
    },
    release: () => given.release(),
  };
  return { bill, current: () => settled };
}

function keep(
  job: RelayJob,
  state: ConversationState,
  request: KeptRequest,
  settled: Settled,
  end: string,
): Promise<void> | undefined {
  const found = state.finishedIn(end);
  if (found === undefined) return undefined;
  const { conversation } = job;
  if (conversation === undefined) return store(job, request, settled, found);
  const response = { ...found.response, conversation: { id: conversation.id } };
  const finished = { ...found, response };
  const newTail = () => job.deps.ids.hex(24);
  const added = addTo(conversation, job, state.addedItems(request.body, found.response, newTail));
  if (!state.keeps(request.body)) return added;
  // Its own turn alone would not be what it answered.
  return added.then(() => store(job, { ...request, body: job.body }, settled, finished));
}

/** Never rejects: the answer was given, and is sent. */
async function addTo(
  conversation: OpenConversation,
  { deps, requestId }: RelayJob,
  items: readonly NamedItem[],
): Promise<void> {
  try {
    await conversation.append(items);
  } catch (error) {
    deps.logger.error({ error, requestId }, 'a turn could not be added to its conversation');
  }
}

function store(
  { deps, caller, model, conversationName }: RelayJob,
  { body, previousId }: KeptRequest,
  { outcome, tokens }: Settled,
  { id, status, itemIds, response }: FinishedResponse,
): Promise<void> {
  const { channel, forwarded } = outcome;
  return deps.responses.keep({
    userId: caller.userId,
    responseId: id,
    previousId: previousId ?? '',
    conversation: conversationName?.() ?? '',
    channelId: channel.id,
    healthKey: channel.healthKeys.at(-1) ?? '',
    // Compatible servers often take the field and keep nothing: only one that says so is relied
    // upon.
    held:
      forwarded === true && channel.provider.keepsResponses === true && response['store'] === true,
    model,
    status,
    tokens,
    content: { input: body.get('input') ?? null, response },
    itemIds,
  });
}

/**
 * Ends the reply when what `work` begins with its last bytes is done. Returns what resolves when
 * the reply has been ended so; undefined: nothing waits.
 */
function endAfter(
  reply: ClientReply,
  work: (end: string) => Promise<void> | undefined,
): () => Promise<void> | undefined {
  let ended: Promise<void> | undefined;
  const end = reply.end.bind(reply) as (...given: unknown[]) => ClientReply;
  reply.end = ((...given: unknown[]) => {
    const [bytes] = given;
    const text = Buffer.isBuffer(bytes) ? bytes.toString('utf8') : bytes;
    const done = typeof text === 'string' ? work(text) : undefined;
    if (done === undefined) return end(...given);
    ended = done.then(() => void end(...given));
    return reply;
  }) as ClientReply['end'];
  return () => ended;
}
