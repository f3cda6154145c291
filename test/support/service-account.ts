/** A Google service account file with a newly generated key. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });

export const accountPublicKey: KeyObject = pair.publicKey;

export interface AccountDocument {
  readonly type: 'service_account';
  readonly project_id: string;
  readonly private_key_id: string;
  readonly private_key: string;
  readonly client_email: string;
  readonly token_uri: string;
}

export function accountDocument(
  changes: Partial<AccountDocument> = {},
  format: 'pkcs8' | 'pkcs1' = 'pkcs8',
): AccountDocument {
  return {
    type: 'service_account',
    project_id: 'my-project',
    private_key_id: 'key-1',
    private_key: String(pair.privateKey.export({ type: format, format: 'pem' })),
    client_email: 'gateway@my-project.iam.gserviceaccount.com',
    token_uri: 'https://oauth2.test/token',
    ...changes,
  };
}
