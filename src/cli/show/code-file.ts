/**
 * A new file for codes or keys, which only its owner can read
 * (docs/rules/payments.md#redemption-batches).
 */
import { open, rm } from 'node:fs/promises';
import { namingTarget } from '../base/system-error.ts';
import { UsageError } from '../base/usage-error.ts';

export interface CodeFile {
  write(text: string): Promise<void>;
  /** `isEmpty`: nothing was created, so there is nothing to keep. */
  close(isEmpty: boolean): Promise<void>;
}

/** Throws UsageError if the file exists. */
export async function createCodeFile(file: string): Promise<CodeFile> {
  const handle = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST'
      ? new UsageError(texts.exists, { file })
      : namingTarget(error, file);
  });
  return {
    // All of it: `write` may end early on a disk that becomes full, without an error.
    write: (text) => handle.appendFile(text),
    close: async (isEmpty) => {
      await handle.close();
      if (isEmpty) await rm(file);
    },
  };
}

const texts = { exists: { en: '{file} exists already', zh: '{file} 已存在' } } as const;
