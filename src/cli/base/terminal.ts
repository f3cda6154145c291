/** The person at the keyboard, if there is one. Nothing here asks when there is none. */
import { type Language, say, type Text, type TextParams } from './text.ts';
import { UsageError } from './usage-error.ts';

export interface InputStream extends NodeJS.ReadableStream {
  readonly isTTY?: boolean;
}

export interface Terminal {
  /** False: no prompt and no screen opens. */
  readonly interactive: boolean;
  confirm(question: Text, params?: TextParams): Promise<boolean>;
  /** A line; `secret` hides it. */
  ask(question: Text, secret: boolean): Promise<string>;
  /** All of standard input, one line end at its end removed. Throws UsageError when it is a keyboard, or empty where that is no value. */
  readAll(flag: string, mayBeEmpty?: boolean): Promise<string>;
}

/** Prompts go to stderr, so that stdout stays the result alone. */
export function createTerminal(
  streams: { readonly stdin: InputStream; readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean } },
  language: Language,
): Terminal {
  const interactive = streams.stdin.isTTY === true && streams.stderr.isTTY === true;
  const context = { input: streams.stdin, output: streams.stderr };
  return {
    interactive,
    async confirm(question, params) {
      const { confirm } = await import('@inquirer/prompts');
      return confirm({ message: say(language, question, params), default: false }, context);
    },
    async ask(question, secret) {
      const { input, password } = await import('@inquirer/prompts');
      const message = say(language, question);
      return secret ? password({ message, mask: true }, context) : input({ message, required: true }, context);
    },
    async readAll(flag, mayBeEmpty = false) {
      if (streams.stdin.isTTY === true) throw new UsageError(texts.keyboard, { flag });
      const chunks: Buffer[] = [];
      for await (const chunk of streams.stdin) chunks.push(Buffer.from(chunk as Uint8Array | string));
      const text = Buffer.concat(chunks)
        .toString('utf8')
        .replace(/\r?\n$/, '');
      if (text === '' && !mayBeEmpty) throw new UsageError(texts.empty, { flag });
      return text;
    },
  };
}

const texts = {
  keyboard: {
    en: '--{flag} reads standard input: pipe the value in, or leave the flag out to be asked',
    zh: '--{flag} 从标准输入读取：请用管道传入，或去掉该参数以便提示输入',
  },
  empty: { en: '--{flag}: standard input was empty', zh: '--{flag}：标准输入为空' },
} as const;
