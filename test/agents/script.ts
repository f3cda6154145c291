/**
 * The scripted conversation of an upstream with an agent, independent of the wire format: read one
 * file, then two at once, then repeat their contents. The contents are random, so a reply with them
 * proves the round trip.
 */

/** Tokens of one reply as the ledger counts them, each in one field only. */
export interface Tokens {
  /** Prompt tokens neither read from a cache nor written to one. */
  readonly fresh: number;
  readonly cached: number;
  /** Prompt tokens written to a cache. Only Anthropic reports them. */
  readonly written: number;
  /** Including reasoning. */
  readonly output: number;
  readonly reasoning: number;
}

/** A call of a client's tool: its arguments, or the text for tools that take free text. */
export interface ToolCall {
  readonly tool: string;
  readonly input: Record<string, unknown> | string;
}

export interface Turn {
  /** Number of the turn, from 1; 0 for a request outside of the conversation. */
  readonly number: number;
  readonly thinking?: string;
  readonly text: string;
  readonly calls: readonly (ToolCall & { readonly id: string })[];
  readonly tokens: Tokens;
}

/** A request as the upstream parsed it. */
export interface ParsedRequest {
  /** Names of the tools offered. */
  readonly tools: readonly string[];
  /** Whether a reply may contain two calls. */
  readonly parallel: boolean;
  /** Results of the calls so far, in order. */
  readonly results: readonly string[];
  /** Reasons why a provider with this format would refuse the request, or not fully honour it. */
  readonly faults: readonly string[];
}

export interface Script {
  /** The next turn. Throws if the client does not offer a tool that it needs. */
  answer(asked: ParsedRequest): Turn;
  readonly turns: readonly Turn[];
  readonly faults: readonly string[];
}

/** Names of the files to be read, and the prompt for the agent. */
export const fileNames = ['first.txt', 'second.txt', 'third.txt'] as const;
export const prompt = `Read ${fileNames.join(', ')} in the current directory and tell me the word in each.`;

const wordPattern = /word-[0-9a-f]{12}/;

/** Id of a call; unique in a conversation. */
export function callId(number: number): string {
  return `call_${String(number).padStart(2, '0')}AgentsTest`;
}

/** The thinking signature of turn `number`, for formats that have one. */
export function signatureOf(number: number): string {
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
  /** Whether the upstream reports cache writes; otherwise they count as fresh. */
  readonly reportsCacheWrites: boolean;
  /** A tool that must be offered, although it is not called. */
  readonly needs?: string;
}

/**
 * `read` creates the call with which the client prints a file; `words` are the contents of the
 * files.
 */
export function createScript(
  read: (file: string, tools: readonly string[]) => ToolCall,
  words: readonly string[],
  { reportsCacheWrites, needs }: ScriptOptions,
): Script {
  const turns: Turn[] = [];
  const faults: string[] = [];
  const costOf = (number: number): Tokens => {
    const cost = costs[number] ?? costs[0];
    if (cost === undefined) throw new Error('no costs');
    return reportsCacheWrites ? cost : { ...cost, fresh: cost.fresh + cost.written, written: 0 };
  };
  const calls = (asked: ParsedRequest, count: number) =>
    fileNames.slice(asked.results.length, asked.results.length + count).map((file, index) => {
      const call = read(file, asked.tools);
      if (!asked.tools.includes(call.tool))
        throw new Error(`the tool ${call.tool} was not offered`);
      return { ...call, id: callId(asked.results.length + index + 1) };
    });
  const next = (asked: ParsedRequest): Turn => {
    const done = asked.results.length;
    if (asked.tools.length === 0)
      return { number: 0, text: 'Three words', calls: [], tokens: costOf(0) };
    if (needs !== undefined && !asked.tools.includes(needs))
      faults.push(`${needs} was not offered`);
    const number = turns.filter((turn) => turn.number > 0).length + 1;
    const thinking = `I think, part ${number}.`;
    const tokens = costOf(number);
    if (done === 0)
      return { number, thinking, text: 'I read the first file.', calls: calls(asked, 1), tokens };
    if (done < fileNames.length)
      return {
        number,
        thinking,
        text: '',
        calls: calls(asked, asked.parallel ? fileNames.length : 1),
        tokens,
      };
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
        if (!result.includes(word))
          faults.push(`result ${index + 1} lacks ${word}: ${result.slice(0, 200)}`);
      }
      const turn = next(asked);
      turns.push(turn);
      return turn;
    },
  };
}
