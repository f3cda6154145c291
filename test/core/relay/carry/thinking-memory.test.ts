/** What is kept of thinking, where, and for whom. */
import { describe, expect, it } from 'vitest';
import type {
  AssistantPart,
  ChatMessage,
  ChatRequest,
} from '../../../../src/core/canonical/chat.ts';
import type { SharedValues } from '../../../../src/core/cluster/cluster.ts';
import { createMemoryCluster } from '../../../../src/core/cluster/memory-cluster.ts';
import {
  ThinkingBudget,
  ThinkingMemory,
} from '../../../../src/core/relay/carry/thinking-memory.ts';
import type { RememberingJob } from '../../../../src/core/relay/context.ts';
import { createVault } from '../../../../src/core/storage/vault.ts';
import type { UpstreamChannel } from '../../../../src/core/upstream/channel.ts';

const vault = createVault(Buffer.alloc(32, 7));
const channel = { provider: {}, healthKeys: ['1', '1:a'] } as unknown as UpstreamChannel;
const jobOf = (userId: number, model = 'gpt-5') =>
  ({ caller: { userId }, policy: { thinkingTtl: 1000 }, model }) as unknown as RememberingJob;

/** Kept elsewhere, as in Redis. */
function remoteValues(kept: Map<string, string>): SharedValues<string> {
  return {
    get: async (key) => kept.get(key),
    set: async (key, value) => void kept.set(key, value),
  };
}

const call: AssistantPart = {
  type: 'tool-call',
  id: 'call_8zKq2RfW',
  name: 'look',
  arguments: '{"a":1,"b":2}',
};
const thinking: AssistantPart = {
  type: 'reasoning',
  text: 'a secret thought',
  signature: 'sig',
  origin: 'openai-responses',
  id: 'rs_1',
};
const requestOf = (...content: AssistantPart[]) =>
  ({ messages: [{ role: 'assistant', content }] }) as unknown as ChatRequest;
const talkOf = (messages: readonly ChatMessage[]) => ({ messages }) as unknown as ChatRequest;
const contentOf = async (restored: ChatRequest | Promise<ChatRequest>) =>
  (await restored).messages[0]?.content;

