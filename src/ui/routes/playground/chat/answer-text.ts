/** Collects the text of an answer that comes, and draws it every few milliseconds. */
import type { AnswerPiece } from './ask.ts';
import type { ChatMessage } from './message.ts';

/** Milliseconds between two updates of what is drawn while text comes. */
const drawEvery = 50;

export class AnswerText {
  readonly #edit: (fields: Partial<ChatMessage>) => void;
  readonly #startedAt: number;
  #content = '';
  #reasoning = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #fields: Partial<ChatMessage> = {};

  constructor(edit: (fields: Partial<ChatMessage>) => void, startedAt: number) {
    this.#edit = edit;
    this.#startedAt = startedAt;
  }

  add({ text = '', reasoning = '', outputTokens }: AnswerPiece): void {
    if (outputTokens !== undefined) this.#fields = { ...this.#fields, outputTokens };
    if (text === '' && reasoning === '') return;
    const { firstMs = Date.now() - this.#startedAt } = this.#fields;
    this.#fields = { ...this.#fields, firstMs, status: 'incomplete' };
    this.#content += text;
    this.#reasoning += reasoning;
    this.#timer ??= setTimeout(() => this.draw(), drawEvery);
  }

  draw(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#edit({ ...this.#fields, content: this.#content, reasoning: this.#reasoning });
  }
}
