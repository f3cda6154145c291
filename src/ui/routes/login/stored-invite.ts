import { readStored, storageKeys } from '../../browser/local-storage.ts';

/** The code of the invite link that was opened in this browser. */
export const storedInvite = (): string => readStored(storageKeys.invite) ?? '';
