/**
 * What a request is to meet: how its upstreams behave, and what its client does. The upstreams read
 * it in the prompt.
 */
import type { Random } from '../../src/demo/random.ts';

/** How an upstream serves one attempt. */
export type Behaviour =
  /** The whole answer with its usage. */
  | 'proper'
  /** The same with pauses. */
  | 'slow'
  /** The same without usage. */
  | 'uncounted'
  /** The same with usage that cannot be. */
  | 'lies'
  /** A server error, 429, a refusal of the request. */
  | 'fails'
  | 'busy'
  | 'refuses'
  /** The connection breaks before the reply, or amid it. */
  | 'resets'
  | 'cuts'
  /** Nothing comes, or nothing more. */
  | 'silent'
  | 'stalls'
  /** What comes is no answer, or stops being one. */
  | 'garbage'
  | 'garbles'
  /** A reply without an end. */
  | 'endless';

export const behaviours: readonly Behaviour[] = [
  'proper',
  'slow',
  'uncounted',
  'lies',
  'fails',
  'busy',
  'refuses',
  'resets',
  'cuts',
  'silent',
  'stalls',
  'garbage',
  'garbles',
  'endless',
];

/** How far a request comes before its client leaves; `stays`: to its end. */
export type Stage =
  | 'stays'
  | 'connected'
  | 'half a head'
  | 'half a body'
  | 'sent'
  | 'answered'
  | 'amid';

export interface ClientPlan {
  readonly leaves: Stage;
  /** Milliseconds after that stage. */
  readonly afterMs: number;
  readonly resets: boolean;
  /** Milliseconds before each piece is read. */
  readonly readsEvery: number;
}

export const formats = ['chat', 'messages', 'responses', 'gemini'] as const;
export type Format = (typeof formats)[number];
export const wires = ['chat', 'messages'] as const;
/** What an upstream speaks. */
export type Wire = (typeof wires)[number];

export interface Order {
  /** Unique in a run; the caller's address says it, too. */
  readonly number: number;
  readonly format: Format;
  readonly wire: Wire;
  readonly stream: boolean;
  /** Of the first attempt, the second and so on; the last one holds for all that follow. */
  readonly upstreams: readonly Behaviour[];
  readonly words: number;
  readonly client: ClientPlan;
}

/** How often what happens. */
export interface Mix {
  readonly behaviours: readonly (readonly [Behaviour, number])[];
  /** Share of clients that leave, and of those that read slowly. */
  readonly leaving: number;
  readonly slow: number;
}

/** Mostly harmless. */
export const calm: Mix = {
  behaviours: [
    ['proper', 80],
    ['slow', 15],
    ['uncounted', 5],
  ],
  leaving: 0.03,
  slow: 0.02,
};

const stages: readonly Stage[] = [
  'connected',
  'half a head',
  'half a body',
  'sent',
  'answered',
  'amid',
];

export function makeOrder(
  random: Random,
  number: number,
  { behaviours: mix, leaving, slow }: Mix,
): Order {
  const leaves = random.chance(leaving) ? random.pick(stages) : 'stays';
  return {
    number,
    format: random.pick(formats),
    wire: random.pick(wires),
    stream: random.chance(0.7),
    upstreams: [random.pickWeighted(mix), random.pickWeighted(mix), random.pickWeighted(mix)],
    words: random.between(3, 40),
    client: {
      leaves,
      afterMs: random.pick([0, 0, 1, 3, 10, 20, 100]),
      resets: random.chance(0.5),
      readsEvery: random.chance(slow) ? random.between(20, 200) : 0,
    },
  };
}

/** The model that is requested: its channels speak the wire. */
export const modelOf = (wire: Wire): string => `faults-${wire}`;

/** What the prompt says. */
export function promptOf({ number, upstreams, words }: Order): string {
  return `request ${number} of ${words} words meets ${upstreams.join(',')}.`;
}

const pattern = /request (\d+) of (\d+) words meets ([a-z,]+)\./;

/** Undefined: no request of the suite, such as one of the program itself. */
export function readPrompt(
  text: string,
): Pick<Order, 'number' | 'words' | 'upstreams'> | undefined {
  const [, number, words, upstreams] = pattern.exec(text) ?? [];
  if (number === undefined || words === undefined || upstreams === undefined) return undefined;
  return {
    number: Number(number),
    words: Number(words),
    upstreams: upstreams.split(',') as Behaviour[],
  };
}

/** The words of the answer, by which a part of it can be told from the whole. */
export function wordsOf({ number, words }: Pick<Order, 'number' | 'words'>): readonly string[] {
  return [...Array.from({ length: words - 1 }, (_, index) => `word${index} `), `end-of-${number}`];
}

/** The usage that an honest upstream reports. */
export const usageOf = ({ number, words }: Pick<Order, 'number' | 'words'>) => ({
  prompt: 50 + (number % 977),
  completion: words,
});

/** The address that a request is sent from, as its proxy says. */
export const addressOf = (number: number): string =>
  `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;

export function numberOfAddress(address: string): number | undefined {
  const parts = /^10\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  return parts === null
    ? undefined
    : (Number(parts[1]) << 16) | (Number(parts[2]) << 8) | Number(parts[3]);
}