it('is shared by processes, encrypted, and nobody else’s', async () => {
  const kept = new Map<string, string>();
  const processes = [1, 2].map(
    () => new ThinkingMemory(remoteValues(kept), vault, new ThinkingBudget()),
  );
  const [one, other] = processes as [ThinkingMemory, ThinkingMemory];
  one.remember(jobOf(1), channel, [], [thinking, call]);
  // Ciphertext has no quotation marks; short words may stand in it by chance.
  expect([...kept].flat().join(' ')).not.toMatch(/"|signature/);
  expect(await contentOf(other.restore(jobOf(1), channel, requestOf(call)))).toEqual([
    thinking,
    call,
  ]);
  for (const [job, at] of [
    [jobOf(2), channel],
    [jobOf(1, 'claude-opus-5'), channel],
    [jobOf(1), { ...channel, healthKeys: ['1', '1:b'] }],
  ] as const)
    expect(await contentOf(other.restore(job, at, requestOf(call)))).toEqual([call]);
  // Written anew by a client without ids.
  const rewritten = { ...call, id: 'call_0', arguments: '{ "b": 2, "a": 1 }' };
  expect(await contentOf(other.restore(jobOf(1), channel, requestOf(rewritten)))).toEqual([
    thinking,
    rewritten,
  ]);
});

it('takes out what another account signed, before it can be refused', async () => {
  const memory = new ThinkingMemory(remoteValues(new Map()), vault, new ThinkingBudget());
  memory.remember(jobOf(1), channel, [], [thinking, call]);
  const elsewhere = { ...channel, healthKeys: ['1', '1:b'] };
  const returned = requestOf(thinking, call);
  expect(await contentOf(memory.restore(jobOf(1), channel, returned))).toEqual([thinking, call]);
  const content = await contentOf(memory.restore(jobOf(1), elsewhere, returned));
  expect(JSON.stringify(content)).not.toContain('sig');
});

it('stands where it stood', async () => {
  const memory = new ThinkingMemory(remoteValues(new Map()), vault, new ThinkingBudget());
  const text: AssistantPart = { type: 'text', text: 'I look.' };
  const second = { ...thinking, text: 'more', signature: 'sig-2' };
  memory.remember(jobOf(1), channel, [], [thinking, text, second, call]);
  const restore = (...content: AssistantPart[]) =>
    contentOf(memory.restore(jobOf(1), channel, requestOf(...content)));
  expect(await restore(text, call)).toEqual([thinking, text, second, call]);
  expect(await restore(call)).toEqual([thinking, second, call]);
});

it('is not asked for where it cannot be read: the request goes on without it', async () => {
  const broken: SharedValues<string> = {
    ...remoteValues(new Map()),
    get: () => Promise.reject(new Error('away')),
    set: () => Promise.reject(new Error('away')),
  };
  const memory = new ThinkingMemory(broken, vault, new ThinkingBudget());
  memory.remember(jobOf(1), channel, [], [thinking, call]);
  expect(await contentOf(memory.restore(jobOf(1), channel, requestOf(call)))).toEqual([call]);
});

/** Conversations of one user, who may serve many people with a key of theirs. */
const said = (role: 'user' | 'assistant', ...content: AssistantPart[]) =>
  ({ role, content }) as unknown as ChatMessage;
const text = (given: string): AssistantPart => ({ type: 'text', text: given });

it.each([
  ['ids that are only counted', { ...call, id: 'functions.look:0' }],
  ['calls without ids', { ...call, id: '' }],
  ['the same words', text('Done.')],
])('is not another conversation’s: %s', async (_, act) => {
  const memory = new ThinkingMemory(remoteValues(new Map()), vault, new ThinkingBudget());
  const thoughtOf = (name: string) => ({ ...thinking, text: `about ${name}` });
  const talks = Object.fromEntries(
    ['Ann', 'Bob'].map((name) => [
      name,
      [
        said('user', text(`I am ${name}.`)),
        said('assistant', text(`Hi ${name}`)),
        said('user', text('Go on')),
      ],
    ]),
  );
  for (const [name, talk] of Object.entries(talks))
    memory.remember(jobOf(1), channel, talk, [thoughtOf(name), act]);
  // With and without its oldest turn, which clients leave out where a conversation becomes long.
  for (const [name, talk] of Object.entries(talks))
    for (const sent of [talk, talk.slice(1)]) {
      const messages = [...sent, said('assistant', act)];
      const restored = await memory.restore(jobOf(1), channel, talkOf(messages));
      expect(restored.messages.at(-1)?.content).toEqual([thoughtOf(name), act]);
    }
  const other = [said('user', text('Go on')), said('assistant', act)];
  const restored = await memory.restore(jobOf(1), channel, talkOf(other));
  expect(restored.messages[1]?.content).toEqual([act]);
});

it.each([
  ['an id of its own', call],
  ['a long text', text('word '.repeat(100))],
])('returns although the client wrote the question anew, by %s', async (_, act) => {
  const memory = new ThinkingMemory(remoteValues(new Map()), vault, new ThinkingBudget());
  memory.remember(jobOf(1), channel, [said('user', text('Hi, with sources'))], [thinking, act]);
  const messages = [said('user', text('Hi')), said('assistant', act)];
  const restored = await memory.restore(jobOf(1), channel, talkOf(messages));
  expect(restored.messages[1]?.content).toEqual([thinking, act]);
});

it('is not that of other words', async () => {
  const memory = new ThinkingMemory(remoteValues(new Map()), vault, new ThinkingBudget());
  memory.remember(jobOf(1), channel, [], [thinking, text('It is blue.')]);
  const restore = (words: string) =>
    contentOf(memory.restore(jobOf(1), channel, requestOf(text(words))));
  expect(await restore(' It is blue.\n')).toEqual([thinking, text(' It is blue.\n')]);
  expect(await restore('It is red.')).toEqual([text('It is red.')]);
});

describe('in the memory of one process', () => {
  function remembering() {
    const clock = { time: 0, now: () => clock.time };
    const budget = new ThinkingBudget();
    const values = createMemoryCluster(clock).values<string>('thinking', budget.most);
    const kept = new Map<string, string>();
    const counted: SharedValues<string> = {
      get: (key) => values.get(key),
      set: (key, value, ttl) => {
        kept.set(key, value);
        return values.set(key, value, ttl);
      },
    };
    /** Characters of the values that can still be found. */
    const stillKept = () =>
      [...kept].reduce((sum, [key, { length }]) => (values.get(key) ? sum + length : sum), 0);
    return { clock, memory: new ThinkingMemory(counted, vault, budget), stillKept };
  }
  const hour = 3_600_000;
  const during = (ttl: number) => ({ ...jobOf(1), policy: { thinkingTtl: ttl } }) as RememberingJob;

  it('ends with its hour, or as soon as the option says', () => {
    const { clock, memory } = remembering();
    const kept = () => memory.restore(during(hour), channel, requestOf(call)) as ChatRequest;
    memory.remember(during(hour), channel, [], [thinking, call]);
    clock.time = hour - 1;
    expect(kept().messages[0]?.content).toEqual([thinking, call]);
    clock.time = hour;
    expect(kept().messages[0]?.content).toEqual([call]);
    memory.remember(during(1000), channel, [], [thinking, call]);
    clock.time += 1000;
    expect(kept().messages[0]?.content).toEqual([call]);
  });

  it('has its bound, whatever the turns are', () => {
    const { memory, stillKept } = remembering();
    const bound = 64 * 1024 * 1024;
    for (const [length, count] of [
      [100, 1000],
      [400_000, 80],
    ] as const)
      for (let turn = 0; turn < count; turn++) {
        const act = { ...call, id: `call_of_${length}_${turn}` };
        memory.remember(jobOf(1), channel, [], [{ ...thinking, text: 'x'.repeat(length) }, act]);
      }
    const size = stillKept();
    expect(size).toBeGreaterThan(bound / 2);
    expect(size).toBeLessThan(bound * 1.1);
  });
});

it('is bounded: fewer turns the longer they are, and none that is too long', () => {
  const kept = new Map<string, string>();
  const budget = new ThinkingBudget();
  const before = budget.most();
  for (let count = 0; count < 500; count++) budget.note(100_000);
  expect(budget.most()).toBeLessThan(before / 20);
  const memory = new ThinkingMemory(remoteValues(kept), vault, budget);
  memory.remember(jobOf(1), channel, [], [{ ...thinking, text: 'x'.repeat(600_000) }, call]);
  expect(kept.size).toBe(0);
});

it('bears arguments of any depth', async () => {
  const memory = new ThinkingMemory(remoteValues(new Map()), vault, new ThinkingBudget());
  const deep = { ...call, arguments: `${'['.repeat(50_000)}${']'.repeat(50_000)}` };
  memory.remember(jobOf(1), channel, [], [thinking, deep]);
  expect(await contentOf(memory.restore(jobOf(1), channel, requestOf(deep)))).toEqual([
    thinking,
    deep,
  ]);
});
