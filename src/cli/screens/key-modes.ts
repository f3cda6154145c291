/**
 * What keys mean besides the actions of a view: a question, a line being typed, or the list of
 * keys.
 */
import type { Text } from '../base/text.ts';
import { editText, textInput } from '../kit/text-input.ts';
import { findAction, listActions } from './keys.ts';
import { LineScroll } from './line-scroll.ts';
import type { Mode, Typing } from './mode.ts';
import type { View } from './view.ts';

export interface KeyModesDeps {
  /** Runs a step that may fail; its error is shown in the hint line. */
  attempt(step: () => Promise<void> | void): void;
  /** Shows that a question was not confirmed. */
  showUnchanged(): void;
}

const keys: Mode = { kind: 'keys' };

export class KeyModes {
  readonly #deps: KeyModesDeps;
  #mode: Mode = keys;
  /** What was typed last and refused: asked for the same again, it is there to be mended. */
  #refused: { readonly label: Text; readonly name: string; readonly text: string } | undefined;

  constructor(deps: KeyModesDeps) {
    this.#deps = deps;
  }

  get current(): Mode {
    return this.#mode;
  }

  ask(question: Text, name: string, onConfirm: () => Promise<void>, onDecline?: () => void): void {
    this.#mode = {
      kind: 'question',
      question,
      name,
      onConfirm,
      ...(onDecline === undefined ? {} : { onDecline }),
    };
  }
  prompt(
    label: Text,
    name: string,
    initial: string,
    onEnter: (text: string) => Promise<void> | void,
  ): void {
    const { label: refusedLabel, name: refusedName, text = initial } = this.#refused ?? {};
    const isSame = refusedLabel === label && refusedName === name;
    const input = textInput(isSame ? text : initial);
    const enter = async (typed: string) => {
      this.#refused = { label, name, text: typed };
      await onEnter(typed);
      this.#refused = undefined;
    };
    this.#refused = undefined;
    this.#mode = { kind: 'typing', label, name, input, onEnter: enter };
  }
  promptSecret(label: Text, name: string, onEnter: (text: string) => Promise<void>): void {
    this.#mode = { kind: 'typing', label, name, input: textInput(), isSecret: true, onEnter };
  }
  showHelp(): void {
    this.#mode = { kind: 'help', scroll: new LineScroll() };
  }

  /** `suggest`: the names that begin with what is typed. Tab completes it to the first. */
  typeCommand(suggest: (text: string) => readonly string[], run: (text: string) => void): void {
    const onEnter = (text: string) => run(text.trim());
    this.#mode = {
      kind: 'typing',
      label: texts.command,
      name: '',
      input: textInput(),
      onEnter,
      suggest,
    };
  }

  /** The filter applies while it is typed; escape restores the one before. */
  typeFilter(view: View): void {
    const before = view.filter ?? '';
    const onChange = (text: string) => view.setFilter?.(text);
    const onCancel = () => onChange(before);
    this.#mode = {
      kind: 'typing',
      label: texts.filter,
      name: '',
      input: textInput(before),
      onChange,
      onCancel,
    };
  }

  /** False if the key is for the view. */
  press(key: string): boolean {
    const mode = this.#mode;
    if (mode.kind === 'keys') return false;
    if (mode.kind === 'typing') this.#type(mode, key);
    else if (mode.kind === 'question') this.#answer(mode, key);
    else if (!mode.scroll.isScrollable || !mode.scroll.press(findAction(key, listActions)))
      this.#mode = keys;
    return true;
  }

  #type(mode: Typing, key: string): void {
    if (key === 'enter' || key === 'escape') {
      this.#mode = keys;
      if (key === 'escape') mode.onCancel?.();
      else this.#deps.attempt(async () => mode.onEnter?.(mode.input.text));
      return;
    }
    const completed = key === 'tab' ? mode.suggest?.(mode.input.text)[0] : undefined;
    const input = completed === undefined ? editText(mode.input, key) : textInput(`${completed} `);
    this.#mode = { ...mode, input };
    if (input.text !== mode.input.text) mode.onChange?.(input.text);
  }

  #answer(mode: Extract<Mode, { kind: 'question' }>, key: string): void {
    this.#mode = keys;
    if (key === 'y' || key === 'Y') this.#deps.attempt(mode.onConfirm);
    else {
      mode.onDecline?.();
      this.#deps.showUnchanged();
    }
  }
}

const texts = {
  command: { en: ':', zh: ':' },
  filter: { en: '/', zh: '/' },
} as const;
