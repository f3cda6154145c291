/** Prompts on an interactive terminal. */
import { type Language, localize, type Text, type TextParams } from './text.ts';
import { UsageError } from './usage-error.ts';

export interface InputStream extends NodeJS.ReadableStream {
  readonly isTTY?: boolean;
}

export interface Choice<T extends string> {
  readonly value: T;
  readonly name: Text;
}

export interface Terminal {
  /** False: prompts and screens are not available. */
  readonly interactive: boolean;
  confirm(question: Text, params?: TextParams): Promise<boolean>;
  /** Prompts for a line; `secret` hides the input. */
  ask(question: Text, secret: boolean): Promise<string>;
  /** Offers choices; returns the value of the chosen one. `preset` is marked at first. */
  choose<T extends string>(question: Text, choices: readonly Choice<T>[], preset: T): Promise<T>;
  /**
   * Reads all of standard input, without a final line break. Throws UsageError if it is a terminal,
   * or empty unless `mayBeEmpty`. `name`: the flag or argument that requested it, as it is typed.
   */
  readAll(name: string, mayBeEmpty?: boolean): Promise<string>;
}

/** Prompts are written to stderr, so that stdout only contains the result. */
export function createTerminal(
  streams: {
    readonly stdin: InputStream;
    readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
  },
  language: Language,
): Terminal {
  const interactive = streams.stdin.isTTY === true && streams.stderr.isTTY === true;
  const context = { input: streams.stdin, output: streams.stderr };
  return {
    interactive,
    async confirm(question, params) {
      const { confirm } = await import('@inquirer/prompts');
      return confirm({ message: localize(language, question, params), default: false }, context);
    },
    async ask(question, secret) {
      const { input, password } = await import('@inquirer/prompts');
      const message = localize(language, question);
      return secret
        ? password({ message, mask: true }, context)
        : input({ message, required: true }, context);
    },
    async choose<T extends string>(question: Text, choices: readonly Choice<T>[], preset: T) {
      const { select } = await import('@inquirer/prompts');
      const shown = choices.map(({ value, name }) => ({ value, name: localize(language, name) }));
      return select<T>(
        { message: localize(language, question), choices: shown, default: preset },
        context,
      );
    },
    async readAll(name, mayBeEmpty = false) {
      if (streams.stdin.isTTY === true) throw new UsageError(texts.keyboard, { name });
      const chunks: Buffer[] = [];
      for await (const chunk of streams.stdin)
        chunks.push(Buffer.from(chunk as Uint8Array | string));
      const text = Buffer.concat(chunks)
        .toString('utf8')
        .replace(/\r?\n$/, '');
      if (text === '' && !mayBeEmpty) throw new UsageError(texts.empty, { name });
      return text;
    },
  };
}

const texts = {
  keyboard: {
    en: '{name} reads standard input: pipe the value in',
    zh: '{name} 从标准输入读取：请用管道传入',
  },
  empty: { en: '{name}: standard input is empty', zh: '{name}：标准输入为空' },
} as const;
