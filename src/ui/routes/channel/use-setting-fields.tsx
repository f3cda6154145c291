/**
 * The known members of a channel's `setting`, as fields: each reads from the raw JSON and writes
 * into it.
 */
import type { JsonObject, JsonValue } from '../../../core/kernel/json.ts';
import { vendorFields } from '../../../core/providers/fields.ts';
import { guardedFieldNames } from '../../../core/vocabulary/guarded-fields.ts';
import type { Field, FieldPart, FormField } from '../../form/fields.ts';
import { currentLanguage, useTranslation } from '../../i18n/index.ts';
import type { ChannelTypeFacts } from '../../queries/use-channel-types.ts';
import type { ChannelValues } from './channel-form.ts';
import { allowedFields, readSetting, writeAllowed, writeSetting } from './channel-setting.ts';
import { HeaderFields } from './header-fields.tsx';

const settingOf = (text: unknown): JsonObject => readSetting(String(text)) ?? {};

function member(
  path: string,
  read: (value: JsonValue | undefined) => unknown,
  write = (value: unknown) => value,
): FieldPart {
  return {
    path,
    read: (text) => read(settingOf(text)[path]),
    write: (text, value) => writeSetting(String(text), path, write(value) as JsonValue | undefined),
  };
}
const textMember = (path: string) =>
  member(path, (value) => (typeof value === 'string' ? value : ''));
/** What is off is left out. */
const flagMember = (path: string) =>
  member(
    path,
    (value) => value === true,
    (on) => (on === true ? true : undefined),
  );
/** '', 'true' or 'false'. */
const threeWayMember = (path: string) =>
  member(
    path,
    (value) => (value === undefined ? '' : String(value)),
    (choice) => (choice === '' ? undefined : choice === 'true'),
  );
/** Each field that is let through is a member of its own. */
const allowedPart: FieldPart = {
  path: 'allow',
  read: (text) => allowedFields(settingOf(text)),
  write: (text, allowed) => writeAllowed(String(text), allowed as readonly string[]),
};

/** With those of the type. None is visible while the raw text is not a JSON object. */
export function useSettingFields(
  facts: ChannelTypeFacts | undefined,
): readonly FormField<ChannelValues>[] {
  const { t } = useTranslation();
  const words = vendorFields(facts?.slug ?? '').settings ?? {};
  const declared = facts?.settings ?? [];
  const isThreeWay = (name: string) => words[name]?.threeWay === true;
  const wordsOf = (name: string) => ({
    label: words[name]?.label[currentLanguage()] ?? name,
    hint: words[name]?.hint[currentLanguage()],
  });
  const inSetting = (
    part: FieldPart,
    field: Field,
    visible?: (setting: JsonObject) => boolean,
  ): FormField<ChannelValues> => ({
    ...field,
    name: 'setting',
    part,
    half: field.kind === 'select' || (field.kind === 'text' && field.lines !== true),
    visible: ({ setting }) => {
      const parsed = readSetting(setting);
      return parsed !== undefined && (visible?.(parsed) ?? true);
    },
  });
  const flag = (
    name: string,
    label: string,
    hint: string | undefined,
    visible?: (setting: JsonObject) => boolean,
  ) => inSetting(flagMember(name), { kind: 'switch', label, hint }, visible);
  const choice = ({ name, choices }: ChannelTypeFacts['settings'][number]) => {
    if (!isThreeWay(name) && choices.length === 0)
      return inSetting(textMember(name), { kind: 'text', code: true, ...wordsOf(name) });
    const options = isThreeWay(name)
      ? [
          { value: 'true', label: t('channel.setting.always') },
          { value: 'false', label: t('channel.setting.never') },
        ]
      : choices.map((value) => ({ value, label: value }));
    return inSetting(isThreeWay(name) ? threeWayMember(name) : textMember(name), {
      kind: 'select',
      options: [{ value: '', label: t('channel.setting.auto') }, ...options],
      ...wordsOf(name),
    });
  };
  return [
    inSetting(textMember('proxy'), {
      kind: 'text',
      code: true,
      label: t('channel.setting.proxy'),
      hint: t('channel.setting.proxy.hint'),
      placeholder: 'socks5://host:1080',
    }),
    ...declared.filter(({ name, kind }) => kind === 'text' || isThreeWay(name)).map(choice),
    inSetting(textMember('system_prompt'), {
      kind: 'text',
      lines: true,
      label: t('channel.setting.systemPrompt'),
      hint: t('channel.setting.systemPrompt.hint'),
    }),
    inSetting(
      member('header_override', (headers) => headers),
      {
        kind: 'custom',
        label: t('channel.setting.headers'),
        render: ({ value, error, onChange }) => (
          <HeaderFields value={value as JsonValue | undefined} error={error} onChange={onChange} />
        ),
      },
    ),
    inSetting(allowedPart, {
      kind: 'tags',
      closed: true,
      options: guardedFieldNames,
      label: t('channel.setting.allow'),
      hint: t('channel.setting.allow.hint'),
    }),
    flag(
      'system_prompt_override',
      t('channel.setting.promptFirst'),
      t('channel.setting.promptFirst.hint'),
      (setting) => typeof setting['system_prompt'] === 'string' && setting['system_prompt'] !== '',
    ),
    ...declared
      .filter(({ name, kind }) => kind === 'flag' && !isThreeWay(name))
      .map(({ name }) => flag(name, wordsOf(name).label, wordsOf(name).hint)),
    inSetting(threeWayMember('believe_zero_usage'), {
      kind: 'select',
      options: [
        { value: '', label: t('channel.setting.auto') },
        { value: 'true', label: t('channel.setting.always') },
        { value: 'false', label: t('channel.setting.never') },
      ],
      label: t('channel.setting.zeroUsage'),
      hint: t('channel.setting.zeroUsage.hint'),
    }),
    flag(
      'pass_through_body_enabled',
      t('channel.setting.passThrough'),
      t('channel.setting.passThrough.hint'),
    ),
    flag('send_user_hash', t('channel.setting.userHash'), t('channel.setting.userHash.hint')),
    flag(
      'stop_on_other_model',
      t('channel.setting.otherModel'),
      t('channel.setting.otherModel.hint'),
    ),
    flag(
      'leave_out_tools',
      t('channel.setting.leaveOutTools'),
      t('channel.setting.leaveOutTools.hint'),
    ),
    flag(
      'forward_rate_limits',
      t('channel.setting.forwardLimits'),
      t('channel.setting.forwardLimits.hint'),
    ),
    flag(
      'disable_store',
      t('channel.setting.disableStore'),
      t('channel.setting.disableStore.hint'),
    ),
  ];
}
