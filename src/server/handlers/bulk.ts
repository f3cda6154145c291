import type { App } from '../../core/app.ts';
import type { BulkOutput, bulkApi } from '../../core/contract/bulk.ts';
import { type BulkResult, differencesOf } from '../../core/entities/bulk.ts';
import { channelFilters } from '../../core/entities/channel-filters.ts';
import { readFilters } from '../../core/entities/filters.ts';
import { tokenFilters } from '../../core/entities/token-filters.ts';
import { userFilters } from '../../core/entities/user-filters.ts';
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
        match: match && readFilters(channelFilters, match),
      });
      const lost = { keys: result.lost.keys, models: [...result.lost.models] };
      return { ...present(result, input.preview, context.language), lost };
    },
    users: async ({ match, ...input }, context) =>
      present(
        await accounts.userBulk.run(callerOf(context), {
          ...input,
          match: match && readFilters(userFilters, match),
        }),
        input.preview,
        context.language,
      ),
    tokens: async ({ match, ...input }, context) =>
      present(
        await tokens.bulk.runOwn(actorOf(context), {
          ...input,
          match: match && readFilters(tokenFilters, match, 'owner'),
        }),
        input.preview,
        context.language,
      ),
    userTokens: async ({ match, ...input }, context) => {
      const actor = actorOf(context);
      const exceptUsers = match === undefined ? [] : await accounts.users.hiddenFrom(actor);
      const result = await tokens.bulk.runAny(actor, {
        ...input,
        match: match && { ...readFilters(tokenFilters, match), exceptUsers },
      });
      return present(result, input.preview, context.language);
    },
  };
}

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
