import type { App } from '../../core/app.ts';
import type { BulkOutput, bulkApi } from '../../core/contract/bulk.ts';
import { type BulkResult, differencesOf } from '../../core/entities/bulk.ts';
import { type Language, translate } from '../../core/i18n/translate.ts';
import { actorOf, callerOf, type Handlers } from './context.ts';

/** Groups of rows and names of each that a reply has. */
const mostGroups = 50;
const mostNames = 5;

export function bulkHandlers({ channels, accounts, tokens }: App): Handlers<typeof bulkApi> {
  return {
    channels: async ({ match, ...input }, context) => {
      const result = await channels.bulk.run(actorOf(context), {
        ...input,
        match: match && { ...match, testFailed: match.test_failed },
      });
      const lost = { keys: result.lost.keys, models: [...result.lost.models] };
      return { ...present(result, input.preview, context.language), lost };
    },
    users: async ({ match, ...input }, context) =>
      present(
        await accounts.userBulk.run(callerOf(context), {
          ...input,
          match: match && readUserMatch(match),
        }),
        input.preview,
        context.language,
      ),
    tokens: async ({ match, ...input }, context) =>
      present(
        await tokens.bulk.runOwn(actorOf(context), {
          ...input,
          match: match && { keyword: match.keyword, key: match.token, status: match.status },
        }),
        input.preview,
        context.language,
      ),
    userTokens: async ({ match, ...input }, context) => {
      const actor = actorOf(context);
      const exceptUsers = match === undefined ? [] : await accounts.users.hiddenFrom(actor);
      const result = await tokens.bulk.runAny(actor, {
        ...input,
        match: match && { userId: match.user_id, keyword: match.keyword, exceptUsers },
      });
      return present(result, input.preview, context.language);
    },
  };
}

/** The filter of a list of users, as the calls have it. */
export const readUserMatch = (match: {
  readonly keyword: string;
  readonly group: string;
  readonly role?: number | undefined;
  readonly status?: number | undefined;
  readonly quota_from?: number | undefined;
  readonly quota_to?: number | undefined;
  readonly unseen_since?: number | undefined;
}) => ({
  keyword: match.keyword.trim(),
  group: match.group,
  role: match.role,
  status: match.status,
  quotaFrom: match.quota_from,
  quotaTo: match.quota_to,
  unseenSince: match.unseen_since,
});

function present(
  { matched, steps, refused, undo }: BulkResult<unknown>,
  preview: boolean,
  language: Language,
): BulkOutput {
  const groups = grouped(
    steps.map((step) => ({ name: step.name, changes: differencesOf(step) })),
    ({ changes }) => JSON.stringify(changes),
  );
  const refusals = grouped(
    refused.map(({ name, error }) => ({
      name,
      message: translate(language, `error.${error.code}`, error.params),
    })),
    ({ message }) => message,
  );
  return {
    matched,
    changed: steps.length,
    groups: groups
      .slice(0, mostGroups)
      .map(({ first: { changes }, count, names }) => ({ changes, count, names })),
    more_groups: Math.max(0, groups.length - mostGroups),
    refused: refusals.map(({ first: { message }, count, names }) => ({ message, count, names })),
    ids: preview ? steps.map(({ id }) => id) : [],
    undo: undo.map(({ ids, from, to }) => ({ ids: [...ids], from: { ...from }, to: { ...to } })),
    lost: { keys: 0, models: [] },
  };
}

/** Entries that are alike, the most first, each with a few names. */
function grouped<T extends { readonly name: string }>(
  entries: readonly T[],
  keyOf: (entry: T) => string,
) {
  return [...Map.groupBy(entries, keyOf).values()]
    .flatMap((alike) => {
      const [first] = alike;
      const names = alike.slice(0, mostNames).map(({ name }) => name);
      return first === undefined ? [] : [{ first, count: alike.length, names }];
    })
    .sort((one, other) => other.count - one.count);
}
