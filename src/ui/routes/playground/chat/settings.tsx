/** Group, model, temperature, length and system prompt, with what the conversation has cost. */
import { Button, NativeSelect, Switch, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Braces } from 'lucide-react';
import { Suspense } from 'react';
import { latePart } from '../../../client/late-part.ts';
import { confirmDanger } from '../../../components/confirm-danger.tsx';
import { useTranslation } from '../../../i18n/index.ts';
import { ChoiceFields } from '../choice-fields.tsx';
import type { Choices } from '../choices.ts';
import { Figures } from '../figures.tsx';
import classes from '../playground.module.css';
import { bounds, type ChatMessage, type ChatSettings } from './message.ts';
import { useHistorySwitch } from './use-server-history.ts';

/** Whether conversations are kept on the server. */
export function HistorySwitch() {
  const { t } = useTranslation();
  const { isOn, isBusy, change } = useHistorySwitch();
  return (
    <Switch
      label={t('playground.onServer')}
      description={t('playground.onServer.hint')}
      aria-busy={isBusy}
      disabled={isOn === undefined}
      checked={isOn === true}
      onChange={(event) => {
        if (isBusy) return;
        if (event.currentTarget.checked) return change(true);
        confirmDanger({
          title: t('playground.onServer.off.title'),
          text: t('playground.onServer.off.text'),
          confirm: t('playground.onServer.off'),
          onConfirm: () => change(false),
        });
      }}
    />
  );
}

const CodeDialog = latePart(async () => ({
  default: (await import('./code-dialog.tsx')).CodeDialog,
}));

interface SettingsProps {
  readonly choices: Choices;
  readonly settings: ChatSettings;
  readonly messages: readonly ChatMessage[];
  /** Quota. */
  readonly spent: number;
  /** The model beside the chosen one; undefined: none. */
  readonly beside: string | undefined;
  /** '': none. */
  readonly onCompare: (model: string) => void;
  readonly onChange: (settings: Partial<ChatSettings>) => void;
}

const { temperature: warmth, maxTokens: length } = bounds;
/** The longest answer that may be requested of a model. */
const longestOf = (model: Choices['model']): number => model?.output_limit || length.max;

export const isLength = (value: number, model: Choices['model']) =>
  Number.isInteger(value) && value >= length.min && value <= longestOf(model);

export function ChatSettingsForm(props: SettingsProps) {
  const { choices, settings, messages, spent, beside, onCompare, onChange } = props;
  const { t } = useTranslation();
  const [isCode, { open: showCode, close: closeCode }] = useDisclosure(false);
  const longest = longestOf(choices.model);
  const range = { min: length.min, max: longest.toLocaleString('en-US') };
  const reset = () =>
    onChange({
      temperature: warmth.default,
      maxTokens: Math.min(length.default, longest),
      system: t('playground.system.default'),
    });
  return (
    <>
      <ChoiceFields choices={choices} onChange={onChange} />
      {choices.models.length > 1 && (
        <NativeSelect
          label={t('playground.compare')}
          data={[
            { value: '', label: t('playground.compare.none') },
            ...new Set([
              ...choices.models.map(({ model }) => model),
              ...(beside === undefined ? [] : [beside]),
            ]),
          ]}
          value={beside ?? ''}
          onChange={(event) => onCompare(event.currentTarget.value)}
        />
      )}
      <div>
        <div className={classes.labelled}>
          <span id="playground-temperature">{t('playground.temperature')}</span>
          <span>{settings.temperature}</span>
        </div>
        <input
          type="range"
          className={classes.range}
          min={warmth.min}
          max={warmth.max}
          step={warmth.step}
          aria-labelledby="playground-temperature"
          aria-valuetext={String(settings.temperature)}
          value={settings.temperature}
          onChange={(event) => onChange({ temperature: Number(event.currentTarget.value) })}
        />
      </div>
      <TextInput
        label={
          <span className={classes.labelled} style={{ marginBottom: 0 }}>
            <span>{t('playground.maxTokens')}</span>
            <span>{t('playground.maxTokens.range', range)}</span>
          </span>
        }
        labelProps={{ style: { width: '100%' } }}
        inputMode="numeric"
        value={settings.maxTokens === 0 ? '' : settings.maxTokens.toLocaleString('en-US')}
        error={
          isLength(settings.maxTokens, choices.model)
            ? undefined
            : t('playground.maxTokens.wrong', range)
        }
        onChange={(event) =>
          onChange({ maxTokens: Number(event.currentTarget.value.replace(/\D/g, '').slice(0, 9)) })
        }
      />
      <Textarea
        label={t('playground.system')}
        autosize
        minRows={4}
        maxRows={12}
        value={settings.system}
        onChange={(event) => onChange({ system: event.currentTarget.value })}
      />
      <Button variant="default" size="xs" onClick={reset}>
        {t('playground.reset')}
      </Button>
      {messages.length > 0 && (
        <Button
          variant="default"
          size="xs"
          leftSection={<Braces size={14} strokeWidth={1.75} />}
          onClick={showCode}
        >
          {t('playground.asCode')}
        </Button>
      )}
      {isCode && (
        <Suspense>
          <CodeDialog
            messages={messages}
            settings={{ ...settings, model: choices.model?.model ?? settings.model }}
            onClose={closeCode}
          />
        </Suspense>
      )}
      <HistorySwitch />
      <Figures spent={{ label: t('playground.spent'), quota: spent }} />
    </>
  );
}
