/** Choosing among the models of an upstream. */
import { Button, Checkbox, Group, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { openDialog } from '../../components/dialogs.ts';
import { ModelLogo } from '../../components/provider-logo.tsx';
import { ValueTag } from '../../components/tag.tsx';
import { translate, useTranslation } from '../../i18n/index.ts';
import classes from './model-checklist.module.css';
import { chosenModels, type OfferedModel, offeredModels } from './model-choice.ts';

interface Choice {
  readonly upstream: readonly string[];
  /** The models the channel has; they are checked at first. */
  readonly current: readonly string[];
  /** The text of the channel's model mapping. */
  readonly mapping: string;
  readonly onChoose: (models: readonly string[]) => void;
}

export function chooseModels(choice: Choice): void {
  openDialog({
    title: translate('channel.models.title'),
    role: 'dialog',
    size: 560,
    withCloseButton: true,
    content: (close) => <ModelChecklist {...choice} onClose={close} />,
  });
}

function ModelChecklist({
  upstream,
  current,
  mapping,
  onChoose,
  onClose,
}: Choice & { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(current));
  const models = offeredModels(upstream, current, mapping);
  const shown = models.filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()));
  const count = (state: OfferedModel['state']) =>
    models.filter((model) => model.state === state).length;
  const set = (changed: readonly OfferedModel[], on: boolean) => {
    const next = new Set(chosen);
    for (const { name } of changed) {
      if (on) next.add(name);
      else next.delete(name);
    }
    setChosen(next);
  };
  const picked = chosenModels(models, current, chosen);
  return (
    <>
      <p className={classes.summary}>
        {t('channel.models.summary', { total: upstream.length, fresh: count('new') })}
        {count('missing') > 0 && t('channel.models.summary.missing', { count: count('missing') })}
      </p>
      <TextInput
        data-autofocus
        aria-label={t('channel.test.search')}
        placeholder={t('channel.test.search')}
        leftSection={<Search size={15} strokeWidth={1.75} />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <fieldset className={classes.acts} aria-label={t('channel.models.select')}>
        <button type="button" onClick={() => set(shown, true)}>
          {t('channel.models.all')}
        </button>
        <button type="button" onClick={() => set(shown, false)}>
          {t('channel.models.none')}
        </button>
        <button
          type="button"
          onClick={() =>
            set(
              shown.filter(({ state }) => state === 'new'),
              true,
            )
          }
        >
          {t('channel.models.new')}
        </button>
      </fieldset>
      <ul className={classes.models}>
        {shown.map((model) => (
          <li key={model.name}>
            <Checkbox
              size="xs"
              checked={chosen.has(model.name)}
              onChange={(event) => set([model], event.currentTarget.checked)}
              classNames={{
                root: classes.model ?? '',
                body: classes.line ?? '',
                labelWrapper: classes.text ?? '',
              }}
              label={
                <span className={classes.label}>
                  <ModelLogo model={model.name} size={16} />
                  <span className={classes.name}>{model.name}</span>
                  {model.state === 'new' && (
                    <ValueTag tone="ok">{t('channel.models.state.new')}</ValueTag>
                  )}
                  {model.state === 'missing' && (
                    <ValueTag tone="org">{t('channel.models.state.missing')}</ValueTag>
                  )}
                </span>
              }
            />
          </li>
        ))}
        {shown.length === 0 && <li className={classes.empty}>{t('channel.test.none')}</li>}
      </ul>
      <Group justify="flex-end" gap={8} mt={20}>
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button
          disabled={picked.length === 0}
          onClick={() => {
            onClose();
            onChoose(picked);
          }}
        >
          {t('channel.models.use', { count: picked.length })}
        </Button>
      </Group>
    </>
  );
}
