/** Passkeys of this browser. What talks to them is loaded with the first use. */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';

/** Whether passkeys of a site at `origin` can be used in this page. */
export function canUsePasskeys(origin: string): boolean {
  return origin === window.location.origin && 'PublicKeyCredential' in window;
}

/** The user left the browser's question, or it took too long. */
export function wasLeft(error: unknown): boolean {
  return (
    error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError')
  );
}

/** The authenticator has a passkey of this account already. */
export function isKnownAlready(error: unknown): boolean {
  return error instanceof Error && error.name === 'InvalidStateError';
}

type Answer = Record<string, unknown>;

export async function createPasskey(options: Record<string, unknown>): Promise<Answer> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  return { ...(await startRegistration({ optionsJSON })) };
}

export async function askForPasskey(options: Record<string, unknown>): Promise<Answer> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return { ...(await startAuthentication({ optionsJSON })) };
}
