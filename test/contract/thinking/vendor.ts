/** What all scripted vendors have in common: accounts, signatures, and what they refuse. */
import type { ServerResponse } from 'node:http';
import { type Loose, textOf } from '../../../src/core/canonical/kit/read-json.ts';
import { signatureOf, type Turn } from '../../agents/script.ts';
import type { Wire } from '../../agents/wire.ts';
import type { ReceivedRequest } from '../../support/upstream.ts';
import type { Conversation, Returned } from './turns.ts';

export const signed = (maker: string, account: string, tag: string, turn: number) =>
  Buffer.from(`${maker} ${account} ${tag} ${turn}`).toString('base64');
export const thoughtOf = (tag: string, turn: number) => `Thought ${turn} of ${tag}.`;

export interface Vendor {
  /** Type, settings and mapping of its channels. */
  readonly channel: Loose;
  readonly model: string;
  readonly adaptive?: boolean;
  /** As channels name accounts. */
  keyOf(account: string): string;
  accountOf(request: ReceivedRequest): string;
  read(request: ReceivedRequest): Conversation;
  thinks(body: Loose): boolean;
  /** Whose signatures these are; undefined: its thinking has none. */
  readonly maker?: string;
  /** Signatures are valid at all its accounts. */
  readonly isShared?: boolean;
  /** What the real one answers with 400. */
  refusal(conversation: Conversation, request: ReceivedRequest): string | undefined;
  /** Whether a turn came back with its thinking. */
  hasThinking(turn: Returned, tag: string, number: number): boolean;
  write(response: ServerResponse, turn: Turn, request: ReceivedRequest, signature: string): void;
}

export const bearer = ({ headers }: ReceivedRequest) =>
  textOf(headers.authorization)?.replace('Bearer ', '') ?? textOf(headers['x-api-key']) ?? '';

export function sendWire(
  response: ServerResponse,
  wire: Wire,
  turn: Turn,
  request: ReceivedRequest,
  signature: string,
  complete = (text: string) => text,
): string {
  const mine = (text: string) => complete(text.replaceAll(signatureOf(turn.number), signature));
  const streams = wire.streams?.(request) ?? request.json['stream'] === true;
  const text = mine(
    streams ? wire.write(turn, request) : JSON.stringify(wire.writeWhole(turn, request)),
  );
  response.writeHead(200, {
    'content-type': streams ? 'text/event-stream' : 'application/json',
  });
  response.end(text);
  return text;
}

/** What all of them refuse: a call without its result, or a result without its call. */
function unanswered({ turns }: Conversation): string | undefined {
  const open = turns.find(
    ({ calls, answered }) => [...calls].sort().join() !== [...answered].sort().join(),
  );
  return open && `calls ${open.calls.join()} are answered by ${open.answered.join()}`;
}

export const thoughtIs = ({ thought }: Returned, tag: string, number: number) =>
  thought === thoughtOf(tag, number);

/** The documented placeholder of Gemini for callers without a signature. */
export const placeholder = 'skip_thought_signature_validator';

/** What every vendor refuses besides: signatures that it did not make, and loose ends. */
export function refusalOf(
  vendor: Vendor,
  conversation: Conversation,
  request: ReceivedRequest,
): string | undefined {
  const account = vendor.accountOf(request);
  for (const signature of conversation.turns.flatMap(({ signatures }) => signatures)) {
    if (signature === placeholder || vendor.maker === undefined) continue;
    const [maker, maker_account] = Buffer.from(signature, 'base64').toString().split(' ');
    const isValid =
      maker === vendor.maker && (vendor.isShared === true || maker_account === account);
    if (!isValid)
      return `Invalid \`signature\`: encrypted content or thought signature of ${maker} ${maker_account}`;
  }
  return unanswered(conversation) ?? vendor.refusal(conversation, request);
}
