/**
 * The thinking of earlier turns, for clients that do not return it
 * (docs/rules/formats.md#remembered-thinking): what a vendor wants back with the next turn is kept
 * for a while, encrypted, and given to the accounts it is valid at.
 */
import type {
  AssistantMessage,
  AssistantPart,
  ChatMessage,
  ChatRequest,
} from '../../canonical/chat.ts';
import type { Awaitable, SharedValues } from '../../cluster/cluster.ts';
import { parseJson } from '../../kernel/json.ts';
import type { Vault } from '../../storage/vault.ts';
import type { UpstreamChannel } from '../../upstream/channel.ts';
import type { RememberingJob, Thinking } from '../context.ts';
import { modelFamily } from '../select/affinity-key.ts';
import {
  Before,
  hasSignature,
  namesOfTurn,
  type Thoughts,
  thoughtsOf,
  withoutSignatures,
  withPhase,
  withThoughts,
} from './thoughts.ts';

/** Characters of all values together, about. */
const mostKept = 64 * 1024 * 1024;
/** Characters of one turn; a longer one is not remembered. */
const longest = 512 * 1024;
/** Of the sizes that came before, in the average. */
const inertia = 0.98;
/** Turns that are looked up in one request, the newest ones. */
const mostTurns = 200;

interface Remembered {
  /** Where its signatures are valid. */
  readonly scope: string;
  readonly thoughts: Thoughts;
}

/** Bounds how many values are kept by how large they are on average. */
export class ThinkingBudget {
  #average = 4096;

  /** Values that fit. */
  readonly most = (): number => Math.max(1, Math.floor(mostKept / this.#average));

  note(size: number): void {
    this.#average = this.#average * inertia + size * (1 - inertia);
  }
}

export class ThinkingMemory implements Thinking {
  readonly #values: SharedValues<string>;
  readonly #vault: Pick<Vault, 'seal' | 'read' | 'hash'>;
  readonly #budget: ThinkingBudget;

  /** `values` are shared by all processes, and bounded by the budget. */
  constructor(
    values: SharedValues<string>,
    vault: Pick<Vault, 'seal' | 'read' | 'hash'>,
    budget: ThinkingBudget,
  ) {
    this.#values = values;
    this.#vault = vault;
    this.#budget = budget;
  }

  /** Whether answers to this request are remembered. */
  remembers({ policy, isTest }: RememberingJob): boolean {
    return policy.thinkingTtl > 0 && isTest !== true;
  }

  /**
   * Keeps the thinking of an answer that the channel gave to these messages. Writes that need I/O
   * end later.
   */
  remember(
    job: RememberingJob,
    channel: UpstreamChannel,
    messages: readonly ChatMessage[],
    content: readonly AssistantPart[],
  ): void {
    const thoughts = this.remembers(job) ? thoughtsOf(content) : undefined;
    if (thoughts === undefined) return;
    const text = JSON.stringify({ scope: scopeOf(job, channel, thoughts), thoughts });
    if (text.length > longest) return;
    for (const name of namesOfTurn(content, beforeAt(messages, messages.length).name)) {
      const key = this.#key(job, name);
      const sealed = this.#vault.seal(text, key);
      this.#budget.note(sealed.length);
      const written = this.#values.set(key, sealed, job.policy.thinkingTtl);
      if (written instanceof Promise) written.catch(() => undefined);
    }
  }

  /**
   * The request with the thinking of its earlier turns, as far as it is valid at this channel;
   * signatures that are known to be another account's are taken out. A promise only if values are
   * kept elsewhere.
   */
  restore(
    job: RememberingJob,
    channel: UpstreamChannel,
    request: ChatRequest,
  ): Awaitable<ChatRequest> {
    if (!this.remembers(job)) return request;
    const from = Math.max(0, request.messages.length - 2 * mostTurns);
    const before = beforeAt(request.messages, from);
    const messages = request.messages.map((message, index) => {
      if (index < from) return message;
      const { name } = before;
      before.pass(message);
      if (message.role !== 'assistant') return message;
      return this.#restoreTurn(job, channel, message, namesOfTurn(message.content, name));
    });
    return messages.some((message) => message instanceof Promise)
      ? Promise.all(messages).then((found) => changed(request, found))
      : changed(request, messages as readonly ChatMessage[]);
  }

  #restoreTurn(
    job: RememberingJob,
    channel: UpstreamChannel,
    message: AssistantMessage,
    names: readonly string[],
  ): Awaitable<AssistantMessage> {
    const found = this.#find(job, names);
    const apply = (known: Remembered | undefined): AssistantMessage => {
      if (known === undefined) return message;
      const { scope, thoughts } = known;
      const turn = withPhase(message, thoughts);
      if (scope !== scopeOf(job, channel, thoughts)) return withoutSignatures(turn);
      return hasSignature(turn.content) ? turn : withThoughts(turn, thoughts);
    };
    return found instanceof Promise ? found.then(apply, () => message) : apply(found);
  }

  /** By the first name under which something is kept. */
  #find(
    job: RememberingJob,
    [name, ...others]: readonly string[],
  ): Awaitable<Remembered | undefined> {
    if (name === undefined) return undefined;
    const key = this.#key(job, name);
    const read = (sealed: string | undefined): Awaitable<Remembered | undefined> => {
      if (sealed === undefined) return this.#find(job, others);
      const text = this.#vault.read(sealed, key);
      return text === undefined ? undefined : (parseJson(text) as Remembered | undefined);
    };
    const found = this.#values.get(key);
    return found instanceof Promise ? found.then(read) : read(found);
  }

  /** Nothing of a conversation can be read from a key; another user's is another. */
  #key({ caller }: RememberingJob, name: string): string {
    return this.#vault.hash(`thinking ${caller.userId} ${name}`);
  }
}

/**
 * Thinking goes to models of the same family. Signatures are valid at the account that made them;
 * those of some makers on every platform that offers their models.
 */
function scopeOf(
  { model }: RememberingJob,
  { provider, healthKeys }: UpstreamChannel,
  { origin }: Thoughts,
): string {
  const isShared = origin === undefined || provider.sharedSignatures?.includes(origin) === true;
  return [origin, modelFamily(model), isShared ? '' : healthKeys.at(-1)].join(' ');
}

/** What stands before the message at `end`. */
function beforeAt(messages: readonly ChatMessage[], end: number): Before {
  const before = new Before();
  const earlier = messages.slice(0, end);
  for (const role of ['user', 'assistant']) {
    const last = earlier.findLast((message) => message.role === role);
    if (last !== undefined) before.pass(last);
  }
  return before;
}

function changed(request: ChatRequest, messages: readonly ChatMessage[]): ChatRequest {
  return messages.every((message, index) => message === request.messages[index])
    ? request
    : { ...request, messages };
}
