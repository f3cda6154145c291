/** Create or edit a channel: type first, it changes the fields; what is rarely touched stands under "advanced". */
import { Collapse, MultiSelect, NumberInput, PasswordInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { channelTypes } from '../../../core/vocabulary/channel-types.ts';
import { client } from '../../api.ts';
import { confirmDanger } from '../../components/confirm-danger.tsx';
import { FieldRow, FormDrawer, SwitchRow } from '../../components/form-drawer.tsx';
import { JsonField } from '../../components/json-field.tsx';
import { BoxedTypeLogo, TypeLogo } from '../../components/provider-logo.tsx';
import { ValueTag } from '../../components/tag.tsx';
import { toastFailure, toastSuccess } from '../../failures.ts';
import { changedKeys, useChangeTexts } from '../../hooks/use-changes.ts';
import { AdvancedFields, type JsonFieldOf } from './advanced-fields.tsx';
import classes from './channel.module.css';
import {
  type ChannelValues,
  channelInput,
  channelValues,
  checkChannel,
  customType,
  endsInVersion,
  newChannelValues,
  vertexType,
} from './channel-form.ts';
import { ModelField } from './model-field.tsx';
import { useChannelLabels, useProblemText } from './use-channel-labels.ts';
import { typeName, useChannelTypes } from './use-channel-types.ts';
import { useRefreshChannels } from './use-channels.ts';

interface ChannelDrawerProps {
  /** null: a new one. */
  readonly channel: ChannelEntity | null;
  readonly onClose: () => void;
}

export function ChannelDrawer({ channel, onClose }: ChannelDrawerProps) {
  const { t } = useTranslation();
  const creating = channel === null;
  const before = channel === null ? newChannelValues() : channelValues(channel);
  const types = useChannelTypes();
  const problemText = useProblemText();
  const changeTexts = useChangeTexts();
  const refresh = useRefreshChannels();
  const [advanced, more] = useDisclosure(false);
  const groups = useQuery({ queryKey: ['group-names', true], queryFn: () => client.channel.groups(), staleTime: 60_000 });
  const factsOf = (type: number) => types?.find((entry) => entry.type === type);
  const needsBaseUrl = (type: number) => {
    const facts = factsOf(type);
    return facts?.available === true && facts.default_base_url === null;
  };
  const form = useForm<ChannelValues>({
    initialValues: before,
    validate: (values) =>
      Object.fromEntries(
        Object.entries(checkChannel(values, creating, needsBaseUrl(values.type))).map(([field, problem]) => [
          field,
          problemText(problem),
        ]),
      ),
  });
  const values = form.getValues();
  const facts = factsOf(values.type);
  const labels = useChannelLabels(facts?.other_label);
  const save = useMutation({
    mutationFn: async (after: ChannelValues) => {
      const input = channelInput(after);
      if (channel === null) return (await client.channel.create(input)).ids.length;
      const sent = Object.fromEntries(changedKeys(channelInput(before), input).map((key) => [key, input[key]]));
      await client.channel.update({ ...sent, id: channel.id });
      return 1;
    },
    onSuccess: async (count) => {
      await refresh();
      onClose();
      toastSuccess(creating ? t('channel.form.created', { count }) : t('channel.form.saved'));
    },
  });
  const submit = form.onSubmit(
    (after) => {
      if (!creating && changedKeys(before, after).length === 0) return toastSuccess(t('common.nothingChanged'));
      if (!endsInVersion(after)) return save.mutate(after);
      confirmDanger({
        title: t('channel.form.baseUrl.v1.title'),
        text: t('channel.form.baseUrl.v1.text'),
        confirm: t('channel.form.baseUrl.v1.keep'),
        mild: true,
        onConfirm: () => save.mutate(after),
      });
    },
    (problems) => {
      // A problem in a folded field must not hide.
      if (['status_code_mapping', 'setting', 'param_override', 'max_input_tokens', 'other'].some((field) => field in problems))
        more.open();
    },
  );
  const fetchModels = async (): Promise<readonly string[]> => {
    const reachedOtherwise = values.key.trim() !== '' || values.type !== before.type || values.base_url !== before.base_url;
    if (channel !== null && !reachedOtherwise) return client.channel.fetchModels({ id: channel.id });
    if (values.key.trim() === '') {
      toastFailure(new Error(), t('channel.form.models.fetch.key'));
      return [];
    }
    return client.channel.previewModels({ type: values.type, base_url: values.base_url.trim(), key: values.key.trim() });
  };
  // Types whose provider is not built yet come last; they are named, not hidden.
  const offered = channelTypes.filter((entry) => !('imported' in entry) || entry.type === before.type);
  const isAvailable = (type: number) => factsOf(type)?.available !== false;
  const options = [
    ...offered.filter((entry) => isAvailable(entry.type)),
    ...offered.filter((entry) => !isAvailable(entry.type)),
  ].map((entry) => ({
    value: String(entry.type),
    label: isAvailable(entry.type) ? entry.name : t('channel.form.type.unavailable', { name: entry.name }),
    disabled: !isAvailable(entry.type),
  }));
  const json: JsonFieldOf = (field, description) => (
    <JsonField
      label={labels[field] ?? ''}
      description={description}
      value={values[field]}
      error={form.errors[field] as string | undefined}
      onChange={(text) => form.setFieldValue(field, text)}
    />
  );
  const changes = changeTexts(before, values, labels, ['key', 'type']);
  const AdvancedIcon = advanced ? ChevronDown : ChevronRight;
  return (
    <FormDrawer
      opened
      creating={creating}
      onClose={onClose}
      title={t(creating ? 'channel.form.new' : 'channel.form.edit')}
      subtitle={channel === null ? t('channel.form.new.hint') : `#${channel.id} · ${channel.name}`}
      logo={<BoxedTypeLogo type={values.type} name={typeName(values.type)} />}
      changes={changes}
      submitLabel={t(creating ? 'channel.new' : 'common.save')}
      submitting={save.isPending}
      onSubmit={submit}
    >
      <FieldRow>
        <Select
          label={t('channel.form.type')}
          data-autofocus
          searchable
          allowDeselect={false}
          openOnFocus={false}
          maxDropdownHeight={320}
          leftSection={<TypeLogo type={values.type} name={typeName(values.type)} size={16} />}
          data={options}
          renderOption={({ option }) => (
            <span className={classes.typeOption}>
              <TypeLogo type={Number(option.value)} name={option.label} size={16} grey={option.disabled ?? false} />
              {option.label}
            </span>
          )}
          value={String(values.type)}
          onChange={(next) => next !== null && form.setFieldValue('type', Number(next))}
        />
        <TextInput
          label={labels.name}
          placeholder={t('channel.form.name.placeholder')}
          withAsterisk
          required
          {...form.getInputProps('name')}
        />
      </FieldRow>
      {creating ? (
        <Textarea
          label={labels.key}
          withAsterisk
          required
          autosize
          minRows={values.type === vertexType ? 4 : 1}
          maxRows={8}
          autoComplete="off"
          spellCheck={false}
          placeholder={facts?.key_example}
          description={values.type === vertexType ? t('channel.form.key.hint') : t('channel.form.key.hint.many')}
          classNames={{ input: classes.code ?? '' }}
          {...form.getInputProps('key')}
        />
      ) : (
        <PasswordInput
          label={labels.key}
          autoComplete="new-password"
          placeholder={t('common.saved.keep')}
          description={t('channel.form.key.hint')}
          {...(values.key === ''
            ? { rightSection: <ValueTag tone="ok">{t('common.saved')}</ValueTag>, rightSectionWidth: 76 }
            : {})}
          visibilityToggleButtonProps={{ 'aria-label': t('login.password.show') }}
          {...form.getInputProps('key')}
        />
      )}
      <TextInput
        label={labels.base_url}
        withAsterisk={needsBaseUrl(values.type)}
        placeholder={facts?.default_base_url ?? 'https://'}
        description={
          values.type === customType
            ? t('channel.form.baseUrl.full')
            : facts?.default_base_url
              ? t('channel.form.baseUrl.default', { url: facts.default_base_url })
              : undefined
        }
        classNames={{ input: classes.code ?? '' }}
        {...form.getInputProps('base_url')}
      />
      {facts !== undefined && facts.other_label !== '' && (
        <TextInput label={labels.other} withAsterisk={values.type === vertexType} {...form.getInputProps('other')} />
      )}
      <ModelField
        value={values.models}
        onChange={(models) => form.setFieldValue('models', models)}
        error={form.errors['models'] as string | undefined}
        related={facts?.models ?? []}
        fetchModels={fetchModels}
      />
      <MultiSelect
        label={labels.group}
        searchable
        data={[...new Set([...(groups.data ?? []), ...before.group])]}
        {...form.getInputProps('group')}
        value={[...values.group]}
      />
      <FieldRow>
        <NumberInput
          label={labels.priority}
          description={
            <Hint was={!creating && values.priority !== before.priority ? before.priority : undefined}>
              {t('channel.form.priority.hint')}
            </Hint>
          }
          allowDecimal={false}
          {...form.getInputProps('priority')}
        />
        <NumberInput
          label={labels.weight}
          description={
            <Hint was={!creating && values.weight !== before.weight ? before.weight : undefined}>
              {t('channel.form.weight.hint')}
            </Hint>
          }
          allowDecimal={false}
          allowNegative={false}
          {...form.getInputProps('weight')}
        />
      </FieldRow>
      {json('model_mapping', t('channel.form.mapping.hint'))}
      <SwitchRow title={t('channel.form.autoBan')} hint={t('channel.form.autoBan.hint')}>
        <Switch aria-label={t('channel.form.autoBan')} {...form.getInputProps('auto_ban', { type: 'checkbox' })} />
      </SwitchRow>
      <button type="button" className={classes.advanced} aria-expanded={advanced} onClick={more.toggle}>
        <AdvancedIcon size={14} aria-hidden="true" />
        {t('channel.form.advanced')}
      </button>
      <Collapse expanded={advanced} transitionDuration={120}>
        <AdvancedFields form={form} labels={labels} json={json} shown={advanced} />
      </Collapse>
    </FormDrawer>
  );
}

/** A hint that also says what the value was before it was changed. */
function Hint({ was, children }: { was: number | '' | undefined; children: string }) {
  const { t } = useTranslation();
  return was === undefined ? children : `${t('common.was', { value: was })}${t('common.changes.joint')}${children}`;
}
