/**
 * Applies a channel's rules to a request, the same for every operation: to a body that is sent as
 * its caller wrote it, and to one that was written for the provider. The request is shaped, gets
 * its credentials, then its headers are sealed: rules may replace what the provider set.
 */

import type { Target } from '../../canonical/pass-through.ts';
import type { UpstreamRequest } from '../../canonical/provider.ts';
import { isHeaderText } from '../../kernel/header-text.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { HiddenTexts } from '../../upstream/rules/hidden-texts.ts';
import { OverrideState, type OverrideStep } from '../../upstream/rules/override-step.ts';
import type { BodyEdits, FieldReader, RequestBody } from '../body/request-body.ts';
import type { CallerFormat } from '../formats/shared/caller-format.ts';
import { endUserEdits, ownNameEdits } from './end-user.ts';
import type { Shaping } from './shaping.ts';
import { effortIn, stripEdits } from './strip-fields.ts';

export { endUserOf, ownNamesOf } from './end-user.ts';
export { withTakenTools } from './hosted-tools.ts';
export { type Shaping, shapingOfAttempt } from './shaping.ts';
export { withSystemPrompt } from './system-prompt.ts';
export { withThinkingAsText } from './thinking-as-text.ts';

export interface ShapedRequest {
  readonly request: UpstreamRequest;
  /** The model its body names and the effort it asks for, for the log row. */
  readonly model: string | undefined;
  readonly reasoningEffort: string | undefined;
  /** The authorized request with the headers of the channel's rules. */
  seal(request: UpstreamRequest): UpstreamRequest;
}

/** The caller's own body for `target`. `model`: the name to write into it; undefined: none. */
export function shapeForwarded(
  shaping: Shaping,
  format: CallerFormat,
  body: RequestBody,
  target: Target,
  model: string | undefined,
): ShapedRequest {
  const { paramOverride } = shaping.rules;
  // Only edits without which the address takes no body at all.
  if (shaping.passThrough) return forwarded(shaping, body, target, target.wireEdits ?? {}, []);
  const edits: Record<string, JsonValue | undefined> = { ...target.edits, ...target.wireEdits };
  const field: FieldReader = (name) => (Object.hasOwn(edits, name) ? edits[name] : body.get(name));
  if (body.media.answerImages)
    Object.assign(edits, format.imageEdits?.(field, shaping.takesImages === true));
  if (model !== undefined && model !== body.get('model')) edits['model'] = model;
  const { systemPrompt, systemPromptOverride } = shaping.rules;
  if (systemPrompt !== '')
    Object.assign(edits, format.systemPromptEdits?.(field, systemPrompt, systemPromptOverride));
  Object.assign(edits, stripEdits(shaping.rules, field));
  Object.assign(edits, endUserEdits(shaping.endUser, field));
  Object.assign(edits, ownNameEdits(shaping.ownNames, field));
  Object.assign(edits, paramOverride?.fields);
  return forwarded(shaping, body, target, edits, paramOverride?.steps ?? []);
}

function forwarded(
  shaping: Shaping,
  body: RequestBody,
  target: Target,
  given: BodyEdits,
  steps: readonly OverrideStep[],
): ShapedRequest {
  let edits = given;
  let headers: HeaderChanges | undefined;
  if (steps.length > 0) {
    const before = body.parse();
    const state = run(shaping, steps, applied(before, given), target.headers);
    edits = editsBetween(before, state.body);
    headers = state.headers;
  }
  // A form is written anew even where nothing changes, so that exactly what was read is sent.
  const untouched = shaping.passThrough && Object.keys(edits).length === 0;
  const { bytes, contentType } = body.write(untouched ? undefined : edits);
  const request: UpstreamRequest = {
    method: 'POST',
    url: target.url,
    headers: withType(target.headers, contentType),
    body: bytes,
  };
  const field: FieldReader = (name) => (Object.hasOwn(edits, name) ? edits[name] : body.get(name));
  return { request, ...factsFor(field), seal: sealing(shaping, headers) };
}

function withType(
  headers: UpstreamRequest['headers'],
  contentType: string | undefined,
): UpstreamRequest['headers'] {
  return contentType === undefined ? headers : { ...headers, 'content-type': contentType };
}

