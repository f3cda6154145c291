import { AppError } from '../../kernel/errors.ts';
import { isObject, parseJson } from '../../kernel/json.ts';
import type { Storage } from '../../storage/storage.ts';
import type { PasskeyProof } from '../factors/passkey-proof.ts';
import type { SignInMethod } from './sign-in-method.ts';

export interface PasskeyMethodDeps {
  readonly storage: Pick<Storage, 'users'>;
  readonly passkeys: PasskeyProof;
}

/**
 * Sign-in by a passkey alone; the device verifies its owner. `response`: the browser's answer as
 * JSON. `complete` throws AppError passkey_invalid, passkey_unavailable.
 */
export function createPasskeyMethod({ storage, passkeys }: PasskeyMethodDeps): SignInMethod {
  return {
    id: 'passkey',
    isEnabled: (options) => options.get('PasskeyLoginEnabled'),
    // A passkey ends with the site's host: it does not count as a lasting way to sign in.
    isOpenTo: () => false,
    complete: async ({ response = '' }) => {
      const answer = parseJson(response);
      const { userId } = await passkeys.verify('passkey-sign-in', answer);
      const user = await storage.users.find(userId);
      if (user === null || !isObject(answer)) throw new AppError('passkey_invalid');
      return { user };
    },
  };
}
