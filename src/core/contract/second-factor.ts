import { z } from '../kernel/zod.ts';
import { byId, endpoint, id, nothing } from './endpoint.ts';
import { signedInUser } from './entities.ts';

/** What browsers take and give (WebAuthn, JSON forms of Level 3); checked where it is verified. */
const webauthn = z.record(z.string(), z.unknown());
const proof = { code: z.string().max(64).optional(), passkey: webauthn.optional() };
/** Shown once. Empty where the account has codes already. */
const newCodes = z.object({ recovery_codes: z.array(z.string()) });
const method = z.enum(['totp', 'passkey', 'recovery', 'password']);
export type ConfirmMethod = z.infer<typeof method>;

const passkeyEntity = z.object({
  id: z.number().int(),
  name: z.string(),
  created_at: z.number().int(),
  /** 0: never. */
  last_used_at: z.number().int(),
  backed_up: z.boolean(),
  /** The host name that it was made for; it works there only. */
  host: z.string(),
});
export type PasskeyEntity = z.infer<typeof passkeyEntity>;

const overview = z.object({
  /** When the authenticator app was set up; null: it is not. */
  totp_since: z.number().int().nullable(),
  passkeys: z.array(passkeyEntity),
  recovery_codes_left: z.number().int(),
  /** Whether the site requires a second factor of this account. */
  required: z.boolean(),
  /** Where passkeys work, as origin; empty: they cannot be made at this site. */
  passkey_origin: z.string(),
});
export type SecondFactorOverview = z.infer<typeof overview>;

/**
 * Signing in by a passkey, and the second step of other sign-ins
 * (docs/rules/accounts.md#second-step).
 */
export const secondStepApi = {
  passkeyOptions: endpoint({
    method: 'POST',
    path: '/api/turnpike/sign-in/passkey/options',
    access: 'visitor',
    rate: 'critical',
    input: nothing,
    output: webauthn,
    summary: 'What the browser is asked to sign in by a passkey',
  }),
  passkey: endpoint({
    method: 'POST',
    path: '/api/turnpike/sign-in/passkey',
    access: 'visitor',
    rate: 'critical',
    input: z.object({ passkey: webauthn }),
    output: signedInUser,
    summary: 'Sign in by a passkey; sets the session cookie',
  }),
  challengeOptions: endpoint({
    method: 'POST',
    path: '/api/turnpike/sign-in/second-factor/options',
    access: 'visitor',
    rate: 'critical',
    input: z.object({ challenge: z.string() }),
    output: webauthn,
    summary: 'What the browser is asked in the second step of a sign-in',
  }),
  complete: endpoint({
    method: 'POST',
    path: '/api/turnpike/sign-in/second-factor',
    access: 'visitor',
    rate: 'critical',
    /** `challenge`: from the reply `second_factor_required`. */
    input: z.object({ challenge: z.string(), ...proof }),
    output: signedInUser,
    summary:
      'Second step of a sign-in: code of the app, recovery code or passkey; sets the session cookie',
  }),
};

/** A user's own second factors (docs/rules/accounts.md#second-factor). */
export const secondFactorApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/turnpike/self/second-factor',
    access: 'user',
    input: nothing,
    output: overview,
    summary: 'My second factors',
  }),
  beginTotp: endpoint({
    method: 'POST',
    path: '/api/turnpike/self/second-factor/totp',
    access: 'user',
    waysIn: ['totp'],
    input: nothing,
    output: z.object({ secret: z.string(), uri: z.string() }),
    summary: 'A new secret for my authenticator app',
  }),
  confirmTotp: endpoint({
    method: 'POST',
    path: '/api/turnpike/self/second-factor/totp/confirm',
    access: 'user',
    waysIn: ['totp'],
    input: z.object({ code: z.string().max(64).default('') }),
    output: newCodes,
    summary: 'Turn the authenticator app on by its first code',
  }),
  removeTotp: endpoint({
    method: 'DELETE',
    path: '/api/turnpike/self/second-factor/totp',
    access: 'user',
    waysIn: ['totp'],
    input: nothing,
    output: z.undefined(),
    summary: 'Remove my authenticator app',
  }),
  beginPasskey: endpoint({
    method: 'POST',
    path: '/api/turnpike/self/second-factor/passkey/options',
    access: 'user',
    waysIn: ['passkey'],
    input: nothing,
    output: webauthn,
    summary: 'What the browser is asked to make a passkey',
  }),
  addPasskey: endpoint({
    method: 'POST',
    path: '/api/turnpike/self/second-factor/passkey',
    access: 'user',
    waysIn: ['passkey'],
    input: z.object({ passkey: webauthn, name: z.string().default('') }),
    output: newCodes,
    summary: 'Add a passkey',
  }),
  renamePasskey: endpoint({
    method: 'PUT',
    path: '/api/turnpike/self/second-factor/passkey',
    access: 'user',
    input: z.object({ id, name: z.string() }),
    output: z.undefined(),
    summary: 'Rename a passkey of mine',
  }),
  removePasskey: endpoint({
    method: 'DELETE',
    path: '/api/turnpike/self/second-factor/passkey/:id',
    access: 'user',
    waysIn: ['passkey'],
    input: byId,
    output: z.undefined(),
    summary: 'Remove a passkey of mine',
  }),
  renewRecoveryCodes: endpoint({
    method: 'POST',
    path: '/api/turnpike/self/second-factor/recovery-codes',
    access: 'user',
    waysIn: ['recovery_codes'],
    input: nothing,
    output: newCodes,
    summary: 'New recovery codes; the old ones end',
  }),
  reset: endpoint({
    method: 'DELETE',
    path: '/api/turnpike/user/:id/second-factor',
    access: 'admin',
    waysIn: ['factors'],
    input: byId,
    output: z.undefined(),
    summary: 'Remove all second factors of a user who has lost them',
  }),
};

/** Confirmation before something sensitive (docs/rules/accounts.md#step-up). */
export const stepUpApi = {
  methods: endpoint({
    method: 'GET',
    path: '/api/turnpike/self/step-up',
    access: 'user',
    input: nothing,
    output: z.object({ methods: z.array(method) }),
    summary: 'How I can confirm that it is me',
  }),
  options: endpoint({
    method: 'POST',
    path: '/api/turnpike/self/step-up/options',
    access: 'user',
    input: nothing,
    output: webauthn,
    summary: 'What the browser is asked to confirm by a passkey',
  }),
  confirm: endpoint({
    method: 'POST',
    path: '/api/turnpike/self/step-up',
    access: 'user',
    rate: 'critical',
    input: z.object({ ...proof, password: z.string().optional() }),
    output: z.undefined(),
    summary: 'Confirm that it is me, for five minutes',
  }),
};
