/**
 * The key of a channel, or its keys: the type says what they look like, and the user what becomes
 * of several.
 */
import { Button, Input, PasswordInput, SegmentedControl, Textarea } from '@mantine/core';
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { vendorFields } from '../../../core/providers/fields.ts';
import { ValueTag } from '../../components/tag.tsx';
import { type TextKey, useTranslation } from '../../i18n/index.ts';
import { type ChannelTypeFacts, typeName } from '../../queries/use-channel-types.ts';
import classes from './channel.module.css';
import { readSetting } from './channel-setting.ts';
import { KeysNote } from './keys-note.tsx';

/** What several keys become: a channel each, or one whose keys take turns. */
type KeyMode = '' | 'random' | 'polling';

interface KeyFieldProps {
  readonly facts: ChannelTypeFacts | undefined;
  readonly creating: boolean;
  /** null: a new one. */
  readonly channel: ChannelEntity | null;
  /** The raw `setting`. */
  readonly setting: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (key: string) => void;
  readonly onMode: (mode: KeyMode) => void;
  /** The channel's disabled keys were enabled. */
  readonly onRevived: () => void;
  /** The type that the key names, where the form has another. */
  readonly other: number | undefined;
  readonly onTake: (type: number) => void;
}

/** Examples that are words of English, in the reader's language. */
const exampleWords: Readonly<Record<string, TextKey>> = {
  'service account JSON': 'channel.form.key.example.account',
  '32 hexadecimal digits': 'channel.form.key.example.hex',
  'any text': 'channel.form.key.example.any',
  key: 'channel.form.key',
};

function useKeyExample(example: string): string {
  const { t } = useTranslation();
  return example
    .split(/, or /)
    .map((part) => (exampleWords[part] === undefined ? part : t(exampleWords[part])))
    .join(t('channel.form.key.example.or'));
}

function keyModeOf(setting: string): KeyMode {
  const mode = readSetting(setting)?.['multi_key_mode'];
  return mode === 'random' || mode === 'polling' ? mode : '';
}

/** Whether a setting says that the key is no JSON document, though the type's keys are. */
function isPlainKey(slug: string, setting: string): boolean {
  const fields = readSetting(setting);
  return Object.entries(vendorFields(slug).settings ?? {}).some(
    ([name, { plainKeyWhen }]) => plainKeyWhen !== undefined && fields?.[name] === plainKeyWhen,
  );
}

function keyLines(key: string): number {
  return key.split('\n').filter((line) => line.trim() !== '').length;
}

/** The numbers of lines that repeat a key above them. */
function repeatedLines(key: string): readonly number[] {
  const lines = key.split('\n').map((line) => line.trim());
  return lines.flatMap((line, index) =>
    line !== '' && lines.indexOf(line) < index ? [index + 1] : [],
  );
}

export function KeyField(props: KeyFieldProps) {
  const { facts, creating, channel, setting, value, error, onChange, onMode, onRevived } = props;
  const { other, onTake } = props;
  const { t } = useTranslation();
  const stored = channel?.multi_key?.size ?? 0;
  const json = facts?.key_json === true && !isPlainKey(facts.slug, setting);
  const optional = facts?.key_optional === true;
  const mode = keyModeOf(setting);
  const several = !json && (keyLines(value) > 1 || stored > 1 || mode !== '');
  const repeated = json ? [] : repeatedLines(value);
  const example = useKeyExample(facts?.key_example ?? '');
  const kept = !creating && value === '' && !(optional && stored === 0);
  const hint = json
    ? t('channel.form.key.hint.json')
    : optional
      ? t('channel.form.key.hint.optional')
      : creating
        ? t('channel.form.key.hint.many')
        : t('channel.form.key.hint');
  const common = {
    label: t('channel.form.key'),
    // An error takes the place of the hint.
    description: error === undefined ? hint : undefined,
    error,
    value,
    spellCheck: false,
    withAsterisk: creating && !optional,
    classNames: { input: classes.code ?? '' },
    placeholder: kept ? t('common.saved.keep') : example,
    ...(kept
      ? { rightSection: <ValueTag tone="ok">{t('common.saved')}</ValueTag>, rightSectionWidth: 76 }
      : {}),
  };
  return (
    <div className={classes.keyField}>
      {creating || several || json ? (
        <Textarea
          {...common}
          required={creating && !optional}
          autosize
          minRows={json ? 4 : 1}
          maxRows={8}
          autoComplete="off"
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      ) : (
        <PasswordInput
          {...common}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': t('login.password.show') }}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
      {several && (
        <div>
          <Input.Label component="div" id="key-mode">
            {t('channel.form.keys', { count: keyLines(value) || stored || 1 })}
          </Input.Label>
          <SegmentedControl
            fullWidth
            aria-labelledby="key-mode"
            value={mode}
            onChange={(next) => onMode(next as KeyMode)}
            data={[
              ...(creating ? [{ value: '', label: t('channel.form.keys.each') }] : []),
              { value: 'random', label: t('channel.form.keys.random') },
              { value: 'polling', label: t('channel.form.keys.polling') },
            ]}
          />
          <Input.Description mt={4}>
            {t(
              creating && mode === ''
                ? 'channel.form.keys.each.hint'
                : 'channel.form.keys.one.hint',
            )}
          </Input.Description>
        </div>
      )}
      {repeated.length > 0 && (
        <Input.Description c="var(--tp-org-text)">
          {t('channel.form.keys.repeated', { lines: repeated.join(t('common.joint')) })}
        </Input.Description>
      )}
      {other !== undefined && (
        <div className={classes.recognised} role="status">
          {t('channel.form.recognised', { name: typeName(other) })}
          <Button size="compact-xs" variant="default" onClick={() => onTake(other)}>
            {t('channel.form.recognised.take', { name: typeName(other) })}
          </Button>
        </div>
      )}
      {channel !== null && <KeysNote channel={channel} onRevived={onRevived} />}
    </div>
  );
}
