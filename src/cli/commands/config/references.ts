/** Secrets by reference: `env:NAME` and `file:PATH` (docs/rules/command-line.md#configuration-secrets). */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../../base/usage-error.ts';

export function isReference(text: string): boolean {
  return /^(env|file):./s.test(text);
}

/** Reads references. `folder` is where relative paths start: that of the configuration file. */
export class References {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #folder: string;
  readonly #read = new Set<string>();

  constructor(environment: NodeJS.ProcessEnv, folder: string) {
    this.#environment = environment;
    this.#folder = folder;
  }

  /** The secret that a reference names, without a final line break. Throws UsageError if it is missing or empty. `at`: where it stands. */
  read(reference: string, at: string): string {
    const [, kind, name = ''] = /^(env|file):(.+)$/s.exec(reference) ?? [];
    const text = kind === 'env' ? this.#environment[name] : this.#readFile(name, at, reference);
    const secret = text?.replace(/\r?\n$/, '') ?? '';
    if (secret === '') throw new UsageError(kind === 'env' ? texts.variable : texts.empty, { at, reference });
    this.#read.add(secret);
    return secret;
  }

  /** Whether a text was read from a reference, and must not be shown. */
  has(text: string): boolean {
    return this.#read.has(text);
  }

  #readFile(path: string, at: string, reference: string): string {
    try {
      return readFileSync(resolve(this.#folder, path), 'utf8');
    } catch (error) {
      throw new UsageError(texts.file, { at, reference, cause: error instanceof Error ? error.message : String(error) });
    }
  }
}

const texts = {
  variable: { en: '{at}: {reference} is not set', zh: '{at}：{reference} 未设置' },
  empty: { en: '{at}: {reference} is empty', zh: '{at}：{reference} 是空文件' },
  file: { en: '{at}: {reference} cannot be read: {cause}', zh: '{at}：无法读取 {reference}：{cause}' },
} as const;
