/**
 * Secrets by reference: `env:NAME` and `file:PATH`
 * (docs/rules/command-line.md#configuration-secrets).
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Path, Problems } from './problems.ts';

export function isReference(text: string): boolean {
  return /^(env|file):./s.test(text);
}

/**
 * Stands for a secret that cannot be read, so that the rest of the file is checked as if it were
 * there. Never written.
 */
const missing = 'missing';

/** Reads references. `folder` is where relative paths start: that of the configuration file. */
export class References {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #folder: string;
  readonly #problems: Problems;
  readonly #read = new Set<string>();

  constructor(environment: NodeJS.ProcessEnv, folder: string, problems: Problems) {
    this.#environment = environment;
    this.#folder = folder;
    this.#problems = problems;
  }

  /**
   * The secret that a reference names, without a final line break. One that is missing or empty is
   * a problem of its place.
   */
  read(reference: string, path: Path): string {
    const [, kind, name = ''] = /^(env|file):(.+)$/s.exec(reference) ?? [];
    const text =
      kind === 'env' ? (this.#environment[name] ?? '') : this.#readFile(name, path, reference);
    if (text === undefined) return missing;
    const secret = text.replace(/\r?\n$/, '');
    if (secret === '') {
      this.#problems.add(path, kind === 'env' ? texts.variable : texts.empty, { reference });
      return missing;
    }
    this.#read.add(secret);
    return secret;
  }

  /** Whether a text was read from a reference, and must not be shown. */
  has(text: string): boolean {
    return this.#read.has(text);
  }

  #readFile(name: string, path: Path, reference: string): string | undefined {
    try {
      return readFileSync(resolve(this.#folder, name), 'utf8');
    } catch (error) {
      this.#problems.add(path, texts.file, {
        reference,
        cause: error instanceof Error ? error.message : String(error),
      });
      return undefined;
    }
  }
}

const texts = {
  variable: { en: '{reference} is not set', zh: '{reference} 未设置' },
  empty: { en: '{reference} is empty', zh: '{reference} 是空文件' },
  file: { en: '{reference} cannot be read: {cause}', zh: '无法读取 {reference}：{cause}' },
} as const;
