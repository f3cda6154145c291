/** Vendors that note what they see of each conversation, and refuse what the real ones refuse. */
import type { ServerResponse } from 'node:http';
import { type Answer, errorReply, type ReceivedRequest, sendJson } from '../../support/upstream.ts';
import { refusalOf, signed, thoughtOf, type Vendor } from './vendor.ts';

interface Seen {
  readonly account: string;
  readonly thinks: boolean;
  /** Turns that came without their thinking, by number. */
  readonly lost: readonly number[];
  readonly refused?: string;
}

/** What a vendor saw of one conversation. */
export interface Watched {
  readonly seen: Seen[];
  /** Of others, in its requests. */
  readonly foreign: string[];
  down: string | undefined;
}

/** Conversations that are watched, by their tag. */
export const users = new Map<string, Watched>();
/** An account has the cache of what it answered before. */
const tokensOf = (isCached: boolean) => ({
  fresh: isCached ? 100 : 900,
  cached: isCached ? 800 : 0,
  written: 0,
  output: 9,
  reasoning: 5,
});
const tagIn = (text: string) => /user-\d+/.exec(text)?.[0] ?? '';

function turnOf(tag: string, number: number, questions: number, isCached: boolean) {
  const called = questions > 1 ? 0 : ({ 1: 2, 2: 1 } as Record<number, number>)[number];
  const calls = Array.from({ length: called ?? 0 }, (_, index) => ({
    id: `call_${tag}_${number}_${index}`,
    tool: 'look',
    input: { at: `${tag}-${number}-${index}` },
  }));
  const text = calls.length === 0 ? `Answer ${questions} for ${tag}.` : '';
  return { number, thinking: thoughtOf(tag, number), text, calls, tokens: tokensOf(isCached) };
}

/** Answers as the vendor would, and notes what it saw. */
export function serve(
  vendor: Vendor,
  response: ServerResponse,
  request: ReceivedRequest,
): ReturnType<Answer> {
  const conversation = vendor.read(request);
  const tag = tagIn(conversation.questions.join(' '));
  const watched = users.get(tag);
  if (watched === undefined) return sendJson(response, 400, { error: { message: 'no user' } });
  const account = vendor.accountOf(request);
  if (watched.down === account)
    return sendJson(response, 503, { error: { message: 'overloaded' } });
  const decoded = request.text.replaceAll(/[A-Za-z0-9+/]{20,}={0,2}/g, (text) =>
    Buffer.from(text, 'base64').toString('latin1'),
  );
  watched.foreign.push(...(decoded.match(/user-\d+/g) ?? []).filter((other) => other !== tag));
  const lost = conversation.turns.flatMap((turn, index) =>
    vendor.hasThinking(turn, tag, index + 1) ? [] : [index + 1],
  );
  const refused = refusalOf(vendor, conversation, request);
  const isCached = watched.seen.some((one) => one.account === account);
  watched.seen.push({ account, thinks: vendor.thinks(request.json), lost, refused });
  if (refused !== undefined)
    return errorReply(400, { message: refused, type: 'invalid_request_error' })(response, request);
  const number = conversation.turns.length + 1;
  const turn = turnOf(tag, number, conversation.questions.length, isCached);
  vendor.write(response, turn, request, signed(vendor.maker ?? 'none', account, tag, number));
}

export const answersFor = (tag: string) => [`Answer 1 for ${tag}.`, `Answer 2 for ${tag}.`];