/**
 * A request that was written for its provider. Where the body is bytes, or absent, only headers
 * change.
 */
export function shapeEncoded(shaping: Shaping, request: UpstreamRequest): ShapedRequest {
  const { body } = request;
  const { fields, steps = [] } = shaping.rules.paramOverride ?? {};
  if (!isObject(body) || body instanceof Uint8Array) {
    const { headers } = steps.length > 0 ? run(shaping, steps, {}, request.headers) : {};
    return {
      request,
      model: undefined,
      reasoningEffort: undefined,
      seal: sealing(shaping, headers),
    };
  }
  const written = body as JsonObject;
  const edits = {
    ...stripEdits(shaping.rules, (name) => written[name]),
    ...endUserEdits(shaping.endUser, (name) => written[name]),
    ...ownNameEdits(shaping.ownNames, (name) => written[name]),
    ...fields,
  };
  let shaped: JsonValue = Object.keys(edits).length === 0 ? written : applied(written, edits);
  let headers: HeaderChanges | undefined;
  if (steps.length > 0) {
    const state = run(shaping, steps, shaped, request.headers);
    shaped = state.body;
    headers = state.headers;
  }
  const field: FieldReader = (name) =>
    isObject(shaped) ? (shaped as JsonObject)[name] : undefined;
  return {
    request: { ...request, body: shaped },
    ...factsFor(field),
    seal: sealing(shaping, headers),
  };
}

function factsFor(field: FieldReader): Pick<ShapedRequest, 'model' | 'reasoningEffort'> {
  const model = field('model');
  return {
    model: typeof model === 'string' && model !== '' ? model : undefined,
    reasoningEffort: effortIn(field),
  };
}

type HeaderChanges = ReadonlyMap<string, string | null>;

/**
 * Runs the operations. Credentials are hidden from them: they may be moved to another header, but
 * neither into the body nor into a condition (docs/rules/channel-rules.md#hidden-credentials).
 * Throws RuleRefusal.
 */
function run(
  { rules, facts }: Shaping,
  steps: readonly OverrideStep[],
  body: JsonValue,
  sent: UpstreamRequest['headers'],
): { readonly body: JsonValue; readonly headers: HeaderChanges } {
  const known = facts();
  const hidden = new HiddenTexts();
  const shown = { ...known, key: hidden.hideSecret(known.key) };
  const state = new OverrideState(
    shown,
    body,
    rules.headers?.values(shown) ?? new Map(),
    hidden.hideHeaders(sent, known.key),
  );
  for (const step of steps) step(state);
  const headers = [...state.headers].map(
    ([name, value]) => [name, value === null ? null : hidden.reveal(value)] as const,
  );
  return { body: state.body, headers: new Map(headers) };
}

function sealing(shaping: Shaping, changes?: HeaderChanges): ShapedRequest['seal'] {
  const { headers: override } = shaping.rules;
  if (override === undefined && changes === undefined) return (request) => request;
  return (request) => {
    const facts = shaping.facts();
    const headers: Record<string, string> = { ...request.headers };
    for (const [name, value] of Object.entries(facts.callerHeaders)) {
      if (override?.passes(name) === true && headers[name] === undefined) headers[name] = value;
    }
    for (const [name, value] of changes ?? override?.values(facts) ?? []) {
      if (value === null) delete headers[name];
      // It may come from a caller's body.
      else if (isHeaderText(value)) headers[name] = value;
    }
    return { ...request, headers };
  };
}

function applied(body: JsonObject, edits: BodyEdits): JsonObject {
  const merged = Object.entries({ ...body, ...edits });
  return Object.fromEntries(
    merged.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
}

/**
 * The top-level fields in which two bodies differ. A field that no operation touched is the same
 * value.
 */
function editsBetween(before: JsonObject, after: JsonValue): BodyEdits {
  const fields = isObject(after) ? (after as JsonObject) : {};
  const edits: Record<string, JsonValue | undefined> = {};
  for (const name of Object.keys(before)) if (!Object.hasOwn(fields, name)) edits[name] = undefined;
  for (const [name, value] of Object.entries(fields))
    if (before[name] !== value) edits[name] = value;
  return edits;
}
