/** Create one or many tokens, or edit one. */
import { MultiSelect, NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { TokenEntity } from '../../../core/contract/entities.ts';
import { client } from '../../client/api.ts';
import { failureText, toastFailure, toastSuccess } from '../../client/failures.ts';
import { useUser } from '../../client/session.ts';
import { FieldRow, FormDrawer, SwitchRow } from '../../form/form-drawer.tsx';
import { QuickPicks } from '../../form/quick-picks.tsx';
import { QuotaField } from '../../form/quota-field.tsx';
import { changedKeys, type FieldLabels, useChangeTexts } from '../../form/use-changes.ts';
import { useMoney } from '../../hooks/use-money.ts';
import {
  checkToken,
  fieldOfTime,
  mostAtOnce,
  newTokenValues,
  type TokenProblem,
  type TokenValues,
  tokenInput,
  tokenNames,
  tokenValues,
} from './token-form.ts';

/** Seed, administration 9. */
const quotaPicks = [1, 10, 50, 100, 500, 1000];
const expiryPicks = { never: undefined, hour: 3600, day: 86_400, month: 30 * 86_400 } as const;

const problemKeys = {
  name: 'token.form.error.name',
  nameLong: 'token.form.error.nameLong',
  expires: 'token.form.error.expires',
  quota: 'token.form.error.quota',
  count: 'token.form.error.count',
  models: 'token.form.models.missing',
} as const satisfies Record<TokenProblem, string>;

interface TokenDrawerProps {
  /** null: a new one. */
  readonly token: TokenEntity | null;
  readonly onClose: () => void;
  readonly onCreated: (tokens: readonly TokenEntity[]) => void;
}

export function TokenDrawer({ token, onClose, onCreated }: TokenDrawerProps) {
  const { t } = useTranslation();
  const user = useUser();
  const money = useMoney();
  const queryClient = useQueryClient();
  const changeTexts = useChangeTexts();
  const creating = token === null;
  const before = token === null ? newTokenValues() : tokenValues(token);
  const form = useForm<TokenValues>({
    initialValues: before,
    validate: (values) =>
      Object.fromEntries(Object.entries(checkToken(values)).map(([field, problem]) => [field, t(problemKeys[problem])])),
  });
  const values = form.getValues();
  const groups = useQuery({ queryKey: ['own-groups', user?.id], queryFn: () => client.self.groups(), staleTime: 60_000 });
  const models = useQuery({ queryKey: ['own-models', user?.id], queryFn: () => client.self.models(), staleTime: 60_000 });
  const refresh = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: ['token'] }),
      queryClient.invalidateQueries({ queryKey: ['token-count'] }),
    ]);

  const save = useMutation({
    meta: { quiet: true },
    mutationFn: async (after: TokenValues) => {
      if (token !== null) {
        const input = tokenInput(after);
        await client.token.update({ ...input, id: token.id });
        return [];
      }
      const count = Number(after.count);
      const made: TokenEntity[] = [];
      for (const name of tokenNames(after.name.trim(), count)) {
        try {
          made.push(await client.token.create({ ...tokenInput(after), name }));
        } catch (error) {
          if (made.length === 0) throw error;
          toastFailure(
            error,
            t('token.form.partial', { done: made.length, left: count - made.length, reason: failureText(error) }),
          );
          break;
        }
      }
      return made;
    },
    onSuccess: async (made) => {
      await refresh();
      onClose();
      if (creating) onCreated(made);
      else toastSuccess(t('token.form.saved'));
    },
    onError: (error) => toastFailure(error),
  });
  const labels: FieldLabels<TokenValues> = {
    name: t('token.form.name'),
    expires: t('token.form.expires'),
    remain_quota: t('token.form.quota'),
    unlimited_quota: t('token.form.unlimited'),
    count: t('token.form.count'),
    group: t('token.form.group'),
    model_limits_enabled: t('token.form.models'),
    model_limits: t('token.form.models.list'),
    allow_ips: t('token.form.ips'),
  };
  const submit = form.onSubmit((after) => {
    if (!creating && changedKeys(before, after).length === 0) return toastSuccess(t('common.nothingChanged'));
    save.mutate(after);
  });
  const pickExpiry = (seconds: number | undefined) =>
    form.setFieldValue('expires', seconds === undefined ? '' : fieldOfTime(Math.floor(Date.now() / 1000) + seconds));
  return (
    <FormDrawer
      opened
      creating={creating}
      onClose={onClose}
      title={t(creating ? 'token.form.new' : 'token.form.edit')}
      subtitle={token === null ? t('token.form.new.hint') : `#${token.id} · ${token.name}`}
      changes={changeTexts(before, values, labels)}
      submitLabel={t(creating ? 'token.form.new' : 'common.save')}
      submitting={save.isPending}
      onSubmit={submit}
    >
      <FieldRow>
        <TextInput
          label={t('token.form.name')}
          placeholder={t('token.form.name.placeholder')}
          required
          withAsterisk
          data-autofocus
          {...form.getInputProps('name')}
        />
        {creating ? (
          <NumberInput
            label={t('token.form.count')}
            description={t('token.form.count.hint')}
            min={1}
            max={mostAtOnce}
            allowDecimal={false}
            {...form.getInputProps('count')}
          />
        ) : (
          <span />
        )}
      </FieldRow>
      <div>
        <QuotaField
          label={t('token.form.quota')}
          description={t('token.form.quota.hint')}
          disabled={values.unlimited_quota}
          {...form.getInputProps('remain_quota')}
        />
        {!values.unlimited_quota && (
          <QuickPicks
            label={t('token.form.quota')}
            picks={quotaPicks.map((units) => ({
              label: money.display.inCurrency
                ? `${money.display.symbol ?? '$'}${units}`
                : money.total(units * money.quotaPerUnit).text,
              onPick: () => form.setFieldValue('remain_quota', units * money.quotaPerUnit),
            }))}
          />
        )}
      </div>
      <SwitchRow title={t('token.form.unlimited')} hint={t('token.form.unlimited.hint')}>
        <Switch aria-label={t('token.form.unlimited')} {...form.getInputProps('unlimited_quota', { type: 'checkbox' })} />
      </SwitchRow>
      <FieldRow>
        <div>
          <TextInput type="datetime-local" step={1} label={t('token.form.expires')} {...form.getInputProps('expires')} />
          <QuickPicks
            label={t('token.form.expires')}
            picks={Object.entries(expiryPicks).map(([name, seconds]) => ({
              label: t(`token.form.expires.${name as keyof typeof expiryPicks}`),
              onPick: () => pickExpiry(seconds),
            }))}
          />
        </div>
        <Select
          label={t('token.form.group')}
          description={t('token.form.group.hint')}
          searchable
          allowDeselect={false}
          data={[
            { value: '', label: t('token.form.group.own') },
            ...Object.entries(groups.data ?? {}).map(([name, group]) => ({
              value: name,
              label: t('token.form.group.option', { name, desc: group.desc, ratio: group.ratio }),
            })),
            // A group the account may no longer choose stays until it is changed.
            ...(before.group !== '' && groups.data?.[before.group] === undefined
              ? [{ value: before.group, label: before.group }]
              : []),
          ]}
          {...form.getInputProps('group')}
        />
      </FieldRow>
      <SwitchRow title={t('token.form.models')} hint={t('token.form.models.hint')}>
        <Switch aria-label={t('token.form.models')} {...form.getInputProps('model_limits_enabled', { type: 'checkbox' })} />
      </SwitchRow>
      {values.model_limits_enabled && (
        <MultiSelect
          label={t('token.form.models.list')}
          placeholder={values.model_limits.length === 0 ? t('token.form.models.placeholder') : undefined}
          searchable
          data={[...new Set([...(models.data ?? []), ...before.model_limits])]}
          {...form.getInputProps('model_limits')}
          value={[...values.model_limits]}
        />
      )}
      <Textarea
        label={t('token.form.ips')}
        description={t('token.form.ips.hint')}
        autosize
        minRows={2}
        maxRows={8}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
        {...form.getInputProps('allow_ips')}
      />
    </FormDrawer>
  );
}
