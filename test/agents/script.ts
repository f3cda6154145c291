/**
 * The conversation an upstream holds with an agent, in no wire's own words: read one file, then two at once, then say what
 * was in them. The words in the files are random, so an answer that has them travelled there and back.
 */

/** What one answer cost, as the ledger counts: nothing is counted twice. */
export interface Tokens {
  /** Prompt that was neither in a cache nor written to one. */
  readonly fresh: number;
  readonly cached: number;
  /** Prompt written to a cache. Only Anthropic tells it. */
  readonly written: number;
  /** Reasoning included. */
  readonly output: number;
  readonly reasoning: number;
}

/** A call of a client's tool: arguments, or for tools that take free text that text. */
export interface ToolCall {
  readonly tool: string;
  readonly input: Record<string, unknown> | string;
}

export interface Turn {
  /** Counts the turns of a conversation from 1; 0 for a request beside it. */
  readonly number: number;
  readonly thinking?: string;
  readonly text: string;
  readonly calls: readonly (ToolCall & { readonly id: string })[];
  readonly tokens: Tokens;
}

/** A request as an upstream reads it. */
export interface Asked {
  /** Names of the tools offered. */
  readonly tools: readonly string[];
  /** Whether two calls may come in one answer. */
  readonly parallel: boolean;
  /** What the calls so far gave, in the order they were made. */
  readonly results: readonly string[];
  /** Why a provider that speaks this wire would refuse the request, or make less of it than the client meant. */
  readonly faults: readonly string[];
}

export interface Script {
  /** The next turn. Throws where the client did not offer the tool that it needs. */
  answer(asked: Asked): Turn;
  readonly turns: readonly Turn[];
  readonly faults: readonly string[];
}

/** Names of the files to be read, and what the agent is asked to do with them. */
export const fileNames = ['first.txt', 'second.txt', 'third.txt'] as const;
export const prompt = `Read ${fileNames.join(', ')} in the current directory and tell me the word in each.`;

const wordPattern = /word-[0-9a-f]{12}/;

/** Ids of calls, as providers make them; unique in a conversation. */
export function callId(number: number): string {
  return `call_${String(number).padStart(2, '0')}AgentsTest`;
}

/** The proof of thinking that turn `number` carries, where its wire has such a thing. */
export function proofOf(number: number): string {
  return Buffer.from(`proof of thinking ${number}`).toString('base64');
}

const costs: readonly Tokens[] = [
  { fresh: 50, cached: 0, written: 0, output: 8, reasoning: 0 },
  { fresh: 1000, cached: 400, written: 200, output: 120, reasoning: 40 },
  { fresh: 300, cached: 1600, written: 40, output: 90, reasoning: 10 },
  { fresh: 200, cached: 1900, written: 0, output: 60, reasoning: 0 },
  { fresh: 220, cached: 2100, written: 0, output: 70, reasoning: 0 },
];

export interface ScriptOptions {
  /** Whether the upstream has a word for cache writes; else such prompt counts as fresh. */
  readonly writes: boolean;
  /** A tool that has to be offered, although it is not called. */
  readonly needs?: string;
}

/** `read` is how the client's shell is told to print a file, `words` what the files hold. */
export function createScript(
  read: (file: string, tools: readonly string[]) => ToolCall,
  words: readonly string[],
  { writes, needs }: ScriptOptions,
): Script {
  const turns: Turn[] = [];
  const faults: string[] = [];
  const costOf = (number: number): Tokens => {
    const cost = costs[number] ?? costs[0];
    if (cost === undefined) throw new Error('no costs');
    return writes ? cost : { ...cost, fresh: cost.fresh + cost.written, written: 0 };
  };
  const calls = (asked: Asked, count: number) =>
    fileNames.slice(asked.results.length, asked.results.length + count).map((file, index) => {
      const call = read(file, asked.tools);
      if (!asked.tools.includes(call.tool)) throw new Error(`the tool ${call.tool} was not offered`);
      return { ...call, id: callId(asked.results.length + index + 1) };
    });
  const next = (asked: Asked): Turn => {
    const done = asked.results.length;
    if (asked.tools.length === 0) return { number: 0, text: 'Three words', calls: [], tokens: costOf(0) };
    if (needs !== undefined && !asked.tools.includes(needs)) faults.push(`${needs} was not offered`);
    const number = turns.filter((turn) => turn.number > 0).length + 1;
    const thinking = `I think, part ${number}.`;
    const tokens = costOf(number);
    if (done === 0) return { number, thinking, text: 'I read the first file.', calls: calls(asked, 1), tokens };
    if (done < fileNames.length)
      return { number, thinking, text: '', calls: calls(asked, asked.parallel ? fileNames.length : 1), tokens };
    const found = asked.results.map((result) => wordPattern.exec(result)?.[0] ?? 'nothing');
    return { number, text: `The words are ${found.join(' and ')}.`, calls: [], tokens };
  };
  return {
    turns,
    faults,
    answer: (asked) => {
      faults.push(...asked.faults);
      for (const [index, result] of asked.results.entries()) {
        const word = words[index] ?? '';
        if (!result.includes(word)) faults.push(`result ${index + 1} lacks ${word}: ${result.slice(0, 200)}`);
      }
      const turn = next(asked);
      turns.push(turn);
      return turn;
    },
  };
}
