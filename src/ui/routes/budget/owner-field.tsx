/** Whose budget it is: a token or a user found by name, a group, or a model. */
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../client/api.ts';
import { useIsAdmin } from '../../client/session.ts';
import type { FieldOption, FieldProps } from '../../form/fields.ts';
import { useTranslation } from '../../i18n/index.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import { useGroupNames, useOwnModels } from '../../queries/use-groups.ts';

/** Options that one search shows. */
const shown = 50;

async function searchOwners(
  owner: string,
  keyword: string,
  isAdmin: boolean,
): Promise<readonly FieldOption[]> {
  if (owner === 'user') {
    const { items } = await client.user.search({ p: 1, page_size: shown, keyword });
    return items.map(({ id, username }) => ({ value: String(id), label: `${username} #${id}` }));
  }
  if (isAdmin) {
    const { items } = await client.userTokens.list({ p: 1, page_size: shown, keyword });
    return items.map(({ id, name, username }) => ({
      value: String(id),
      label: `${name} #${id} · ${username}`,
    }));
  }
  const { items } = await client.token.list({ p: 0, size: shown, keyword });
  return items.map(({ id, name }) => ({ value: String(id), label: `${name} #${id}` }));
}

interface OwnerFieldProps extends FieldProps<string> {
  readonly owner: string;
  /** Of the stored owner, which the search may not find. */
  readonly known: FieldOption | undefined;
}

export function OwnerField({ owner, known, value, onChange, error }: OwnerFieldProps) {
  const { t } = useTranslation();
  const isAdmin = useIsAdmin();
  const [typed, setTyped] = useState('');
  const [keyword] = useDebouncedValue(typed, 300);
  const groups = useGroupNames(isAdmin && owner === 'group');
  const { data: found = [] } = useQuery({
    queryKey: queryKeys.suggestion(`budget ${owner} ${keyword}`, undefined, isAdmin),
    queryFn: () => searchOwners(owner, keyword, isAdmin),
    enabled: owner === 'token' || owner === 'user',
    staleTime: 60_000,
    placeholderData: (before) => before,
  });
  const models = useOwnModels();
  const named = owner === 'group' ? groups : owner === 'model' ? models : undefined;
  const listed = named?.map((name) => ({ value: name, label: name })) ?? found;
  const unknown = { value, label: named === undefined ? `#${value}` : value };
  const chosen = known?.value === value && named === undefined ? known : unknown;
  const isListed = value === '' || listed.some((option) => option.value === value);
  return (
    <Select
      key={owner}
      label={t('budget.form.whose')}
      placeholder={t('budget.form.whose.placeholder')}
      required
      withAsterisk
      searchable
      allowDeselect={false}
      error={error}
      data={isListed ? [...listed] : [chosen, ...listed]}
      value={value === '' ? null : value}
      onChange={(next) => onChange(next ?? '')}
      onSearchChange={(text) => {
        // Mantine writes the label of what was chosen into the search.
        if (!listed.some(({ label }) => label === text)) setTyped(text);
      }}
    />
  );
}
