/** Keeps the response to a job, so that it can be continued (docs/rules/responses.md#stored). */
import type { AttemptOutcome } from '../attempt.ts';
import type { RequestBody } from '../body/request-body.ts';
import type { ClientReply } from '../client/client.ts';
import type { ConversationState } from '../formats/shared/conversation-state.ts';
import type { JobBill, RelayJob } from '../job.ts';

/** The caller's own request, before anything is written into it. */
interface KeptRequest {
  readonly body: RequestBody;
  /** The response that it continued. */
  readonly previousId: string | undefined;
}

/** A response as it is settled. */
interface Settled {
  readonly outcome: AttemptOutcome;
  readonly tokens: number;
}

/**
 * The job with its response kept. Every reply ends with one `end(bytes)` that holds the finished response, after its
 * settlement; the response is handed to the store just before, so no client knows it earlier.
 */
export function keepingResponse(job: RelayJob, state: ConversationState, { body, previousId }: KeptRequest): RelayJob {
  if (!state.keeps(body)) return job;
  let settled: Settled | undefined;
  const bill: JobBill = {
    countsSpeech: job.bill.countsSpeech,
    settle: async (outcome) => {
      const usage = await job.bill.settle(outcome);
      settled = { outcome, tokens: (usage?.promptTokens ?? 0) + (usage?.completionTokens ?? 0) };
      return usage;
    },
    release: () => job.bill.release(),
  };
  beforeEnd(job.response, (end) => {
    if (settled === undefined || settled.outcome.ended !== undefined) return;
    try {
      keep(job, state, { body, previousId }, settled, end);
    } catch (error) {
      job.deps.logger.error({ error, requestId: job.requestId }, 'a response could not be stored');
    }
  });
  return { ...job, bill };
}

function keep(
  { deps, caller, model }: RelayJob,
  state: ConversationState,
  { body, previousId }: KeptRequest,
  { outcome, tokens }: Settled,
  end: string,
): void {
  const finished = state.finishedIn(end);
  if (finished === undefined) return;
  const { id, status, itemIds, response } = finished;
  const { channel, forwarded } = outcome;
  deps.responses.keep({
    userId: caller.userId,
    responseId: id,
    previousId: previousId ?? '',
    channelId: channel.id,
    healthKey: channel.healthKeys.at(-1) ?? '',
    // Compatible servers often take the field and keep nothing: only one that says so is relied upon.
    held: forwarded === true && channel.provider.keepsResponses === true && response['store'] === true,
    model,
    status,
    tokens,
    content: { input: body.get('input') ?? null, response },
    itemIds,
  });
}

/** Calls `observe` with the last bytes of a reply before they are sent. */
function beforeEnd(reply: ClientReply, observe: (end: string) => void): void {
  const end = reply.end.bind(reply) as (...given: unknown[]) => ClientReply;
  reply.end = ((...given: unknown[]) => {
    const [bytes] = given;
    if (typeof bytes === 'string') observe(bytes);
    else if (Buffer.isBuffer(bytes)) observe(bytes.toString('utf8'));
    return end(...given);
  }) as ClientReply['end'];
}
