/** The known fields of a channel's `setting`, as a form: each reads from the raw JSON and writes into it. */
import { MultiSelect, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { JsonValue } from '../../../core/kernel/json.ts';
import { vendorFields } from '../../../core/providers/fields.ts';
import { guardedFieldNames } from '../../../core/vocabulary/guarded-fields.ts';
import { FieldRow, SwitchRow } from '../../form/form-drawer.tsx';
import { currentLanguage } from '../../i18n/index.ts';
import { allowedFields, readSetting, writeAllowed, writeSetting } from './channel-setting.ts';
import { HeaderFields } from './header-fields.tsx';
import classes from './setting-fields.module.css';
import type { ChannelTypeFacts } from './use-channel-types.ts';

interface SettingFieldsProps {
  /** The raw JSON. */
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** The type's. */
  readonly slug: string;
  /** What the type knows besides. */
  readonly fields: ChannelTypeFacts['settings'];
  /** Names a field of the setting and what the server says is wrong with it. */
  readonly problem: { readonly field: string; readonly message: string } | undefined;
}

export function SettingFields({ text, onChange, slug, fields, problem }: SettingFieldsProps) {
  const { t } = useTranslation();
  const words = vendorFields(slug).settings ?? {};
  /** Absent is a third answer: the vendor or the model decides. */
  const isThreeWay = (name: string) => words[name]?.threeWay === true;
  const setting = readSetting(text);
  if (setting === undefined) return <p className={classes.note}>{t('channel.setting.broken')}</p>;
  const set = (name: string, value: JsonValue | undefined) => onChange(writeSetting(text, name, value));
  const textIn = (name: string) => (typeof setting[name] === 'string' ? setting[name] : '');
  const errorOf = (name: string) => (problem?.field.split('.')[0] === name ? problem.message : undefined);
  const labelOf = (name: string) => words[name]?.label[currentLanguage()] ?? name;
  const hintOf = (name: string) => words[name]?.hint[currentLanguage()] ?? '';
  const flag = (name: string, label: string, hint: string) => (
    <SwitchRow key={name} title={label} hint={hint}>
      <Switch
        aria-label={label}
        checked={setting[name] === true}
        onChange={(event) => set(name, event.currentTarget.checked || undefined)}
      />
    </SwitchRow>
  );
  const choices = fields.filter(({ name, kind }) => kind === 'text' || isThreeWay(name));
  return (
    <>
      <FieldRow>
        <TextInput
          label={t('channel.setting.proxy')}
          description={t('channel.setting.proxy.hint')}
          placeholder="socks5://host:1080"
          classNames={{ input: classes.code ?? '' }}
          value={textIn('proxy')}
          error={errorOf('proxy')}
          onChange={(event) => set('proxy', event.currentTarget.value)}
        />
        {choices.map(({ name, choices: values }) =>
          isThreeWay(name) || values.length > 0 ? (
            <Select
              key={name}
              label={labelOf(name)}
              description={hintOf(name)}
              allowDeselect={false}
              data={[
                { value: '', label: t('channel.setting.auto') },
                ...(isThreeWay(name)
                  ? [
                      { value: 'true', label: t('channel.setting.always') },
                      { value: 'false', label: t('channel.setting.never') },
                    ]
                  : values.map((value) => ({ value, label: value }))),
              ]}
              value={setting[name] === undefined ? '' : String(setting[name])}
              error={errorOf(name)}
              onChange={(value) => set(name, isThreeWay(name) && value ? value === 'true' : (value ?? ''))}
            />
          ) : (
            <TextInput
              key={name}
              label={labelOf(name)}
              description={hintOf(name)}
              classNames={{ input: classes.code ?? '' }}
              value={textIn(name)}
              error={errorOf(name)}
              onChange={(event) => set(name, event.currentTarget.value)}
            />
          ),
        )}
      </FieldRow>
      <Textarea
        label={t('channel.setting.systemPrompt')}
        description={t('channel.setting.systemPrompt.hint')}
        autosize
        minRows={2}
        maxRows={8}
        value={textIn('system_prompt')}
        onChange={(event) => set('system_prompt', event.currentTarget.value)}
      />
      <HeaderFields
        value={setting['header_override']}
        error={errorOf('header_override')}
        onChange={(headers) => set('header_override', headers)}
      />
      <MultiSelect
        label={t('channel.setting.allow')}
        description={t('channel.setting.allow.hint')}
        data={[...guardedFieldNames]}
        value={[...allowedFields(setting)]}
        onChange={(allowed) => onChange(writeAllowed(text, allowed))}
      />
      {textIn('system_prompt') !== '' &&
        flag('system_prompt_override', t('channel.setting.promptFirst'), t('channel.setting.promptFirst.hint'))}
      {fields
        .filter(({ name, kind }) => kind === 'flag' && !isThreeWay(name))
        .map(({ name }) => flag(name, labelOf(name), hintOf(name)))}
      {flag('pass_through_body_enabled', t('channel.setting.passThrough'), t('channel.setting.passThrough.hint'))}
      {flag('disable_store', t('channel.setting.disableStore'), t('channel.setting.disableStore.hint'))}
    </>
  );
}
