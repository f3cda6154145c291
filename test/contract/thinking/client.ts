/** What the clients of all SDKs do alike: a question, calls of a tool, the answer, and again. */

export interface Manner {
  readonly url: string;
  readonly key: string;
  readonly model: string;
  readonly stream: boolean;
  /** The client returns all that it gets; else only texts and calls. */
  readonly keeps: boolean;
  /** Claude's thinking has no budget. */
  readonly adaptive: boolean;
  readonly questions: readonly string[];
  /** Called before each request. */
  readonly beforeTurn: () => void;
}

/** Resolves with the answers to the questions. */
export type Client = (manner: Manner) => Promise<readonly string[]>;

export const parameters = {
  type: 'object',
  properties: { at: { type: 'string' } },
  required: ['at'],
};
export const description = 'Looks at something.';
export const resultOf = (at: unknown) => `It is blue at ${String(at)}.`;
export const atOf = (json: string) => (JSON.parse(json) as { at: string }).at;
export const only = (value: object, ...names: string[]) =>
  Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)));

/** The turns of a question, up to its answer. */
export async function untilAnswered(
  { questions, beforeTurn }: Manner,
  ask: (question: string) => void,
  turn: () => Promise<string | undefined>,
): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const question of questions) {
    ask(question);
    let answer: string | undefined;
    while (answer === undefined) {
      beforeTurn();
      answer = await turn();
    }
    answers.push(answer);
  }
  return answers;
}
