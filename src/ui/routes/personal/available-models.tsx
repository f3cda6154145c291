/** The models that the account may call; a click copies a name. */
import { UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { toastSuccess } from '../../client/failures.ts';
import { ModelLogo } from '../../components/provider-logo.tsx';
import { useCopy } from '../../components/use-copy.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { useOwnModels } from '../../queries/use-groups.ts';
import classes from './profile.module.css';

/** More are folded. */
const shownAtFirst = 10;

export function AvailableModels() {
  const { t } = useTranslation();
  const { copy } = useCopy();
  const models = useOwnModels();
  const [open, setOpen] = useState(false);
  const copyName = async (model: string) => {
    if (await copy(model)) toastSuccess(t('profile.models.copied', { name: model }));
  };
  const folded = models.length - shownAtFirst;
  return (
    <section aria-labelledby="personal-models">
      <div className={classes.head}>
        <h2 id="personal-models">
          {t('profile.models')} <span className={classes.count}>{models.length}</span>
        </h2>
        {models.length > 0 && <span className={classes.hint}>{t('profile.models.hint')}</span>}
      </div>
      {models.length === 0 && <p className={classes.hint}>{t('profile.models.none')}</p>}
      <ul className={classes.models}>
        {(open ? models : models.slice(0, shownAtFirst)).map((model) => (
          <li key={model}>
            <UnstyledButton className={classes.model} onClick={() => void copyName(model)}>
              <ModelLogo model={model} size={16} />
              {model}
            </UnstyledButton>
          </li>
        ))}
        {folded > 0 && (
          <li>
            <UnstyledButton
              className={classes.fold}
              aria-expanded={open}
              onClick={() => setOpen(!open)}
            >
              {open ? t('profile.models.fold') : t('profile.models.unfold', { count: folded })}
            </UnstyledButton>
          </li>
        )}
      </ul>
    </section>
  );
}
