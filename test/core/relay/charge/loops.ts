/** What agents do that run in circles, and when their fence ends it. */

export const mostRepeats = 3;
export const mostRequests = 12;

interface Call {
  readonly name: string;
  readonly input: object;
}
/** What the model does in its turn, and what comes back: the results of its calls, or words. */
interface Act {
  readonly say?: string;
  readonly calls?: readonly Call[];
  readonly back?: string;
}
export interface Loop {
  act(turn: number): Act;
  /** Calls of the vendor after which it ends. */
  readonly calls: number;
  /** The client never sees the reply, and sends its request again. */
  readonly repeatsRequest?: boolean;
}

const build: Call = { name: 'shell', input: { command: ['npm', 'run', 'build'] } };
const test: Call = { name: 'shell', input: { command: ['npm', 'test'] } };
const edit = (input: object): Call => ({ name: 'edit', input });
const read = (file: string): Call => ({ name: 'read', input: { file } });
const inTurn =
  (...acts: readonly Act[]) =>
  (turn: number): Act =>
    acts[turn % acts.length] ?? {};

/** Endless; the words differ where a model's would. */
export const loops: Readonly<Record<string, Loop>> = {
  'the same call, with the same error': {
    act: () => ({ calls: [read('a.ts')], back: 'no such file' }),
    calls: mostRepeats,
  },
  'the same call with other words each time': {
    act: (turn) => ({ say: `Attempt ${turn}: building again`, calls: [build], back: 'failed' }),
    calls: mostRepeats,
  },
  'the same call, in a context that grows': {
    act: () => ({ calls: [build], back: 'a line of a log\n'.repeat(500) }),
    calls: mostRepeats,
  },
  'the same call, with a new result each time': {
    act: (turn) => ({ calls: [build], back: `failed after ${turn} seconds` }),
    calls: 4 * (mostRepeats - 1) + 1,
  },
  'several calls at once': {
    act: () => ({ calls: [build, test], back: 'failed' }),
    calls: mostRepeats,
  },
  'arguments that its tool does not take': {
    act: () => ({ calls: [edit({})], back: 'file is required' }),
    calls: mostRepeats,
  },
  'an edit and its way back': {
    act: inTurn(
      { calls: [edit({ text: 'x' })], back: 'updated' },
      { calls: [edit({ text: 'y' })], back: 'updated' },
    ),
    calls: 2 * mostRepeats,
  },
  'an edit, its test, and the way back': {
    act: inTurn(
      { calls: [edit({ text: 'x' })], back: 'updated' },
      { calls: [test], back: '1 failed' },
      { calls: [edit({ text: 'y' })], back: 'updated' },
    ),
    calls: 3 * mostRepeats,
  },
  'words that repeat': {
    act: (turn) => ({ say: 'I will fix this now.', back: `Go on (${turn} of 50)` }),
    calls: mostRepeats,
  },
  'two agents that answer each other': {
    act: inTurn(
      { say: 'After you.', back: 'No, after you.' },
      { say: 'Really, after you.', back: 'I insist.' },
    ),
    calls: 2 * mostRepeats,
  },
  'another call each time': {
    act: (turn) => ({ say: 'Reading on', calls: [read(`${turn * 100}`)], back: 'text' }),
    calls: mostRequests,
  },
  'a request that is sent again and again': {
    act: () => ({ calls: [build] }),
    calls: mostRequests,
    repeatsRequest: true,
  },
};
