/** The groups and models that a playground offers its user, and which of them is chosen. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import type { CatalogModel } from '../../../core/contract/model-square.ts';
import { catalogStatuses, type PlaygroundKind } from '../../../core/vocabulary/model-square.ts';
import { client } from '../../client/api.ts';
import { toastProblem } from '../../client/failures.ts';
import { useUser } from '../../client/session.ts';
import { translate } from '../../i18n/index.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import { useOwnGroups } from '../../queries/use-groups.ts';

/** A group that the user may use. */
export interface GroupChoice {
  readonly name: string;
  readonly ratio: number;
  readonly own: boolean;
}

export interface Wanted {
  /** '': the own group. */
  readonly group: string;
  /** '': the first model. */
  readonly model: string;
}

export interface Choices {
  readonly groups: readonly GroupChoice[];
  /** The chosen group; undefined until the groups are known. */
  readonly group: GroupChoice | undefined;
  /** The models of the chosen group. */
  readonly models: readonly CatalogModel[];
  /** Undefined: the group has none, or they are not known yet. */
  readonly model: CatalogModel | undefined;
  /** Whether another group of the user has models of this kind. */
  readonly isElsewhere: boolean;
  readonly isLoading: boolean;
  readonly error: unknown;
  retry(): void;
}

const staleTime = 60_000;

export function choose(
  groups: readonly GroupChoice[],
  all: readonly CatalogModel[],
  wanted: Wanted,
) {
  const group =
    groups.find(({ name }) => name === wanted.group) ?? groups.find(({ own }) => own) ?? groups[0];
  const models = all.filter(
    ({ enable_group }) => group !== undefined && enable_group.includes(group.name),
  );
  const isOther = (name: string) =>
    name !== group?.name && groups.some((choice) => choice.name === name);
  return {
    group,
    models,
    model: models.find(({ model }) => model === wanted.model) ?? models[0],
    isElsewhere: all.some(({ enable_group }) => enable_group.some(isOther)),
  };
}

/** `canDo`: offers only such models. */
export function useChoices(
  kind: PlaygroundKind,
  wanted: Wanted,
  canDo?: (model: CatalogModel) => boolean,
): Choices {
  const user = useUser();
  const own = useOwnGroups();
  const list = useQuery({
    queryKey: queryKeys.modelSquare.list(user?.id),
    queryFn: () => client.modelSquare.list({}),
    staleTime,
  });
  const groups = useMemo(
    () =>
      Object.entries(own ?? {})
        .map(([name, { ratio }]) => ({ name, ratio: Number(ratio), own: name === user?.group }))
        .sort((a, b) => Number(b.own) - Number(a.own) || a.name.localeCompare(b.name)),
    [own, user?.group],
  );
  const models = useMemo(
    () =>
      (list.data?.data ?? []).filter(
        (model) =>
          model.status === catalogStatuses.enabled &&
          model.playground === kind &&
          (canDo?.(model) ?? true),
      ),
    [list.data, kind, canDo],
  );
  return {
    groups,
    ...choose(groups, models, wanted),
    isLoading: own === undefined || list.isPending,
    error: list.error,
    retry: () => void list.refetch(),
  };
}

/**
 * The group of a link: the own one where it can call the model, else the cheapest. '' where none
 * can.
 */
export function groupOfLink(enableGroup: string | null, groups: readonly GroupChoice[]): string {
  const names = readNames(enableGroup);
  const usable = groups.filter(({ name }) => names.includes(name));
  return (
    (usable.find(({ own }) => own) ?? [...usable].sort((a, b) => a.ratio - b.ratio)[0])?.name ?? ''
  );
}

function readNames(text: string | null): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** Applies `model`, `enable_group` and `expired` of the address once, and takes them out of it. */
export function useLinkedModel(
  groups: readonly GroupChoice[],
  onChoose: (wanted: Wanted) => void,
): void {
  const [query, setQuery] = useSearchParams();
  const model = query.get('model');
  const enableGroup = query.get('enable_group');
  const isExpired = query.has('expired');
  const known = groups.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each address
  useEffect(() => {
    if (!known || (model === null && !isExpired)) return;
    if (model !== null) onChoose({ model, group: groupOfLink(enableGroup, groups) });
    if (isExpired) toastProblem(translate('failure.expired'));
    const rest = new URLSearchParams(query);
    for (const name of ['model', 'enable_group', 'expired', 'tag']) rest.delete(name);
    setQuery(rest, { replace: true });
  }, [known, model, enableGroup, isExpired]);
}
